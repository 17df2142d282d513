import type { Decision } from '../../model/decision.ts'
import { type Estimates, estimatesOf } from '../outcome/estimates.ts'
import { type TestOutcome, withoutReruns } from '../outcome/test-outcome.ts'
import { type Analysis, analysesOf, type ComparisonVerdict, type Sample, sampleOf } from './analysis.ts'
import type { Evidence } from './evidence.ts'
import { type Pair, type PairedTests, pairTests } from './pair-tests.ts'
import { detectableDifference, type RequiredSample, requiredSample } from './power.ts'
import {
  type BrokenTests,
  type ErrorCounts,
  errorCounts,
  findBrokenTests,
  findNewFailures,
  hasError,
  haveErrorsRisen,
  type NewFailure,
} from './test-changes.ts'
import { type UsageDifferences, usageDifferences } from './usage-difference.ts'

/** One side of a comparison: the tests of a target in a run. */
export interface Side {
  /** Label for people: the run, the target, or both. */
  readonly label: string
  readonly run?: string | undefined
  readonly target?: string | undefined
  readonly run_id?: string | undefined
  readonly tests: readonly TestOutcome[]
  /** Results that the run has carried over: no evidence. */
  readonly carried?: readonly TestOutcome[] | undefined
}

/** The comparison of two sides. */
export interface Comparison extends PairedTests, BrokenTests, UsageDifferences {
  readonly before: SideEstimates
  readonly after: SideEstimates
  readonly margin: number
  /** Evidence from all pairs, with errors as 0; undefined without pairs. */
  readonly evidence: Evidence | undefined
  /** Evidence from the share of passed attempts. */
  readonly pass_evidence: Evidence | undefined
  /** Each p, adjusted for everything that is tested at once. */
  readonly adjusted_p: number | undefined
  readonly pass_adjusted_p: number | undefined
  readonly verdict: ComparisonVerdict
  /** Verdicts by the values alone and by the pass rate alone. */
  readonly value_verdict: ComparisonVerdict
  readonly pass_verdict: ComparisonVerdict
  /** Combined verdict before `without_errors` is considered. */
  readonly verdict_with_errors: ComparisonVerdict
  /** Analysis of the pairs without errors; undefined if no pair has errors. */
  readonly without_errors: Analysis | undefined
  /** Whether the verdict is inconclusive because it depends on errors. */
  readonly errors_decide: boolean
  readonly errors: ErrorCounts
  readonly errors_rose: boolean
  readonly new_failures: readonly NewFailure[]
  /** The smallest true difference that these tests detect with 80 % power. */
  readonly detectable: number | undefined
  /** The sample required for a verdict, if inconclusive. */
  readonly needed: RequiredSample | undefined
  /** Whether a run is compared with itself. */
  readonly is_same_run: boolean
  /** What a run until decided decided, in place of an analysis of the whole sample; undefined for other runs. */
  readonly decision?: Decision | undefined
}

/** Estimates of one side over the paired tests. */
export interface SideEstimates extends Estimates, Pick<Side, 'label' | 'run' | 'target'> {}

/** Compares several pairs of sides at once. */
export function compareSides(sides: readonly (readonly [Side, Side])[], margin: number): Comparison[] {
  return comparePaired(
    sides,
    sides.map(([before, after]) => pairTests(before.tests, after.tests, after)),
    margin,
  )
}

/** Compares sides whose tests are paired already. */
export function comparePaired(
  sides: readonly (readonly [Side, Side])[],
  paired: readonly PairedTests[],
  margin: number,
): Comparison[] {
  const samples = paired.map(({ pairs }) => sampleOf(pairs, margin))
  const withoutErrors = paired.map(({ pairs }, index) => {
    const answered = pairs.filter(pair => !hasError(pair))
    return answered.length < pairs.length ? sampleOf(answered, margin) : (samples[index] as Sample)
  })
  const analyses = analysesOf(samples, margin)
  const others = analysesOf(withoutErrors, margin)
  const broken = findBrokenTests(paired.map(({ pairs }) => pairs))
  return sides.map((pair, index) =>
    comparisonOf(pair, margin, {
      paired: paired[index] as PairedTests,
      first: analyses[index] as Analysis,
      second: others[index] as Analysis,
      broken: broken[index] as BrokenTests,
    }),
  )
}

interface Findings {
  readonly paired: PairedTests
  /** Analyses of all pairs, and of the pairs without errors. */
  readonly first: Analysis
  readonly second: Analysis
  readonly broken: BrokenTests
}

function comparisonOf(
  [before, after]: readonly [Side, Side],
  margin: number,
  { paired, first, second, broken }: Findings,
): Comparison {
  const { pairs } = paired
  const { tests, verdict: verdict_with_errors, ...found } = first
  // A baseline keeps the lines of equal results, so that what is left to compare has been selected by its outcome.
  const is_same_run = isSameRun(before, after) || paired.same_results > 0
  const errors_decide = verdict_with_errors !== second.verdict
  const verdict = is_same_run || errors_decide ? 'inconclusive' : verdict_with_errors
  return {
    before: sideEstimates(before, pairs, 0),
    after: sideEstimates(after, pairs, 1),
    margin,
    ...found,
    verdict,
    verdict_with_errors,
    without_errors: second.tests < tests ? second : undefined,
    errors_decide,
    errors: errorCounts(pairs),
    errors_rose: haveErrorsRisen(pairs),
    detectable: found.evidence && detectableDifference(found.evidence, pairs),
    needed: verdict === 'inconclusive' && found.evidence ? requiredSample(pairs, found.evidence, margin) : undefined,
    ...broken,
    new_failures: findNewFailures(paired),
    ...usageDifferences(pairs),
    ...paired,
    is_same_run,
  }
}

function sideEstimates({ label, run, target }: Side, pairs: readonly Pair[], side: 0 | 1): SideEstimates {
  return { label, run, target, ...estimatesOf(pairs.map(({ outcomes }) => withoutReruns(outcomes[side]))) }
}

/** Whether both sides have equal results of one run; an earlier state of a run has different ones. */
function isSameRun(before: Side, after: Side): boolean {
  if (before.run_id === undefined || before.run_id !== after.run_id) return false
  if (before.tests.length !== after.tests.length) return false
  return before.tests.every((test, index) => {
    const other = after.tests[index]
    return other !== undefined && hasFiguresOf(test, other) && hasFiguresOf(other, test)
  })
}

/** Whether a test has all figures of another. Its attempts are not compared. */
function hasFiguresOf(test: TestOutcome, other: TestOutcome): boolean {
  for (const key in other) {
    if (key === 'results') continue
    const [one, another] = [test[key as keyof TestOutcome], other[key as keyof TestOutcome]]
    if (one !== another && JSON.stringify(one) !== JSON.stringify(another)) return false
  }
  return true
}

/** A comparison as JSON data, without single attempts. */
export function comparisonData({ pairs, changed, ...comparison }: Comparison) {
  return {
    ...comparison,
    pairs: pairs.map(({ outcomes, ...pair }) => pair),
    changed: changed.map(({ outcomes, ...test }) => test),
  }
}
