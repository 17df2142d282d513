import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalQuantile } from '../../../src/lib/statistics/distributions.ts'
import { wilsonInterval } from '../../../src/lib/statistics/intervals.ts'
import { NOT_NUMBERS } from './invalid-numbers.ts'

const Z = normalQuantile(0.975)
const counts = (most: number) =>
  fc.integer({ min: 1, max: most }).chain(n => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)))
const means = fc.double({ min: 0, max: 1, noNaN: true })
const sizes = fc.double({ min: 1, max: 1e6, noNaN: true })
const quantiles = fc.double({ min: 0.5, max: 20, noNaN: true })

describe('the Wilson interval', () => {
  it.each([
    [17, 20, 0.63958, 0.94763],
    [5, 5, 0.56552, 1],
    [0, 5, 0, 0.43448],
    [28, 31, 0.751, 0.96654],
  ])('%d of %d', (k, n, low, high) => {
    const interval = wilsonInterval(k / n, n, Z)
    expect(interval.low).toBeCloseTo(low, 5)
    expect(interval.high).toBeCloseTo(high, 5)
  })

  // The formula, computed with mpmath 1.3 to 40 digits.
  it.each([
    [17, 20, 0.95, 0.639581135259, 0.947631254104],
    [17, 20, 0.99, 0.564413279739, 0.961212939492],
    [17, 20, 0.8, 0.721552134376, 0.925326980247],
    [90, 100, 0.95, 0.825634338495, 0.944770862939],
    [28, 31, 0.99, 0.689088626943, 0.975188473777],
    [1, 1_000_000, 0.95, 1.76524576745e-7, 5.66491180431e-6],
  ])('%d of %d at %d', (k, n, level, low, high) => {
    const interval = wilsonInterval(k / n, n, normalQuantile((1 + level) / 2))
    expect(interval.low).toBeCloseTo(low, 12)
    expect(interval.high).toBeCloseTo(high, 12)
  })

  it('ends at the rates that are exactly `quantile` standard errors from the mean', () => {
    fc.assert(
      fc.property(means, sizes, quantiles, (mean, size, quantile) => {
        for (const end of Object.values(wilsonInterval(mean, size, quantile))) {
          expect((mean - end) ** 2).toBeCloseTo((quantile ** 2 * end * (1 - end)) / size, 9)
        }
      }),
    )
  })

  it('ends exactly at 0 or 1 only if none or all passed', () => {
    fc.assert(
      fc.property(counts(100_000), quantiles, ([k, n], quantile) => {
        const { low, high } = wilsonInterval(k / n, n, quantile)
        expect(low === 0).toBe(k === 0)
        expect(high === 1).toBe(k === n)
      }),
    )
  })

  it('ends exactly at 0 and 1 for any size', () => {
    for (let n = 1; n <= 2000; n++) expect([wilsonInterval(0, n, Z).low, wilsonInterval(1, n, Z).high]).toEqual([0, 1])
  })

  it.each([1e-300, 1e-17, 1e100, 1e200, Number.MAX_VALUE])('has both ends with the quantile %d', quantile => {
    const { low, high } = wilsonInterval(1 / 3, 3, quantile)
    expect(0 <= low && low <= 1 / 3 && 1 / 3 <= high && high <= 1).toBe(true)
  })

  it('contains the mean, and has a width', () => {
    fc.assert(
      fc.property(means, sizes, quantiles, (mean, size, quantile) => {
        const { low, high } = wilsonInterval(mean, size, quantile)
        expect(0 <= low && low <= mean && mean <= high && high <= 1 && low < high).toBe(true)
      }),
    )
  })

  it('is mirrored if passes and failures are swapped', () => {
    fc.assert(
      fc.property(counts(1000), ([k, n]) => {
        expect(wilsonInterval(k / n, n, Z).low).toBeCloseTo(1 - wilsonInterval((n - k) / n, n, Z).high, 14)
      }),
    )
  })

  it('grows with the quantile and shrinks with the size', () => {
    fc.assert(
      fc.property(means, sizes, quantiles, (mean, size, quantile) => {
        const width = (size: number, quantile: number) => {
          const { low, high } = wilsonInterval(mean, size, quantile)
          return high - low
        }
        expect(width(size, 1.1 * quantile)).toBeGreaterThan(width(size, quantile))
        expect(width(1.1 * size, quantile)).toBeLessThan(width(size, quantile))
      }),
    )
  })
})

describe('invalid arguments', () => {
  it.each([...NOT_NUMBERS, -0.1, 1.1])('rejects %d as the mean', mean => {
    expect(() => wilsonInterval(mean, 5, Z)).toThrow(RangeError)
  })

  it.each([...NOT_NUMBERS, 0, -1])('rejects %d as the size or the quantile', value => {
    expect(() => wilsonInterval(0.5, value, Z)).toThrow(RangeError)
    expect(() => wilsonInterval(0.5, 5, value)).toThrow(RangeError)
  })
})
