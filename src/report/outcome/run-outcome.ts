import type { Decision } from '../../model/decision.ts'
import { isQuarantined } from '../../model/mark.ts'
import type { ResultFacts, RunReader } from '../../model/run-reader.ts'
import type { Verdict } from '../../model/verdict.ts'
import { testIdentity } from '../test-identity.ts'
import { AttemptTotals } from './attempt-totals.ts'
import type { TargetCorrection } from './corrected/correction.ts'
import { type FailedTest, type FailedTrials, groupFailedTrials } from './failed-trials.ts'
import { type InapplicableTests, inapplicableTests } from './inapplicable-tests.ts'
import type { MarkedOutcome } from './marked-tests.ts'
import { PairCounts, type PairedAnswers } from './paired-answers.ts'
import { partialRunText } from './partial-run.ts'
import { savedOutcome } from './saved-outcome.ts'
import type { SkillTriggers } from './skill-triggers.ts'
import { type TestOutcome, TestOutcomes } from './test-outcome.ts'
import { TriggerRates } from './trigger-rates.ts'

export type Counts = Readonly<Record<Verdict, number>>

/** The outcome of a run, shared by all commands and reports. */
export interface Outcome extends MarkedOutcome {
  /** Tests by verdict. */
  readonly counts: Counts
  /** Planned tests, counted per target, without those in quarantine. */
  readonly planned_tests: number
  /** Planned tests, counted once over all targets. */
  readonly distinct_tests: number
  /** Targets to which tests or checks do not apply. */
  readonly not_applicable: readonly InapplicableTests[]
  /** Tests whose results were carried over from an earlier run; undefined if all tests were run. */
  readonly carried: CarriedTests | undefined
  /** Planned attempts without a result. */
  readonly not_run: number
  /** Describes a partial run; undefined for a complete one. */
  readonly partial: string | undefined
  /** What the run decided; empty for a run that decides nothing. */
  readonly decisions: readonly Decision[]
  /** Number of attempts that finished after the decision. */
  readonly late: number
  /** The pass rate of each target as people would give it; undefined without calibrations of its suites. */
  readonly corrections: readonly TargetCorrection[] | undefined
  /** Target files that changed during the run. */
  readonly changed: readonly string[]
  /** Number of unreadable record lines. */
  readonly damaged: number
  readonly reruns: ReturnType<AttemptTotals['rerunsOf']>
  /** Number of answers, and how many came from the cache; both include cached failures. */
  readonly answers: number
  readonly cached: number
  readonly retried: AttemptTotals['retried']
  readonly cost_usd: AttemptTotals['cost_usd']
  readonly judge_usage: AttemptTotals['judge_usage']
  /** Trigger rates of skills; undefined without trigger checks. */
  readonly triggers: readonly SkillTriggers[] | undefined
  /** Comparisons of answers with others; undefined without `pairwise` checks. */
  readonly pairs: PairedAnswers | undefined
  /** Whether an attempt ended in an internal error. */
  readonly has_bug: boolean
  /** The first results that did not pass, trials with the same reasons as one, without failures of a control arm. */
  readonly notable: readonly FailedTrials[]
  /** Number of further results that did not pass. */
  readonly more: number
}

/** Tests that were not run, because nothing that their saved results are made of has changed. */
export interface CarriedTests {
  /** The baseline or run that has the results. */
  readonly from: string
  readonly tests: readonly TestOutcome[]
  readonly counts: Counts
}

/** Maximum number of groups in `notable`. */
const MAX_NOTABLE = 50

export function outcomeOf(run: RunReader): Outcome {
  const outcomes = new TestOutcomes()
  const totals = new AttemptTotals()
  const triggers = new TriggerRates(requestedThreshold(run))
  const pairs = new PairCounts()
  const failed = new Map<readonly ResultFacts[], string[]>()
  for (const facts of run.facts()) {
    totals.add(facts)
    const test = outcomes.add(facts)
    if (!isQuarantined(facts)) triggers.add(facts, test)
    if (!isQuarantined(facts)) pairs.add(facts)
    if (!isNotable(facts)) continue
    const ids = failed.get(test)
    if (ids) ids.push(facts.attempt_id)
    else failed.set(test, [facts.attempt_id])
  }
  const { tests: all } = outcomes
  const notable = groupFailedTrials(failedTests(failed), run, MAX_NOTABLE)
  const tests = all.filter(test => !isQuarantined(test))
  const quarantined = all.filter(isQuarantined)
  const skipped = run.info?.skipped ?? []
  const planned_tests = Math.max(run.planned_tests - quarantined.length, tests.length)
  const decisions = run.info?.decisions ?? []
  // A run that has decided leaves tests out. In others, a test without an attempt is missing even if the number of
  // attempts is right: the records are not those of the plan.
  const isDecided = decisions.length > 0
  return {
    tests,
    quarantined,
    skipped,
    counts: countsOf(tests),
    planned_tests,
    distinct_tests: distinctTests(run, { tests, quarantined, skipped }, planned_tests),
    not_applicable: inapplicableTests(run, tests),
    carried: carriedTests(run),
    not_run: Math.max(run.planned - totals.recorded, isDecided ? 0 : planned_tests - tests.length),
    partial: partialRunText(run, totals.recorded),
    decisions,
    late: run.info?.late_attempts?.length ?? 0,
    corrections: undefined,
    changed: run.info?.changed ?? [],
    damaged: run.damaged ?? 0,
    reruns: totals.rerunsOf(run),
    answers: totals.answers,
    cached: totals.cached,
    retried: totals.retried,
    cost_usd: totals.cost_usd,
    judge_usage: totals.judge_usage,
    triggers: triggers.ratesIn(run),
    pairs: pairs.paired,
    has_bug: totals.has_bug,
    notable: notable.groups,
    more: notable.more,
  }
}

function* failedTests(failed: ReadonlyMap<readonly ResultFacts[], readonly string[]>): Generator<FailedTest> {
  for (const [test, attempt_ids] of failed) yield { attempt_ids, attempts: test.length }
}

/** The outcome of tests whose attempts were not kept. */
export function outcomeOfTests(tests: readonly TestOutcome[]): Outcome {
  return {
    tests,
    quarantined: [],
    skipped: [],
    counts: countsOf(tests),
    planned_tests: tests.length,
    distinct_tests: distinctCount(tests),
    not_applicable: [],
    carried: undefined,
    not_run: 0,
    partial: undefined,
    decisions: [],
    late: 0,
    corrections: undefined,
    changed: [],
    damaged: 0,
    reruns: undefined,
    answers: 0,
    cached: 0,
    retried: undefined,
    cost_usd: undefined,
    judge_usage: undefined,
    triggers: undefined,
    pairs: undefined,
    has_bug: false,
    notable: [],
    more: 0,
  }
}

/** The outcome of all tests, whether they were run or carried over. */
export function withCarried(outcome: Outcome): Outcome {
  const { carried } = outcome
  if (!carried) return outcome
  const counted = carried.tests.filter(test => !isQuarantined(test))
  const tests = [...outcome.tests, ...counted]
  const quarantined = [...outcome.quarantined, ...carried.tests.filter(isQuarantined)]
  const planned_tests = outcome.planned_tests + counted.length
  return { ...outcome, tests, quarantined, counts: countsOf(tests), planned_tests }
}

export function carriedTests({ info }: RunReader): CarriedTests | undefined {
  if (!info?.carried) return undefined
  const tests = info.carried.tests.map(savedOutcome)
  return { from: info.carried.from, tests, counts: countsOf(tests) }
}

/**
 * Whether a result did not pass, though it should. Failures of a control arm are expected; its errors weaken the
 * comparison. Marked tests are listed apart, except for errors of a test that is expected to fail.
 */
export function isNotable(test: Pick<TestOutcome, 'verdict' | 'is_control' | 'mark'>): boolean {
  const { verdict, is_control, mark } = test
  if (isQuarantined(test)) return false
  return verdict === 'error' || (verdict !== 'pass' && !is_control && !mark)
}

/** Estimates the tests without results: only the plan has them, and a shard does not even have that. */
function distinctTests({ info }: RunReader, outcome: MarkedOutcome, planned_tests: number): number {
  const { tests, quarantined, skipped } = outcome
  const targets = new Set(tests.map(({ target }) => target)).size
  const made = targets === 1 ? tests.length : distinctCount(tests)
  const left = planned_tests - tests.length
  if (left === 0) return made
  const even = planned_tests / targets
  const apart = skipped.length + distinctCount(quarantined)
  const planned = info && !info.shard && info.selected_tests !== undefined ? info.selected_tests - apart : undefined
  const likely = planned ?? (Number.isInteger(even) && made <= even ? even : planned_tests)
  return Math.min(Math.max(made, likely), made + left)
}

function distinctCount(tests: readonly TestOutcome[]): number {
  return new Set(tests.map(testIdentity)).size
}

/** Returns the trigger threshold requested for the run. */
function requestedThreshold({ info }: RunReader): number | undefined {
  const threshold = info?.options?.['trigger_threshold']
  return typeof threshold === 'number' ? threshold : undefined
}

export function countsOf(tests: readonly TestOutcome[]): Counts {
  const counts = { pass: 0, borderline: 0, fail: 0, error: 0 }
  for (const { verdict } of tests) counts[verdict]++
  return counts
}
