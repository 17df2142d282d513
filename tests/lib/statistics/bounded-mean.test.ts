import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalQuantile } from '../../../src/lib/statistics/distributions.ts'
import { boundedMean, wilsonInterval } from '../../../src/lib/statistics/intervals.ts'
import { examples } from '../../support/random-examples.ts'
import { NOT_NUMBERS } from './invalid-numbers.ts'
import { INTERVALS } from './vectors/interval.ts'

const scores = fc.oneof(
  fc.constantFrom(0, 1),
  fc.constantFrom(0, 0.5, 1),
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.double({ min: 0.9, max: 0.91, noNaN: true }),
)
const passes = fc.constantFrom(0, 1)
const names = fc.constantFrom('a', 'b', 'c', 'alone 1', undefined)

/** Binary values or scores, in clusters. */
const samples = fc.boolean().chain(isRate =>
  fc.array(fc.tuple(isRate ? passes : scores, names), { minLength: 1, maxLength: 40 }).map(pairs => ({
    values: pairs.map(([value]) => value),
    clusters: pairs.map(([, name]) => name),
    isRate,
  })),
)

describe('the mean of values in 0..1', () => {
  it.each(INTERVALS)('of $title', ({ values, clusters, isRate, low, high, ...expected }) => {
    const actual = boundedMean(values, { clusters, isRate })
    expect(actual.mean).toBeCloseTo(expected.mean, 9)
    expect(actual.standardError).toBeCloseTo(expected.standardError, 9)
    expect(actual.df).toBeCloseTo(expected.df, 9)
    expect(actual.kish).toBeCloseTo(expected.kish, 9)
    expect(actual.effectiveSize).toBeCloseTo(expected.effectiveSize, 9)
    expect(actual.interval?.low).toBeCloseTo(low, 9)
    expect(actual.interval?.high).toBeCloseTo(high, 9)
  })

  it('of a rate without clusters has a Wilson interval', () => {
    for (let n = 2; n <= 60; n++) {
      for (let k = 0; k <= n; k++) {
        const values = Array.from({ length: n }, (_, index) => Number(index < k))
        const { interval, effectiveSize } = boundedMean(values, { isRate: true })
        const { low, high } = wilsonInterval(k / n, n, normalQuantile(0.975))
        expect(effectiveSize).toBeCloseTo(n, 9)
        expect(interval?.low).toBeCloseTo(low, 12)
        expect(interval?.high).toBeCloseTo(high, 12)
      }
    }
  })

  it.each([[['a']], [['a', 'a', 'a']], [[undefined]]])('in %j has no interval', clusters => {
    const values = clusters.map((_, index) => index / 2)
    expect(boundedMean(values, { clusters, isRate: false })).toEqual({
      mean: (values.length - 1) / 4,
      standardError: undefined,
      df: undefined,
      kish: 1,
      effectiveSize: undefined,
      interval: undefined,
    })
  })

  it.each([[[0, 0, 0, 0, 0]], [[1, 1, 1, 1, 1]], [[0.9, 0.9, 0.9, 0.9, 0.9]], [[0.3, 0.1 + 0.2, 0.3, 0.3, 0.3]]])(
    'of equal values %j has the effective size of their number',
    values => {
      expect(boundedMean(values, { isRate: false })).toMatchObject({ standardError: 0, effectiveSize: 5 })
    },
  )

  it.each([
    [Number.MIN_VALUE, 0],
    [1e-300, 1e-301],
    [1e-160, 0],
    [1, 1 - 2 ** -53],
  ])('of %d and %d has an interval', (one, other) => {
    const { interval, effectiveSize } = boundedMean([one, other], { isRate: false })
    expect(effectiveSize).toBeGreaterThanOrEqual(1)
    expect(interval && interval.high - interval.low).toBeGreaterThan(0.5)
  })

  it('of a hundred thousand values', () => {
    const values = Array.from({ length: 100_000 }, (_, index) => index % 2)
    const { interval } = boundedMean(values, { isRate: true })
    expect(interval?.low).toBeCloseTo(0.5 - 1.96 * Math.sqrt(0.25 / 100_000), 6)
  })
})

describe('for any values', () => {
  it('the interval contains the mean, has a width and is within 0..1, unless there is one cluster', () => {
    fc.assert(
      fc.property(samples, ({ values, clusters, isRate }) => {
        const { mean, interval, kish } = boundedMean(values, { clusters, isRate })
        if (!interval) {
          expect(kish).toBe(1)
          return
        }
        const { low, high } = interval
        expect(0 <= low && low <= mean && mean <= high && high <= 1).toBe(true)
        expect(high - low).toBeGreaterThan(0.01)
      }),
      { numRuns: examples(500) },
    )
  })

  it('the effective size is at least 1 and at most that of a rate, or the number of scores', () => {
    fc.assert(
      fc.property(samples, ({ values, clusters, isRate }) => {
        const { effectiveSize = 1, kish } = boundedMean(values, { clusters, isRate })
        const most = isRate ? values.length : kish * Math.max(1, kish / 8)
        expect(effectiveSize >= 1 && effectiveSize <= most).toBe(true)
      }),
    )
  })

  it('neither the order nor the names of clusters matter', () => {
    const shuffled = samples.chain(sample =>
      fc.tuple(
        fc.constant(sample),
        fc.shuffledSubarray([...sample.values.keys()], { minLength: sample.values.length }),
      ),
    )
    fc.assert(
      fc.property(shuffled, ([{ values, clusters, isRate }, order]) => {
        const again = boundedMean(
          order.map(index => values[index] ?? 0),
          { clusters: order.map(index => clusters[index] && `other ${clusters[index]}`), isRate },
        )
        expect(again).toEqual(boundedMean(values, { clusters, isRate }))
      }),
    )
  })

  it('clusters of one each change nothing but the quantile of a rate', () => {
    fc.assert(
      fc.property(samples, ({ values, isRate }) => {
        const clusters = values.map((_, index) => `${index}`)
        const alone = boundedMean(values, { isRate })
        const named = boundedMean(values, { clusters, isRate })
        expect(boundedMean(values, { clusters: values.map(() => undefined), isRate })).toEqual(alone)
        expect({ ...named, interval: undefined }).toEqual({ ...alone, interval: undefined })
        if (!isRate) expect(named).toEqual(alone)
        else if (named.interval) expect(widthOf(named)).toBeGreaterThan(widthOf(alone))
      }),
    )
  })

  it('failures in place of passes mirror the interval', () => {
    fc.assert(
      fc.property(samples, ({ values, clusters, isRate }) => {
        const one = boundedMean(values, { clusters, isRate })
        const other = boundedMean(
          values.map(value => 1 - value),
          { clusters, isRate },
        )
        fc.pre(one.standardError !== undefined && (one.standardError > 1e-9 || one.standardError === 0))
        fc.pre((one.standardError === 0) === (other.standardError === 0))
        expect(other.interval?.low).toBeCloseTo(1 - (one.interval?.high ?? 2), 6)
      }),
    )
  })
})

function widthOf({ interval }: ReturnType<typeof boundedMean>): number {
  return interval ? interval.high - interval.low : 0
}

describe('invalid arguments', () => {
  it('rejects an empty list', () => {
    expect(() => boundedMean([], { isRate: true })).toThrow(new RangeError('There are no numbers.'))
  })

  it.each([...NOT_NUMBERS, -0.01, 1.01])('rejects the value %d', value => {
    expect(() => boundedMean([1, value], { isRate: false })).toThrow(RangeError)
    expect(() => boundedMean([1, value], { isRate: true })).toThrow(RangeError)
  })

  it('rejects a score in a rate', () => {
    expect(() => boundedMean([1, 0.5], { isRate: true })).toThrow(new RangeError('A rate is the mean of 0 and 1: 0.5.'))
  })

  it('rejects clusters of a different length', () => {
    expect(() => boundedMean([1, 0], { clusters: ['a'], isRate: true })).toThrow(
      new RangeError('2 numbers with 1 cluster keys.'),
    )
  })
})
