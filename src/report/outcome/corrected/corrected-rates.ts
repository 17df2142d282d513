import { groupBy } from '../../../lib/collections.ts'
import { calibratedRate, type TestShares } from '../../../lib/statistics/calibrated-rate.ts'
import { plural } from '../../../lib/text/format.ts'
import type { KnownCalibration } from '../../../model/calibration.ts'
import type { ResultFacts, RunReader } from '../../../model/run-reader.ts'
import { passShareWithoutReruns } from '../estimates.ts'
import { type Outcome, outcomeOf } from '../run-outcome.ts'
import type { TestOutcome } from '../test-outcome.ts'
import { CalibrationFinder, groupKey } from './calibration-freshness.ts'
import { type CorrectedGroup, correctGroup } from './corrected-group.ts'
import type { Correction, LabelCounts, TargetCorrection } from './correction.ts'
import { countedAttempts, JudgedAttempts, type JudgedGroup } from './judged-attempts.ts'
import { type Refusal, refusalText } from './refusals.ts'

/** The outcome of a run, with the corrections of its pass rates if a suite has a calibration. */
export function correctedOutcome(run: RunReader, calibrations: readonly KnownCalibration[] = []): Outcome {
  const outcome = outcomeOf(run)
  if (calibrations.length === 0) return outcome
  const suites = new Set(calibrations.map(({ suite }) => suite))
  const isConcerned = outcome.tests.some(({ suite }) => suites.has(suite))
  return isConcerned ? { ...outcome, corrections: correctedRates(run, outcome.tests, calibrations) } : outcome
}

/** The correction of each target, never pooled: labels of one target say nothing about another. */
export function correctedRates(
  run: RunReader,
  tests: readonly TestOutcome[],
  calibrations: readonly KnownCalibration[],
): readonly TargetCorrection[] {
  const attempts = new JudgedAttempts(run, calibrations)
  const finder = new CalibrationFinder(calibrations, tests, attempts)
  const name = run.info?.run_id ?? 'RUN'
  return [...groupBy(tests, ({ target }) => target)].map(([target, group]) => ({
    target,
    ...correctTarget(group, { attempts, finder, name }),
  }))
}

interface ReadRun {
  readonly attempts: JudgedAttempts
  readonly finder: CalibrationFinder
  /** How the run is named in commands. */
  readonly name: string
}

function correctTarget(tests: readonly TestOutcome[], { attempts, finder, name }: ReadRun): Correction {
  const groups = judgedGroups(tests, attempts)
  if (groups.length === 0) return { kind: 'exact' }
  const found = groups.map(group => ({ group, freshness: finder.freshnessFor(group) }))
  if (found.every(({ freshness }) => freshness.kind === 'missing'))
    return { kind: 'uncalibrated', suites: [...new Set(groups.map(({ suite }) => suite))] }
  const unjudged = tests.flatMap(countedAttempts).filter(isUnjudged).length
  if (unjudged > 0)
    return {
      kind: 'refused',
      reasons: [`${plural(unjudged, 'answer')} could not be judged; grade them again with \`assay grade ${name}\``],
    }
  const corrected: CorrectedGroup[] = []
  const refusals: Refusal[] = []
  for (const { group, freshness } of found) {
    const made = freshness.kind === 'fresh' ? correctGroup(group, freshness.calibrations, tests, attempts) : freshness
    if (made.kind === 'corrected') corrected.push(made)
    else refusals.push({ ...made, suite: group.suite })
  }
  if (refusals.length > 0)
    return { kind: 'refused', reasons: [...new Set(refusals.map(refusal => refusalText(refusal, name)))] }
  const shares = sharesOf(tests, corrected, attempts)
  const strata = corrected.flatMap(group => group.strata)
  const { value, interval } = calibratedRate(shares, strata)
  const isUsed = (index: number) => shares.some(test => (test.strata[index] ?? 0) > 0)
  const is_guess = strata.some(({ rate }, index) => rate === undefined && isUsed(index))
  const labels = addLabels(corrected.map(group => group.labels))
  return { kind: 'corrected', rate: value, interval, labels, is_guess }
}

/** Whether people could have passed an answer that has no verdict: it does not count as failed. */
function isUnjudged({ verdict, has_answer }: ResultFacts): boolean {
  return verdict === 'error' && has_answer
}

function judgedGroups(tests: readonly TestOutcome[], attempts: JudgedAttempts): JudgedGroup[] {
  const groups = new Map<string, JudgedGroup>()
  for (const test of tests) {
    for (const facts of countedAttempts(test)) {
      const group = attempts.groupOf(facts)
      if (group) groups.set(groupKey(group), group)
    }
  }
  return [...groups.values()]
}

/** The attempts of each test by what is known of them: exactly, or by the stratum that they are in. */
function sharesOf(
  tests: readonly TestOutcome[],
  groups: readonly CorrectedGroup[],
  attempts: JudgedAttempts,
): TestShares[] {
  const starts = new Map<string, { readonly group: CorrectedGroup; readonly start: number }>()
  let strata = 0
  for (const group of groups) {
    starts.set(group.key, { group, start: strata })
    strata += group.strata.length
  }
  return tests.map(test => {
    const counted = countedAttempts(test)
    const counts = Array<number>(strata).fill(0)
    let passed = 0
    for (const facts of counted) {
      const isPass = facts.verdict === 'pass'
      const judged = attempts.groupOf(facts)
      const own = judged && starts.get(groupKey(judged))
      if (own) addOne(counts, own.start + own.group.stratumOf(isPass))
      else passed += Number(isPass)
    }
    const all = counted.length
    return {
      cluster: test.cluster,
      attempts: all,
      verdicts: passShareWithoutReruns(test),
      passed: passed / all,
      strata: counts.map(count => count / all),
    }
  })
}

function addOne(counts: number[], index: number): void {
  counts[index] = (counts[index] ?? 0) + 1
}

function addLabels(counts: readonly LabelCounts[]): LabelCounts {
  const sum = (of: keyof LabelCounts) => counts.reduce((total, each) => total + each[of], 0)
  return { of_target: sum('of_target'), of_other_targets: sum('of_other_targets'), of_other_runs: sum('of_other_runs') }
}
