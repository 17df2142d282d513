import {
  type LabelledVerdict,
  labelledStratum,
  type Stratum,
  stratumWithin,
} from '../../../lib/statistics/calibrated-rate.ts'
import { boundedMean } from '../../../lib/statistics/intervals.ts'
import { transportedRate } from '../../../lib/statistics/transported-rate.ts'
import type { Calibration } from '../../../model/calibration.ts'
import { type ResultFacts, testKey } from '../../../model/run-reader.ts'
import type { TestOutcome } from '../test-outcome.ts'
import { groupKey } from './calibration-freshness.ts'
import type { LabelCounts } from './correction.ts'
import {
  countedAttempts,
  indexLabels,
  type JudgedAttempts,
  type JudgedGroup,
  type LabelledEntry,
} from './judged-attempts.ts'

/** The attempts of a target that one calibration is about, with what its labels say of them. */
export interface CorrectedGroup {
  readonly kind: 'corrected'
  readonly key: string
  readonly strata: readonly Stratum[]
  /** The index of the stratum of an attempt that passed or not. */
  stratumOf(isPass: boolean): number
  readonly labels: LabelCounts
}

/** Why labels cannot correct a group. */
export type GroupRefusal =
  | { readonly kind: 'no-better-than-chance'; readonly labels: number }
  | { readonly kind: 'one-kind'; readonly labels: number }

/** Corrects by labels of the target in this run, else by those of its other targets or of another run. */
export function correctGroup(
  group: JudgedGroup,
  calibrations: readonly [Calibration, ...Calibration[]],
  tests: readonly TestOutcome[],
  attempts: JudgedAttempts,
): CorrectedGroup | GroupRefusal {
  const judged = judgedTests(group, tests, attempts)
  const [best] = calibrations
    .filter(calibration => attempts.hasSample(calibration))
    .map(calibration => ownLabels(calibration, judged, attempts))
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count)
  if (best) return postStratified(groupKey(group), best)
  const [newest] = calibrations
  return transported(groupKey(group), newest, judged, attempts.hasSample(newest))
}

/** A test with those of its attempts that the judges of a group have graded. */
interface JudgedTest {
  readonly test: TestOutcome
  readonly judged: readonly ResultFacts[]
}

function judgedTests(group: JudgedGroup, tests: readonly TestOutcome[], attempts: JudgedAttempts): JudgedTest[] {
  const key = groupKey(group)
  return tests.flatMap(test => {
    const judged = countedAttempts(test).filter(facts => {
      const own = attempts.groupOf(facts)
      return own !== undefined && groupKey(own) === key
    })
    return judged.length === 0 ? [] : [{ test, judged }]
  })
}

interface OwnLabels {
  readonly passed: readonly LabelledVerdict[]
  readonly failed: readonly LabelledVerdict[]
  /** Number of labelled answers; one with both verdicts counts once. */
  readonly count: number
}

/** The labels of these attempts by the verdict of the judge; equal answers to one task have one label. */
function ownLabels(calibration: Calibration, tests: readonly JudgedTest[], attempts: JudgedAttempts): OwnLabels {
  const index = indexLabels(calibration)
  const found = { passed: new Map<LabelledEntry, LabelledVerdict>(), failed: new Map<LabelledEntry, LabelledVerdict>() }
  for (const { test, judged } of tests) {
    for (const facts of judged) {
      const entry = attempts.labelOf(facts, index)
      const stratum = facts.verdict === 'pass' ? found.passed : found.failed
      // Answers to one test are not independent.
      if (entry) stratum.set(entry, { passes: entry.passes, cluster: test.cluster ?? testKey(test) })
    }
  }
  const count = new Set([...found.passed.keys(), ...found.failed.keys()]).size
  return { passed: [...found.passed.values()], failed: [...found.failed.values()], count }
}

function postStratified(key: string, { passed, failed, count }: OwnLabels): CorrectedGroup {
  return {
    kind: 'corrected',
    key,
    strata: [labelledStratum(passed), labelledStratum(failed)],
    stratumOf: isPass => (isPass ? 0 : 1),
    labels: { of_target: count, of_other_targets: 0, of_other_runs: 0 },
  }
}

/** By labels of answers without those of the target: how the judge errs is taken to be the same on all answers. */
function transported(
  key: string,
  { strata }: Calibration,
  tests: readonly JudgedTest[],
  isOfRun: boolean,
): CorrectedGroup | GroupRefusal {
  const labels = strata.reduce((sum, stratum) => sum + stratum.labels, 0)
  if (!hasBothKinds(strata)) return { kind: 'one-kind', labels }
  const rate = transportedRate(strata, effectiveVerdicts(tests))
  if (!rate) return { kind: 'no-better-than-chance', labels }
  return {
    kind: 'corrected',
    key,
    strata: [stratumWithin(rate)],
    stratumOf: () => 0,
    labels: { of_target: 0, of_other_targets: isOfRun ? labels : 0, of_other_runs: isOfRun ? 0 : labels },
  }
}

/** Whether the labels are of answers with both verdicts, and both pass and fail some. */
function hasBothKinds(strata: Calibration['strata']): boolean {
  const verdicts = new Set(strata.filter(({ labels }) => labels > 0).map(({ judge_passes }) => judge_passes))
  return (
    verdicts.size === 2 && strata.some(({ passes }) => passes > 0) && strata.some(each => each.passes < each.labels)
  )
}

/** The verdicts of as many independent answers as have the same certainty: trials and clusters are not independent. */
function effectiveVerdicts(tests: readonly JudgedTest[]): { readonly pass: number; readonly fail: number } {
  const shares = tests.map(({ judged }) => judged.filter(({ verdict }) => verdict === 'pass').length / judged.length)
  const { effectiveSize, kish } = boundedMean(shares, {
    clusters: tests.map(({ test }) => test.cluster),
    isRate: shares.every(share => share === 0 || share === 1),
  })
  const [rate, size] = [weightedShare(tests), effectiveSize ?? kish]
  return { pass: rate * size, fail: (1 - rate) * size }
}

/** The share among the judged attempts, in which tests count equally and attempts by their part of the test. */
function weightedShare(tests: readonly JudgedTest[]): number {
  let [passed, all] = [0, 0]
  for (const { test, judged } of tests) {
    const weight = 1 / countedAttempts(test).length
    passed += weight * judged.filter(({ verdict }) => verdict === 'pass').length
    all += weight * judged.length
  }
  return Math.min(1, passed / all)
}
