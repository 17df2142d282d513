import { normalQuantile } from '../../lib/statistics/distributions.ts'
import { boundedMean, type Interval } from '../../lib/statistics/intervals.ts'
import { passAtK, passHatK } from '../../lib/statistics/pass-at-k.ts'
import { type NestedScores, type Source, varianceSplit } from '../../lib/statistics/variance-split.ts'
import type { ResultFacts } from '../../model/run-reader.ts'
import { type PanelFigures, panelFigures } from './panel-figures.ts'
import type { TestOutcome } from './test-outcome.ts'

/** Estimates over the tests of one target with their intervals. Tests of one cluster are not independent. */
export interface Estimates {
  readonly pass_rate: PassRate | undefined
  readonly score: MeanScore | undefined
  readonly trials: Trials | undefined
  /** Where the noise of the mean comes from; undefined without several tests, and several trials or gradings. */
  readonly noise: Noise | undefined
  /** How the judges of panels compare; undefined without panels. */
  readonly panel: PanelFigures | undefined
}

/** The mean over tests of the share of attempts that passed; errors did not pass. */
export interface PassRate {
  readonly rate: number
  readonly tests: number
  readonly attempts: number
  /** Undefined for a single test or cluster, or if reruns added attempts. */
  readonly interval: Interval | undefined
  /** The rate without attempts added by reruns, which raise it; undefined without reruns. */
  readonly first?: { readonly rate: number; readonly interval: Interval | undefined } | undefined
}

/** The mean over the tests that were answered and graded. */
export interface MeanScore {
  readonly mean: number
  readonly tests: number
  readonly interval: Interval | undefined
}

/** Reliability over several trials. */
export interface Trials {
  /** The number of trials that every test has, and the largest number. */
  readonly k: number
  readonly most: number
  /** Mean probability that any, or all, of k trials pass. */
  readonly pass_at_k: number
  readonly pass_hat_k: number
  /** Number of tests with differing verdicts. */
  readonly flaky: number
}

/** The variance of the mean score by its sources. What cannot be told from another source is part of the one before it. */
export interface Noise {
  /** Half the width of the 95 % interval that these sources make. */
  readonly half_width: number
  /** The same for exactly these tests: only their trials and judge calls vary. Undefined with one trial per test. */
  readonly half_width_on_these_tests: number | undefined
  /** The same for exactly these answers: only judge calls vary. Undefined if each was graded once. */
  readonly half_width_on_these_answers: number | undefined
  /** Shares of the variance of the mean. */
  readonly share_of_tests: number
  /** Undefined with one trial per test. */
  readonly share_of_trials: number | undefined
  /** Undefined if each answer was graded once: judges are part of the trials then. */
  readonly share_of_judge_calls: number | undefined
  /** What reduces the noise most per call; undefined where nothing does. */
  readonly most_useful: Source | undefined
  /** The same if no test can be added; undefined with one trial per test. */
  readonly most_useful_on_these_tests: Source | undefined
}

export function estimatesOf(tests: readonly TestOutcome[]): Estimates {
  const [pass_rate, score, trials] = [passRateOf(tests), scoreOf(tests), trialsOf(tests)]
  return { pass_rate, score, trials, noise: noiseOf(tests), panel: panelFigures(tests) }
}

/** Undefined where nothing varies, or where few tests were repeated: their noise is not that of the others. */
function noiseOf(tests: readonly TestOutcome[]): Noise | undefined {
  const scores = repeatedScores(tests)
  if (!scores) return undefined
  // The first grading of an answer is its score; the others only show how much gradings vary.
  const split = varianceSplit(scores, 1)
  const { share_of_mean: share, variance_of_mean } = split
  const { judge: ofCalls } = variance_of_mean
  if (share.test === null) return undefined
  return {
    half_width: Z95 * split.se_of_mean,
    half_width_on_these_tests: share.trial === null ? undefined : Z95 * split.se_on_these_tests,
    half_width_on_these_answers: ofCalls === null ? undefined : Z95 * Math.sqrt(ofCalls),
    share_of_tests: share.test,
    share_of_trials: share.trial ?? undefined,
    share_of_judge_calls: share.judge ?? undefined,
    most_useful: split.most_useful,
    most_useful_on_these_tests: share.trial === null ? undefined : split.most_useful_on_these_tests,
  }
}

/** The scores by test, trial and grading, without the levels at which few tests were repeated. */
function repeatedScores(tests: readonly TestOutcome[]): NestedScores | undefined {
  const isRepeated = (isOf: (test: TestOutcome) => boolean) => {
    const repeated = tests.filter(isOf).length
    return repeated >= 2 && 2 * repeated >= tests.length
  }
  const hasTrials = isRepeated(({ values }) => values.length > 1)
  const hasCalls = isRepeated(({ results }) => results.some(({ judge_scores, added }) => judge_scores && !added))
  if (!hasTrials && !hasCalls) return undefined
  return tests.map(({ values, results }) => {
    const isGraded = hasCalls && results.length > 0
    const scores = isGraded ? results.flatMap(gradingsOf) : values.map(value => [value])
    return hasTrials ? scores : scores.slice(0, 1)
  })
}

/** The scores of an attempt by each grading; nothing for one that a rerun added. */
function gradingsOf({ judge_scores, score, added }: ResultFacts): (readonly number[])[] {
  return added ? [] : [judge_scores ?? [score ?? 0]]
}

const Z95 = normalQuantile(0.975)

function passRateOf(tests: readonly TestOutcome[]): PassRate | undefined {
  if (tests.length === 0) return undefined
  const clusters = clustersOf(tests)
  const { mean: first, interval } = rateOf(tests.map(passShareWithoutReruns), clusters)
  const counts = { tests: tests.length, attempts: tests.reduce((sum, { attempts }) => sum + attempts, 0) }
  if (tests.every(test => !test.first)) return { rate: first, ...counts, interval }
  const { mean: rate } = rateOf(
    tests.map(({ passed, attempts }) => passed / attempts),
    clusters,
  )
  return { rate, ...counts, interval: undefined, first: { rate: first, interval } }
}

/** Returns the share of passed attempts, without those added by reruns. */
export function passShareWithoutReruns(test: TestOutcome): number {
  const { passed, attempts } = test.first ?? test
  return passed / attempts
}

/** Returns the mean of shares with its interval, a binomial one if all shares are 0 or 1. */
export function rateOf(shares: readonly number[], clusters: readonly (string | undefined)[]) {
  return boundedMean(shares, { clusters, isRate: shares.every(share => share === 0 || share === 1) })
}

function scoreOf(tests: readonly TestOutcome[]): MeanScore | undefined {
  const scored = tests.filter(({ score }) => score !== null)
  if (scored.length === 0) return undefined
  const scores = scored.map(({ score }) => score ?? 0)
  const { mean, interval } = boundedMean(scores, { clusters: clustersOf(scored), isRate: false })
  return { mean, tests: scored.length, interval }
}

export function clustersOf(tests: readonly TestOutcome[]): (string | undefined)[] {
  return tests.map(({ cluster }) => cluster)
}

/** Returns undefined without tests. */
export function trialsOf(tests: readonly TestOutcome[]): Trials | undefined {
  if (tests.length === 0) return undefined
  const counts = tests.map(({ attempts }) => attempts)
  const k = counts.reduce((least, count) => Math.min(least, count))
  const most = counts.reduce((highest, count) => Math.max(highest, count))
  const meanOf = (chance: typeof passAtK) =>
    tests.reduce((sum, { attempts, passed }) => sum + (chance(attempts, passed, k) ?? 0), 0) / tests.length
  const flaky = tests.filter(({ is_flaky }) => is_flaky).length
  return { k, most, pass_at_k: meanOf(passAtK), pass_hat_k: meanOf(passHatK), flaky }
}
