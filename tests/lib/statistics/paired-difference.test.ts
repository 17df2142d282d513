import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pairedDifference } from '../../../src/lib/statistics/paired.ts'
import { NOT_INSIDE, NOT_NUMBERS } from './invalid-numbers.ts'

const differences = fc.array(
  fc.tuple(
    fc.oneof(fc.constantFrom(-1, 0, 1), fc.double({ min: -1, max: 1, noNaN: true })),
    fc.constantFrom('a', 'b', 'c', undefined),
  ),
  { minLength: 1, maxLength: 30 },
)

describe('a paired difference', () => {
  it('of three', () => {
    const { mean, standardError, df, t, p, interval } = pairedDifference([0.6, 0.4, -0.2])
    expect(mean).toBeCloseTo(0.26667, 5)
    expect(standardError).toBeCloseTo(0.24037, 5)
    expect(t).toBeCloseTo(1.1094, 5)
    expect(df).toBe(2)
    expect(p).toBeCloseTo(0.38279, 5)
    // Computed with scipy 1.17: ttest_1samp.
    expect(p).toBeCloseTo(0.38278660015163235, 12)
    expect(interval?.low).toBeCloseTo(-0.767562335841786, 12)
    expect(interval?.high).toBeCloseTo(1.3008956691751192, 12)
  })

  it('of seven in four clusters', () => {
    // CR2 computed by its matrices with numpy, and the distribution with scipy 1.17.
    const { mean, standardError, df, t, p, interval } = pairedDifference([0.5, 0.25, 0, -0.25, 1, 0.75, 0.125], {
      clusters: [...'aabbccd'],
    })
    expect(mean).toBeCloseTo(0.3392857142857143, 14)
    expect(standardError).toBeCloseTo(0.2422260708259024, 14)
    expect(t).toBeCloseTo(1.400698583471523, 12)
    expect(df).toBeCloseTo(25 / 9, 12)
    expect(p).toBeCloseTo(0.262591203349443, 12)
    expect(interval?.low).toBeCloseTo(-0.4676756171315821, 12)
    expect(interval?.high).toBeCloseTo(1.1462470457030107, 12)
  })

  it('at another level has another interval and the same p', () => {
    const [one, other] = [pairedDifference([0.6, 0.4, -0.2]), pairedDifference([0.6, 0.4, -0.2], { level: 0.5 })]
    expect(other.p).toBe(one.p)
    expect(other.interval?.low).toBeGreaterThan(one.interval?.low ?? 1)
  })

  it.each([[{}], [{ clusters: ['a'] }]])('of one has neither an interval nor a p', options => {
    expect(pairedDifference([0.5], options)).toEqual({
      mean: 0.5,
      standardError: undefined,
      df: undefined,
      interval: undefined,
      t: undefined,
      p: undefined,
    })
  })

  it('of one cluster has neither an interval nor a p', () => {
    const { mean, p, interval } = pairedDifference([0.5, 0.25], { clusters: ['a', 'a'] })
    expect([mean, p, interval]).toEqual([0.375, undefined, undefined])
  })
})

describe('equal differences', () => {
  it.each([[[0, 0]], [[0, 0, 0, 0, 0]], [[-0, 0]]])('%j have a p of 1', values => {
    const { mean, standardError, t, p, interval } = pairedDifference(values)
    expect([mean, standardError, t, p, interval]).toEqual([0, 0, undefined, 1, { low: 0, high: 0 }])
  })

  it.each([[[0.1, 0.1, 0.1]], [[-1, -1]], [[0.3 - 0.2, 0.4 - 0.3, 0.9 - 0.8]]])('%j have a p of 0', values => {
    const { mean, standardError, t, p, interval } = pairedDifference(values)
    expect([standardError, t, p]).toEqual([0, undefined, 0])
    expect(interval).toEqual({ low: mean, high: mean })
  })

  it('per cluster have a p of 1 or 0, despite rounding', () => {
    const clusters = [...'aaabbb']
    expect(pairedDifference([0.1, 0.2, -0.3, 0.2, -0.3, 0.1], { clusters })).toMatchObject({ mean: 0, p: 1 })
    expect(pairedDifference([0.1, 0.2, 0.3, 0.3, 0.2, 0.1], { clusters })).toMatchObject({ standardError: 0, p: 0 })
  })
})

describe('for any differences', () => {
  it('changing all signs mirrors the difference and keeps p', () => {
    fc.assert(
      fc.property(differences, pairs => {
        const clusters = pairs.map(([, cluster]) => cluster)
        const one = pairedDifference(
          pairs.map(([value]) => value),
          { clusters },
        )
        const other = pairedDifference(
          pairs.map(([value]) => -value),
          { clusters },
        )
        expect(other.mean + one.mean).toBe(0)
        expect(other.standardError).toBe(one.standardError)
        expect(other.p).toBe(one.p)
        expect((other.t ?? 0) + (one.t ?? 0)).toBe(0)
        expect((other.interval?.low ?? 0) + (one.interval?.high ?? 0)).toBe(0)
      }),
    )
  })

  it('p is below 0.05 exactly if 0 is outside the 95 % interval', () => {
    fc.assert(
      fc.property(differences, pairs => {
        const { p, interval } = pairedDifference(pairs.map(([value]) => value))
        if (p === undefined || interval === undefined || Math.abs(p - 0.05) < 1e-9) return
        expect(p < 0.05).toBe(interval.low > 0 || interval.high < 0)
      }),
    )
  })

  it('p is a probability', () => {
    fc.assert(
      fc.property(differences, pairs => {
        const { p = 1 } = pairedDifference(
          pairs.map(([value]) => value),
          { clusters: pairs.map(([, cluster]) => cluster) },
        )
        expect(p >= 0 && p <= 1).toBe(true)
      }),
    )
  })
})

describe('invalid arguments', () => {
  it('rejects an empty list and clusters of a different length', () => {
    expect(() => pairedDifference([])).toThrow(new RangeError('There are no numbers.'))
    expect(() => pairedDifference([1], { clusters: [] })).toThrow(RangeError)
  })

  it.each(NOT_NUMBERS)('rejects the difference %d', value => {
    expect(() => pairedDifference([value, 1])).toThrow(RangeError)
  })

  it.each(NOT_INSIDE)('rejects %d as the level', level => {
    expect(() => pairedDifference([0, 0], { level })).toThrow(RangeError)
  })
})
