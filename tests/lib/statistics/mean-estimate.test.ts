import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimateMean } from '../../../src/lib/statistics/intervals.ts'
import { mean } from '../../../src/lib/statistics/means.ts'
import { NOT_INSIDE, NOT_NUMBERS } from './invalid-numbers.ts'

const FOUR_BY_THREE = [1, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 0]
const FOUR_CLUSTERS = [...'aaabbbcccddd']

const numbers = fc.array(fc.double({ min: -1000, max: 1000, noNaN: true }), { minLength: 2, maxLength: 30 })
const clustered = fc
  .array(fc.tuple(fc.double({ min: -1000, max: 1000, noNaN: true }), fc.constantFrom('a', 'b', 'c', undefined)), {
    minLength: 1,
    maxLength: 30,
  })
  .map(pairs => ({ values: pairs.map(([value]) => value), clusters: pairs.map(([, cluster]) => cluster) }))

describe('the mean', () => {
  it.each([
    [[0.1, 0.2, 0.3, 0.4], 0.25],
    [[1e11, 1, -1e11, 1], 0.5],
    [[7], 7],
    [Array.from({ length: 49 }, () => 0.1), 0.1],
    [[0.1, 0.2, -0.3], 0],
    [[1e15, 1, -1e15], 0],
  ])('of %j', (values, expected) => {
    expect(mean(values)).toBe(expected)
  })

  it('of equal numbers is exactly that number', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e200, max: 1e200, noNaN: true }), fc.integer({ min: 1, max: 100 }), (value, n) => {
        expect(mean(Array.from({ length: n }, () => value)) === value).toBe(true)
      }),
    )
  })

  it('does not depend on the order', () => {
    const shuffled = numbers.chain(values =>
      fc.tuple(fc.constant(values), fc.shuffledSubarray(values, { minLength: values.length })),
    )
    fc.assert(
      fc.property(shuffled, ([values, others]) => {
        expect(mean(others)).toBe(mean(values))
      }),
    )
  })

  it('lies between the smallest and the largest', () => {
    fc.assert(
      fc.property(numbers, values => {
        expect(mean(values)).toBeGreaterThanOrEqual(Math.min(...values, 0))
        expect(mean(values)).toBeLessThanOrEqual(Math.max(...values, 0))
      }),
    )
  })
})

describe('a mean with its standard error', () => {
  it('of twelve zeros and ones', () => {
    const { mean, standardError, df } = estimateMean(FOUR_BY_THREE)
    expect([mean, df]).toEqual([0.5, 11])
    expect(standardError).toBeCloseTo(0.15076, 5)
  })

  it('of twelve zeros and ones in four clusters', () => {
    const { mean, standardError, df, interval } = estimateMean(FOUR_BY_THREE, { clusters: FOUR_CLUSTERS })
    expect([mean, df]).toEqual([0.5, 3])
    expect(standardError).toBeCloseTo(0.21517, 5)
    // The quantile 3.18244630528 times √(4/3 · 5)/12.
    expect(interval?.low).toBeCloseTo(-0.18475341892, 10)
    expect(interval?.high).toBeCloseTo(1.18475341892, 10)
  })

  // Computed with scipy 1.17: sem and t.interval.
  it.each([
    [0.95, 1.3805955850965819, 4.539404414903418],
    [0.9, 1.7472808218255378, 4.172719178174461],
  ])('has a Student t interval at the level %d', (level, low, high) => {
    const estimate = estimateMean([2.5, 3.1, 4.7, 1.2, 3.3], { level })
    expect(estimate.mean).toBeCloseTo(2.96, 14)
    expect(estimate.standardError).toBeCloseTo(0.5688585061331157, 14)
    expect(estimate.df).toBe(4)
    expect(estimate.interval?.low).toBeCloseTo(low, 12)
    expect(estimate.interval?.high).toBeCloseTo(high, 12)
  })

  it.each([Number.MIN_VALUE, 1e-17, 1 - 2 ** -53])('has an interval at the level %d', level => {
    const { low, high } = estimateMean([0, 1], { level }).interval ?? { low: 2, high: -1 }
    expect(low <= 0.5 && 0.5 <= high && high < 1e17).toBe(true)
  })

  it('of one number has no interval', () => {
    expect(estimateMean([0.7])).toEqual({ mean: 0.7, standardError: undefined, df: undefined, interval: undefined })
  })

  it('of one cluster has no interval', () => {
    expect(estimateMean([0, 1], { clusters: ['a', 'a'] })).toEqual({
      mean: 0.5,
      standardError: undefined,
      df: undefined,
      interval: undefined,
    })
  })

  it.each([[[0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1]], [[0, 0]], [[0.3, 0.1 + 0.2]]])(
    'of %j, equal except for rounding, has the mean as its interval',
    values => {
      const { mean, standardError, interval } = estimateMean(values)
      expect(standardError).toBe(0)
      expect(interval).toEqual({ low: mean, high: mean })
    },
  )

  it('of very large and of very small numbers', () => {
    for (const unit of [1e-200, 1e200]) {
      expect((estimateMean([unit, -unit, 0]).standardError ?? 0) / unit).toBeCloseTo(1 / Math.sqrt(3), 14)
    }
  })

  it('of a hundred thousand numbers', () => {
    const values = Array.from({ length: 100_000 }, (_, index) => index % 2)
    expect(estimateMean(values).standardError).toBeCloseTo(Math.sqrt(0.25 / 99_999), 14)
  })
})

describe('clusters', () => {
  it('of size one change nothing', () => {
    fc.assert(
      fc.property(numbers, values => {
        const alone = estimateMean(values)
        expect(estimateMean(values, { clusters: values.map((_, index) => `${index}`) })).toEqual(alone)
        expect(estimateMean(values, { clusters: values.map(() => undefined) })).toEqual(alone)
      }),
    )
  })

  it('may be mixed with numbers without a cluster', () => {
    const { df, standardError } = estimateMean([1, 2, 3, 6], { clusters: ['a', undefined, 'a', undefined] })
    // 16/(4 + 1 + 1 + 2·(2/3 + 2/3 + 1/9)).
    expect(df).toBeCloseTo(1.8, 14)
    // The mean is 3: √(2 · (1 + 3 − 6)² + 4/3 · ((2 − 3)² + (6 − 3)²))/4.
    expect(standardError).toBeCloseTo(Math.sqrt(64 / 3) / 4, 14)
  })

  it('of size one match the plain formula', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -100, max: 100 }), { minLength: 2, maxLength: 20 }), values => {
        const n = values.length
        const average = values.reduce((sum, value) => sum + value, 0) / n
        const variance = values.reduce((sum, value) => sum + (value - average) ** 2, 0) / (n - 1)
        expect(estimateMean(values).standardError).toBeCloseTo(Math.sqrt(variance / n), 10)
      }),
    )
  })

  it('of repeated numbers add no evidence', () => {
    fc.assert(
      fc.property(numbers, values => {
        const twice = values.flatMap(value => [value, value])
        const clusters = values.flatMap((_, index) => [`${index}`, `${index}`])
        const [one, two] = [estimateMean(values), estimateMean(twice, { clusters })]
        expect(two.df).toBe(one.df)
        expect(two.standardError).toBeCloseTo(one.standardError ?? -1, 8)
      }),
    )
  })
})

describe('for any numbers', () => {
  it('the interval contains the estimate, if there is one', () => {
    fc.assert(
      fc.property(clustered, ({ values, clusters }) => {
        const { mean, standardError, interval } = estimateMean(values, { clusters })
        expect(interval === undefined).toBe(standardError === undefined)
        if (interval) expect(interval.low <= mean && mean <= interval.high).toBe(true)
      }),
    )
  })
})

describe('invalid arguments', () => {
  it('rejects an empty list', () => {
    expect(() => estimateMean([])).toThrow(new RangeError('There are no numbers.'))
    expect(() => mean([])).toThrow(RangeError)
  })

  it.each([...NOT_NUMBERS, 1e201, -1e201])('rejects the number %d', value => {
    expect(() => estimateMean([1, value, 2])).toThrow(RangeError)
    expect(() => mean([value])).toThrow(RangeError)
  })

  it('rejects clusters of a different length', () => {
    expect(() => estimateMean([1, 2], { clusters: ['a'] })).toThrow(new RangeError('2 numbers with 1 cluster keys.'))
  })

  it.each(NOT_INSIDE)('rejects %d as the level', level => {
    expect(() => estimateMean([1, 2], { level })).toThrow(RangeError)
    expect(() => estimateMean([1], { level })).toThrow(RangeError)
  })
})
