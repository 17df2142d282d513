import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ruleOfThree } from '../../../src/lib/statistics/rule-of-three.ts'
import { wilsonInterval } from '../../../src/lib/statistics/wilson-interval.ts'
import { NOT_COUNTS, NOT_INSIDE } from './hostile.ts'

const counts = (most: number) =>
  fc.integer({ min: 1, max: most }).chain(n => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)))

describe('the interval of Wilson', () => {
  it.each([
    [17, 20, 0.63958, 0.94763],
    [5, 5, 0.56552, 1],
    [0, 5, 0, 0.43448],
    [28, 31, 0.751, 0.96654],
  ])('%d of %d', (k, n, low, high) => {
    const interval = wilsonInterval(k, n)
    expect(interval?.low).toBeCloseTo(low, 5)
    expect(interval?.high).toBeCloseTo(high, 5)
  })

  // The formula in mpmath 1.3, with 40 digits.
  it.each([
    [17, 20, 0.95, 0.639581135259, 0.947631254104],
    [17, 20, 0.99, 0.564413279739, 0.961212939492],
    [17, 20, 0.8, 0.721552134376, 0.925326980247],
    [90, 100, 0.95, 0.825634338495, 0.944770862939],
    [28, 31, 0.99, 0.689088626943, 0.975188473777],
    [1, 1_000_000, 0.95, 1.76524576745e-7, 5.66491180431e-6],
  ])('%d of %d at %d', (k, n, level, low, high) => {
    const interval = wilsonInterval(k, n, level)
    expect(interval?.low).toBeCloseTo(low, 12)
    expect(interval?.high).toBeCloseTo(high, 12)
  })

  it('of nothing is not known', () => {
    expect(wilsonInterval(0, 0)).toBeUndefined()
  })

  it('ends exactly at 0 and at 1, and only where none or all did', () => {
    fc.assert(
      fc.property(counts(100_000), fc.double({ min: 0.5, max: 0.999, noNaN: true }), ([k, n], level) => {
        const interval = wilsonInterval(k, n, level)
        expect(interval?.low === 0).toBe(k === 0)
        expect(interval?.high === 1).toBe(k === n)
      }),
    )
  })

  it('ends exactly there whatever the number', () => {
    for (let n = 1; n <= 2000; n++) {
      expect([wilsonInterval(0, n)?.low, wilsonInterval(n, n)?.high]).toEqual([0, 1])
    }
  })

  it.each([Number.MIN_VALUE, 1e-17, 1 - 2 ** -53])('has both ends at the level %d', level => {
    const { low, high } = wilsonInterval(1, 3, level) ?? { low: 2, high: -1 }
    expect(0 < low && low <= 1 / 3 && 1 / 3 <= high && high < 1).toBe(true)
  })

  it('contains the estimate, at any level', () => {
    const level = fc.double({ min: 1e-15, max: 1 - 1e-15, noNaN: true })
    fc.assert(
      fc.property(counts(2 ** 53 - 1), level, ([k, n], level) => {
        const { low, high } = wilsonInterval(k, n, level) ?? { low: 2, high: -1 }
        expect(0 <= low && low <= k / n && k / n <= high && high <= 1).toBe(true)
      }),
    )
  })

  it('is mirrored where success and failure are', () => {
    fc.assert(
      fc.property(counts(1000), ([k, n]) => {
        const [one, other] = [wilsonInterval(k, n), wilsonInterval(n - k, n)]
        expect(one?.low).toBeCloseTo(1 - (other?.high ?? 2), 14)
      }),
    )
  })

  it('grows with the level and shrinks with the number', () => {
    fc.assert(
      fc.property(counts(1000), ([k, n]) => {
        const width = (k: number, n: number, level: number) => {
          const { low, high } = wilsonInterval(k, n, level) ?? { low: 0, high: 0 }
          return high - low
        }
        expect(width(k, n, 0.99)).toBeGreaterThan(width(k, n, 0.9))
        expect(width(2 * k, 2 * n, 0.9)).toBeLessThan(width(k, n, 0.9))
      }),
    )
  })

  it.each(NOT_COUNTS)('%d is no count', count => {
    expect(() => wilsonInterval(count, 5)).toThrow(RangeError)
    expect(() => wilsonInterval(0, count)).toThrow(RangeError)
  })

  it('more successes than tries are refused', () => {
    expect(() => wilsonInterval(6, 5)).toThrow(new RangeError('6 of 5: the part is larger than the whole.'))
  })

  it.each(NOT_INSIDE)('%d is no level', level => {
    expect(() => wilsonInterval(1, 2, level)).toThrow(RangeError)
    expect(() => wilsonInterval(0, 0, level)).toThrow(RangeError)
  })
})

describe('the rule of three', () => {
  it.each([
    [3, 1],
    [5, 0.6],
    [100, 0.03],
    [10_000, 0.0003],
  ])('nothing in %d', (n, most) => {
    expect(ruleOfThree(n)).toBe(most)
  })

  it.each([1, 2])('nothing in %d says nothing, since no rate is above 1', n => {
    expect(ruleOfThree(n)).toBe(1)
  })

  it('of nothing is not known', () => {
    expect(ruleOfThree(0)).toBeUndefined()
  })

  it.each(NOT_COUNTS)('%d is no count', count => {
    expect(() => ruleOfThree(count)).toThrow(RangeError)
  })
})
