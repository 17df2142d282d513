import { describe, expect, it } from 'vitest'
import { PLAIN } from '../../../src/lib/palette.ts'
import { type CompareGateOptions, evaluateCompareGate, type Gaps } from '../../../src/report/compare/compare-gate.ts'
import { type Comparison, compareSides } from '../../../src/report/compare/comparison.ts'
import { compareGateText } from '../../../src/report/compare/text/run-comparison-text.ts'
import { compared, type Scored, sideOf, singles, times } from './sides.ts'

const NONE = { fail_on_regression: false, fail_on_new_failures: false, require_conclusive: false }
const REGRESSION = { ...NONE, fail_on_regression: true }
const NEW_FAILURES = { ...NONE, fail_on_new_failures: true }
const CONCLUSIVE = { ...NONE, require_conclusive: true }
const ALL = { fail_on_regression: true, fail_on_new_failures: true, require_conclusive: true }
const NO_GAPS: Gaps = { unfinished_runs: [], partial_runs: [], missing_targets: [] }
const PARTIAL: Gaps = { ...NO_GAPS, unfinished_runs: ['r1'] }

const gateOf = (comparison: Comparison | readonly Comparison[], gates: CompareGateOptions, gaps = NO_GAPS) =>
  evaluateCompareGate([comparison].flat(), gaps, gates)

/** What the text of a gate is made of. */
const comparedBy = (comparison: Comparison, gates: CompareGateOptions, gaps = NO_GAPS) => ({
  gate: gateOf(comparison, gates, gaps),
  comparisons: [comparison],
  selection: undefined,
})

const GOOD = singles(times([40, 1]))
const WORSE = compared(GOOD, singles(times([10, 0], [30, 1])))
const BETTER = compared(singles(times([10, 0], [30, 1])), GOOD)
const UNCLEAR = compared(GOOD, singles(times([2, 0], [38, 1])))
const EMPTY = compared({ a: [1] }, { b: [1] })
const SAME_RUN = compareSides(
  [
    [
      { ...sideOf('r1', GOOD), run_id: 'r1' },
      { ...sideOf('r1', GOOD), run_id: 'r1' },
    ],
  ],
  0.2,
)
const crashing = (count: number): Record<string, Scored> =>
  Object.fromEntries(Object.keys(GOOD).map((id, index) => [id, [index < count ? null : 1]]))

describe('without a gate', () => {
  it('everything passes except an empty comparison', () => {
    for (const comparison of [WORSE, BETTER, UNCLEAR]) expect(gateOf(comparison, NONE, PARTIAL).result).toBe('passed')
    expect(gateOf(SAME_RUN, NONE).result).toBe('passed')
    expect(gateOf(EMPTY, NONE).result).toBe('nothing to compare')
    expect(gateOf([EMPTY, BETTER], NONE).result).toBe('passed')
  })
})

describe('--require-better', () => {
  const REQUIRED = { ...NONE, require_better: true }
  const SAME = compared(GOOD, GOOD, 0.5)

  it('passes only if every comparison is better', () => {
    expect(gateOf(BETTER, REQUIRED)).toEqual({ result: 'passed', reasons: [] })
    expect(gateOf(WORSE, REQUIRED)).toEqual({ result: 'failed', reasons: ['worse, but better is required'] })
    expect(gateOf([BETTER, WORSE], REQUIRED).result).toBe('failed')
    expect(gateOf([BETTER, UNCLEAR], REQUIRED).result).toBe('inconclusive')
    expect(gateOf(EMPTY, REQUIRED).result).toBe('nothing to compare')
    expect(gateOf(BETTER, REQUIRED, PARTIAL).result).toBe('incomplete')
  })

  it('fails if both sides are equivalent, which the other gates accept', () => {
    expect(SAME.verdict).toBe('equivalent')
    expect(gateOf(SAME, REQUIRED)).toEqual({ result: 'failed', reasons: ['equivalent, but better is required'] })
    expect(gateOf(SAME, REGRESSION)).toEqual({ result: 'passed', reasons: [] })
    expect(gateOf(SAME, CONCLUSIVE)).toEqual({ result: 'passed', reasons: [] })
  })
})

describe('--fail-on-regression', () => {
  it('fails if the second side is worse, and passes otherwise', () => {
    expect(gateOf(WORSE, REGRESSION)).toEqual({ result: 'failed', reasons: ['worse'] })
    expect(gateOf(BETTER, REGRESSION)).toEqual({ result: 'passed', reasons: [] })
    expect(gateOf(UNCLEAR, REGRESSION).result).toBe('passed')
  })

  it('fails if errors rose, even by one attempt', () => {
    expect(gateOf(compared(GOOD, crashing(1)), REGRESSION)).toEqual({
      result: 'failed',
      reasons: ['errors rose (0 → 1)'],
    })
    expect(gateOf(compared(crashing(2), crashing(1)), REGRESSION).result).toBe('passed')
  })

  it('fails if errors rose, even if the second side is better', () => {
    const before = singles(times([20, 0]))
    const after = Object.fromEntries(Object.keys(before).map((id, index) => [id, [index < 8 ? 1 : null]]))
    const comparison = compared(before, after)
    expect([comparison.verdict, gateOf(comparison, REGRESSION).result]).toEqual(['better', 'failed'])
  })

  it('fails if a single test broke', () => {
    const trials = (passed: number) => ({ a: times([passed, 1], [6 - passed, 0]), b: times([6, 1]) })
    const comparison = compared(trials(6), trials(0))
    expect(gateOf(comparison, REGRESSION)).toEqual({ result: 'failed', reasons: ['1 test broke'] })
  })

  it('fails if errors counted as failures make it worse, even without additional errors', () => {
    const sides = (scoreOf: (index: number) => number | null): Record<string, Scored> =>
      Object.fromEntries(Object.keys(GOOD).map((id, index) => [id, [scoreOf(index)]]))
    // Of the passed tests, four now fail and three crash, while three other tests no longer crash.
    const before = sides(index => (index >= 37 ? null : 1))
    const after = sides(index => (index >= 37 || index < 4 ? 0 : index < 7 ? null : 1))
    const comparison = compared(before, after)
    expect(comparison).toMatchObject({ verdict: 'inconclusive', errors_decide: true, errors_rose: false })
    expect(gateOf(comparison, REGRESSION)).toEqual({
      result: 'failed',
      reasons: ['worse where errors count as failures'],
    })
  })

  it('names the side if there are several', () => {
    const sides = (after: Record<string, Scored>, label: string) => [sideOf('a', GOOD), sideOf(label, after)] as const
    const comparisons = compareSides([sides(GOOD, 'b'), sides(singles(times([20, 0], [20, 1])), 'c')], 0)
    expect(gateOf(comparisons, REGRESSION).reasons).toEqual(['c: worse'])
  })
})

describe('--fail-on-new-failures', () => {
  const verdicts = { passes: [1], fails: [1], middling: [1], crashes: [1], failed: [0], changed: [1], gone: [1] }
  const now = {
    passes: [0.9],
    fails: [0],
    middling: [0.7],
    crashes: [null],
    failed: [0],
    changed: { scores: [0], test_hash: 'other' },
    new: [0],
  }
  const comparison = compared(verdicts, now)

  it('lists each test that passed before and does not now, also changed tests', () => {
    expect(comparison.new_failures).toEqual([
      { suite: 'suite', test_id: 'fails', verdict: 'fail', is_changed: false },
      { suite: 'suite', test_id: 'middling', verdict: 'borderline', is_changed: false },
      { suite: 'suite', test_id: 'crashes', verdict: 'error', is_changed: false },
      { suite: 'suite', test_id: 'changed', verdict: 'fail', is_changed: true },
    ])
    expect(gateOf(comparison, NEW_FAILURES)).toEqual({ result: 'failed', reasons: ['4 new failures'] })
    expect(
      compareGateText(comparedBy(comparison, NEW_FAILURES), NEW_FAILURES, PLAIN),
    ).toBe(`quality gate failed: 4 new failures
  new failure suite fails pass → fail
  new failure suite middling pass → borderline
  new failure suite crashes pass → error
  new failure suite changed pass → fail (changed)
`)
  })

  it('fails on one test of forty, without statistics', () => {
    const one = compared(GOOD, singles(times([1, 0], [39, 1])))
    expect([gateOf(one, REGRESSION).result, gateOf(one, NEW_FAILURES).result]).toEqual(['passed', 'failed'])
  })

  it('can be combined with --fail-on-regression', () => {
    expect(gateOf(WORSE, ALL)).toEqual({ result: 'failed', reasons: ['worse', '10 new failures'] })
  })

  it('passes if every test that passed still does', () => {
    expect(gateOf(BETTER, NEW_FAILURES)).toEqual({ result: 'passed', reasons: [] })
  })
})

describe('--require-conclusive', () => {
  it('fails if a comparison is inconclusive, and passes if it is equivalent', () => {
    expect(gateOf(UNCLEAR, CONCLUSIVE)).toEqual({ result: 'inconclusive', reasons: ['inconclusive'] })
    expect(gateOf(WORSE, CONCLUSIVE).result).toBe('passed')
    expect(gateOf(compared(GOOD, GOOD, 0.1), CONCLUSIVE).result).toBe('passed')
    expect(gateOf(UNCLEAR, { ...CONCLUSIVE, fail_on_regression: true }).result).toBe('inconclusive')
    expect(gateOf(WORSE, { ...CONCLUSIVE, fail_on_regression: true }).result).toBe('failed')
  })
})

describe('every gate fails closed', () => {
  const gates = [REGRESSION, NEW_FAILURES, CONCLUSIVE, ALL]

  it('if a run is compared with itself', () => {
    for (const each of gates)
      expect(gateOf(SAME_RUN, each)).toEqual({ result: 'same run', reasons: ['both sides are the same run'] })
  })

  it('if a run is partial or lacks a target, unless it fails anyway', () => {
    for (const each of gates)
      expect(gateOf(BETTER, each, PARTIAL)).toEqual({ result: 'incomplete', reasons: ['r1 is partial'] })
    expect(gateOf(BETTER, REGRESSION, { ...NO_GAPS, missing_targets: [{ run: 'r2', target: 'small' }] })).toEqual({
      result: 'incomplete',
      reasons: ['r2 does not have the target small'],
    })
    expect(gateOf(WORSE, REGRESSION, PARTIAL).result).toBe('failed')
  })

  it('if the second run lacks tests of the first because of a filter', () => {
    const partial_runs = [{ name: 'r2', part: '2 of 8 tests selected (--tag smoke)', gone: 6 }]
    for (const each of gates)
      expect(gateOf(BETTER, each, { ...NO_GAPS, partial_runs })).toEqual({
        result: 'incomplete',
        reasons: ['r2 is partial: 2 of 8 tests selected (--tag smoke); it lacks 6 tests of the first run'],
      })
    expect(gateOf(BETTER, NONE, { ...NO_GAPS, partial_runs }).result).toBe('passed')
  })

  it('if any comparison has no common tests', () => {
    for (const each of gates) expect(gateOf([BETTER, EMPTY], each)).toMatchObject({ result: 'nothing to compare' })
  })
})

describe('the text of a gate', () => {
  const textOf = (comparison: Comparison, gates: CompareGateOptions, gaps = NO_GAPS) =>
    compareGateText(comparedBy(comparison, gates, gaps), gates, PLAIN)

  it('says of which tests, if not of all', () => {
    const selection = { selected: 12, available: 40, by: '--tag billing' }
    const text = compareGateText({ ...comparedBy(BETTER, REGRESSION), selection }, REGRESSION, PLAIN)
    expect(text).toBe('of 40 tests, 12 selected by --tag billing: quality gate passed\n')
  })

  it('shows the result and the reasons if a gate is requested', () => {
    expect(textOf(WORSE, NONE)).toBe('')
    expect(textOf(BETTER, REGRESSION)).toBe('quality gate passed\n')
    expect(textOf(compared(GOOD, crashing(12)), REGRESSION)).toBe(
      'quality gate failed: worse where errors count as failures; errors rose (0 → 12)\n',
    )
    expect(textOf(BETTER, REGRESSION, PARTIAL)).toBe('quality gate cannot pass (incomplete): r1 is partial\n')
  })
})
