import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Result } from '../../src/model/result.ts'
import { type Certainty, certaintyOf } from '../../src/report/certainty.ts'
import { outcomeOf } from '../../src/report/outcome.ts'
import { runOf } from '../support/run-of.ts'
import { trialsOf } from '../support/trials-of.ts'

const certaintyIn = (results: readonly Partial<Result>[]): Certainty => certaintyOf(outcomeOf(runOf(results)).tests)
const scored = (test_id: string, score: number, more: Partial<Result> = {}) => trialsOf(test_id, [score], more)

describe('the pass rate', () => {
  it('has the interval of Wilson: 17 of 20', () => {
    const results = Array.from({ length: 20 }, (_, index) => scored(`t${index}`, index < 17 ? 1 : 0)).flat()
    const { pass_rate } = certaintyIn(results)
    expect([pass_rate?.count, pass_rate?.of]).toEqual([17, 20])
    expect(pass_rate?.interval.low).toBeCloseTo(0.63958, 5)
    expect(pass_rate?.interval.high).toBeCloseTo(0.94763, 5)
  })

  it('counts tests, not attempts: three trials of one test are one', () => {
    expect(certaintyIn([...trialsOf('a', [1, 1, 1]), ...trialsOf('b', [0, 0, 0])]).pass_rate).toMatchObject({
      count: 1,
      of: 2,
    })
  })

  it('a test that is borderline or has an error has not passed', () => {
    const results = [...scored('a', 1), ...scored('b', 0.7), ...trialsOf('c', [null])]
    expect(certaintyIn(results).pass_rate).toMatchObject({ count: 1, of: 3 })
  })
})

describe('the score', () => {
  it('is the mean over tests of the means of their attempts', () => {
    expect(certaintyIn([...trialsOf('a', [1, 1, 1, 1]), ...trialsOf('b', [0, 0.5])]).score?.mean).toBeCloseTo(0.625, 12)
  })

  it('has no interval where all are the same: that does not say how far others would be from them', () => {
    const same = ['a', 'b', 'c'].flatMap(id => scored(id, 1))
    expect(certaintyIn(same).score).toEqual({ mean: 1, interval: undefined })
    expect(certaintyIn([...same, ...scored('d', 0.5)]).score?.interval).toBeDefined()
  })

  it('leaves out what has none: an error is no 0', () => {
    expect(certaintyIn([...scored('a', 1), ...trialsOf('b', [1, null])]).score).toEqual({
      mean: 1,
      interval: undefined,
    })
  })

  it('is not there where no test has one', () => {
    expect(certaintyIn(trialsOf('a', [null])).score).toBeUndefined()
  })

  it('tests of one cluster are one piece of evidence: the standard error is 0.21517, not 0.15076', () => {
    const clusters = [
      [1, 1, 1],
      [0, 0, 0],
      [1, 1, 0],
      [1, 0, 0],
    ]
    const tests = (clustered: (cluster: number) => Partial<Result>) =>
      clusters.flatMap((scores, cluster) =>
        // Small, so that no end of the interval is cut off.
        scores.flatMap((score, index) => scored(`t${cluster}-${index}`, 0.5 + score / 10, clustered(cluster))),
      )
    const half = (results: readonly Partial<Result>[]) => {
      const { mean, interval } = certaintyIn(results).score ?? { mean: 0 }
      return (interval?.high ?? 0) - mean
    }
    // 3 and 11 degrees of freedom.
    expect(half(tests(cluster => ({ metadata: { cluster } })))).toBeCloseTo(3.182446 * 0.021517, 5)
    expect(half(tests(cluster => ({ conversation_id: `c${cluster}` })))).toBeCloseTo(3.182446 * 0.021517, 5)
    expect(half(tests(() => ({})))).toBeCloseTo(2.200985 * 0.015076, 5)
  })

  it('one name for a cluster in two suites is two clusters', () => {
    const results = ['a', 'b', 'c'].flatMap((suite, index) =>
      scored(suite, index / 2, { suite, metadata: { cluster: 'one' } }),
    )
    expect(certaintyIn(results).score?.interval).toBeDefined()
    expect(certaintyIn(results.map(result => ({ ...result, suite: 'a' }))).score?.interval).toBeUndefined()
  })

  it('its interval does not go beyond what a score can be', () => {
    expect(certaintyIn([...scored('a', 1), ...scored('b', 0.9)]).score?.interval?.high).toBe(1)
    expect(certaintyIn([...scored('a', 0), ...scored('b', 0.1)]).score?.interval?.low).toBe(0)
  })
})

describe('trials', () => {
  it('pass^k and pass@k are means over the tests', () => {
    const { trials } = certaintyIn([
      ...trialsOf('a', [1, 1, 1]),
      ...trialsOf('b', [1, 0, 1]),
      ...trialsOf('c', [0, 0, 0]),
    ])
    expect(trials).toEqual({ k: 3, tests: 3, pass_hat_k: 1 / 3, pass_at_k: 2 / 3, flaky: 1 })
  })

  it('are those of the tests with the most of them', () => {
    const { trials } = certaintyIn([...trialsOf('a', [1, 1, 1]), ...trialsOf('b', [0, 1])])
    expect(trials).toEqual({ k: 3, tests: 1, pass_hat_k: 1, pass_at_k: 1, flaky: 1 })
  })

  it('flaky is a test whose attempts disagree in their verdict, not in their score', () => {
    const flaky = (...scores: (number | null)[]) => certaintyIn(trialsOf('a', scores)).trials?.flaky
    expect([flaky(1, 0.9), flaky(1, 0.7), flaky(1, null), flaky(0, 0.1), flaky(1)]).toEqual([0, 1, 1, 0, 0])
  })

  it('there are none where nothing was run', () => {
    expect(certaintyIn([])).toEqual({ pass_rate: undefined, score: undefined, trials: undefined })
  })
})

it('intervals contain their estimate, and pass^k ≤ the rate of passes ≤ pass@k', () => {
  const test = fc.tuple(
    fc.array(fc.option(fc.constantFrom(0, 0.3, 0.6, 0.8, 1), { nil: null, freq: 10 }), { minLength: 1, maxLength: 5 }),
    fc.option(fc.nat(3), { nil: undefined }),
  )
  const within = (value: number, interval: { low: number; high: number } | undefined) =>
    !interval || (interval.low <= value + 1e-12 && value <= interval.high + 1e-12)
  fc.assert(
    fc.property(fc.array(test, { minLength: 1, maxLength: 12 }), tests => {
      const results = tests.flatMap(([scores, cluster], index) =>
        trialsOf(`t${index}`, scores, cluster === undefined ? {} : { metadata: { cluster } }),
      )
      const { pass_rate, score, trials } = certaintyIn(results)
      expect(within((pass_rate?.count ?? 0) / (pass_rate?.of ?? 1), pass_rate?.interval)).toBe(true)
      if (score) expect(within(score.mean, score.interval)).toBe(true)
      const tried = tests.filter(([scores]) => scores.length === trials?.k)
      const passes = tried.map(
        ([scores]) => scores.filter(score => score !== null && score >= 0.8).length / scores.length,
      )
      const p = passes.reduce((sum, rate) => sum + rate, 0) / tried.length
      expect((trials?.pass_hat_k ?? 1) <= p + 1e-12).toBe(true)
      expect((trials?.pass_at_k ?? 0) >= p - 1e-12).toBe(true)
    }),
  )
})
