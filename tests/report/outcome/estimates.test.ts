import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Result } from '../../../src/model/result.ts'
import { type Estimates, estimatesOf } from '../../../src/report/outcome/estimates.ts'
import { outcomeOf } from '../../../src/report/outcome/run-outcome.ts'
import { runOf, trialsOf } from '../../support/recorded-run.ts'

const certaintyIn = (results: readonly Partial<Result>[]): Estimates => estimatesOf(outcomeOf(runOf(results)).tests)
const scored = (test_id: string, score: number, more: Partial<Result> = {}) => trialsOf(test_id, [score], more)

describe('the pass rate', () => {
  it('has a Wilson interval: 17 of 20', () => {
    const results = Array.from({ length: 20 }, (_, index) => scored(`t${index}`, index < 17 ? 1 : 0)).flat()
    const { pass_rate } = certaintyIn(results)
    expect(pass_rate).toMatchObject({ rate: 0.85, tests: 20, attempts: 20 })
    expect(pass_rate?.interval?.low).toBeCloseTo(0.63958, 5)
    expect(pass_rate?.interval?.high).toBeCloseTo(0.94763, 5)
  })

  it('averages the share of passed attempts over the tests', () => {
    const rateOf = (...results: Partial<Result>[][]) => certaintyIn(results.flat()).pass_rate
    expect(rateOf(trialsOf('a', [1, 1, 1]), trialsOf('b', [0, 0, 0]))).toMatchObject({
      rate: 0.5,
      tests: 2,
      attempts: 6,
    })
    expect(rateOf(trialsOf('a', [1, 1, 0, 1]), trialsOf('b', [0]))).toMatchObject({
      rate: 0.375,
      tests: 2,
      attempts: 5,
    })
  })

  it('counts borderline and errored attempts as not passed', () => {
    const results = [...scored('a', 1), ...scored('b', 0.7), ...trialsOf('c', [null, 1])]
    expect(certaintyIn(results).pass_rate).toMatchObject({ rate: 0.5, tests: 3, attempts: 4 })
  })

  it('has no interval for one test, or for one cluster', () => {
    expect(certaintyIn(trialsOf('a', [1, 0, 1])).pass_rate?.interval).toBeUndefined()
    const cluster = ['a', 'b'].flatMap(id => scored(id, 1, { metadata: { cluster: 'one' } }))
    expect(certaintyIn(cluster).pass_rate?.interval).toBeUndefined()
  })
})

describe('the score', () => {
  it('is the mean over tests of the means of their attempts', () => {
    expect(certaintyIn([...trialsOf('a', [1, 1, 1, 1]), ...trialsOf('b', [0, 0.5])]).score?.mean).toBeCloseTo(0.625, 12)
  })

  it('has an interval if all scores are equal, but not for a single test', () => {
    const same = ['a', 'b', 'c'].flatMap(id => scored(id, 1))
    const { score } = certaintyIn(same)
    expect(score).toMatchObject({ mean: 1, tests: 3, interval: { high: 1 } })
    // 3 / (3 + t²) with 2 degrees of freedom.
    expect(score?.interval?.low).toBeCloseTo(0.13945, 5)
    expect(certaintyIn(scored('a', 1)).score).toEqual({ mean: 1, tests: 1, interval: undefined })
  })

  it('leaves out errors instead of counting them as 0', () => {
    const results = [...scored('a', 0.5), ...trialsOf('b', [1, null]), ...trialsOf('c', [null])]
    expect(certaintyIn(results).score).toMatchObject({ mean: 0.75, tests: 2 })
  })

  it('is undefined if no test has one', () => {
    expect(certaintyIn(trialsOf('a', [null])).score).toBeUndefined()
  })

  it('has a wider interval if tests share clusters, like the pass rate', () => {
    const clusters = [
      [1, 1, 1],
      [0, 0, 0],
      [1, 1, 0],
      [1, 0, 0],
    ]
    const intervals = (scoreOf: (value: number) => number, clustered: (cluster: number) => Partial<Result>) => {
      const { pass_rate, score } = certaintyIn(
        clusters.flatMap((values, cluster) =>
          values.flatMap((value, index) => scored(`t${cluster}-${index}`, scoreOf(value), clustered(cluster))),
        ),
      )
      return [pass_rate?.interval, score?.interval].map(found => [found?.low.toFixed(5), found?.high.toFixed(5)])
    }
    const [near, whole] = [(value: number) => 0.5 + value / 10, (value: number) => value]
    const ways = [
      (cluster: number) => ({ metadata: { cluster } }),
      (cluster: number) => ({ conversation_id: `c${cluster}` }),
    ]
    for (const clustered of ways) {
      // The Wilson interval of 0.55 in 4 clusters with 3 degrees of freedom.
      expect(intervals(near, clustered)[1]).toEqual(['0.09141', '0.93690'])
      // Of 0.5 in 7.2 tests: the standard error is 0.21517.
      expect(intervals(whole, clustered)[0]).toEqual(['0.11774', '0.88226'])
    }
    // Of 0.55 in 18 tests with 11 degrees of freedom, and of 6 of 12.
    expect(intervals(near, () => ({}))[1]).toEqual(['0.31006', '0.76874'])
    expect(intervals(whole, () => ({}))[0]).toEqual(['0.25378', '0.74622'])
  })

  it('treats the same cluster name in two suites as two clusters', () => {
    const results = ['a', 'b', 'c'].flatMap((suite, index) =>
      scored(suite, index / 2, { suite, metadata: { cluster: 'one' } }),
    )
    expect(certaintyIn(results).score?.interval).toBeDefined()
    expect(certaintyIn(results.map(result => ({ ...result, suite: 'a' }))).score?.interval).toBeUndefined()
  })

  it('has an interval within 0 and 1', () => {
    const { high = 2 } = certaintyIn([...scored('a', 1), ...scored('b', 0.9)]).score?.interval ?? {}
    const { low = -1 } = certaintyIn([...scored('a', 0), ...scored('b', 0.1)]).score?.interval ?? {}
    expect(high).toBeCloseTo(0.99997, 5)
    expect(low).toBeCloseTo(0.00003, 5)
  })
})

describe('trials', () => {
  it('averages pass^k and pass@k over the tests', () => {
    const { trials } = certaintyIn([
      ...trialsOf('a', [1, 1, 1]),
      ...trialsOf('b', [1, 0, 1]),
      ...trialsOf('c', [0, 0, 0]),
    ])
    expect(trials).toEqual({ k: 3, most: 3, pass_hat_k: 1 / 3, pass_at_k: 2 / 3, flaky: 1 })
  })

  it('uses the number of trials that every test has', () => {
    const { trials } = certaintyIn([...trialsOf('a', [1, 1, 1]), ...trialsOf('b', [0, 1])])
    expect(trials).toEqual({ k: 2, most: 3, pass_hat_k: 0.5, pass_at_k: 1, flaky: 1 })
  })

  it('calls a test flaky if its verdicts differ, not if only its scores do', () => {
    const flaky = (...scores: (number | null)[]) => certaintyIn(trialsOf('a', scores)).trials?.flaky
    expect([flaky(1, 0.9), flaky(1, 0.7), flaky(1, null), flaky(0, 0.1), flaky(1)]).toEqual([0, 1, 1, 0, 0])
  })

  it('is undefined if no test was run', () => {
    expect(certaintyIn([])).toEqual({ pass_rate: undefined, score: undefined, trials: undefined })
  })
})

it('intervals contain their estimate and stay within 0..1, and pass^k ≤ the pass rate ≤ pass@k', () => {
  const test = fc.tuple(
    fc.array(fc.option(fc.constantFrom(0, 0.3, 0.6, 0.8, 1), { nil: null, freq: 10 }), { minLength: 1, maxLength: 5 }),
    fc.option(fc.nat(3), { nil: undefined }),
  )
  const within = (value: number, interval: { low: number; high: number } | undefined) =>
    !interval ||
    (0 <= interval.low && interval.low <= value + 1e-12 && value <= interval.high + 1e-12 && interval.high <= 1)
  fc.assert(
    fc.property(fc.array(test, { minLength: 1, maxLength: 12 }), tests => {
      const results = tests.flatMap(([scores, cluster], index) =>
        trialsOf(`t${index}`, scores, cluster === undefined ? {} : { metadata: { cluster } }),
      )
      const { pass_rate, score, trials } = certaintyIn(results)
      const passes = tests.map(
        ([scores]) => scores.filter(score => score !== null && score >= 0.8).length / scores.length,
      )
      const p = passes.reduce((sum, rate) => sum + rate, 0) / tests.length
      expect(pass_rate?.rate).toBeCloseTo(p, 12)
      expect(within(p, pass_rate?.interval)).toBe(true)
      if (score) expect(within(score.mean, score.interval)).toBe(true)
      expect(trials?.k).toBe(Math.min(...tests.map(([scores]) => scores.length)))
      expect((trials?.pass_hat_k ?? 1) <= p + 1e-12).toBe(true)
      expect((trials?.pass_at_k ?? 0) >= p - 1e-12).toBe(true)
    }),
  )
})
