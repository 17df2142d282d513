import { boundedMean, type Interval } from '../../lib/statistics/intervals.ts'
import { passAtK, passHatK } from '../../lib/statistics/pass-at-k.ts'
import type { TestOutcome } from './test-outcome.ts'

/** Figures of tests on one target, and how well they are known. Tests of one cluster are one piece of evidence. */
export interface Estimates {
  readonly pass_rate: PassRate | undefined
  readonly score: MeanScore | undefined
  readonly trials: Trials | undefined
}

/** The mean over tests of the share of their attempts that passed; an error has not passed. */
export interface PassRate {
  readonly rate: number
  readonly tests: number
  readonly attempts: number
  /** Undefined where one test, or one cluster, is all there is; and where reruns added attempts. */
  readonly interval: Interval | undefined
  /** Without the attempts that reruns added, which pull the rate up; undefined where they added none. */
  readonly first?: { readonly rate: number; readonly interval: Interval | undefined } | undefined
}

/** The mean over the tests that were answered and judged. */
export interface MeanScore {
  readonly mean: number
  readonly tests: number
  readonly interval: Interval | undefined
}

/** How steady tests are that were tried several times. */
export interface Trials {
  /** The trials that every test has, and the most that one has. */
  readonly k: number
  readonly most: number
  /** The chance that any of k trials passes, and that all do: the means over all tests. */
  readonly pass_at_k: number
  readonly pass_hat_k: number
  /** How many tests have trials of different verdicts. */
  readonly flaky: number
}

export function estimatesOf(tests: readonly TestOutcome[]): Estimates {
  return { pass_rate: passRateOf(tests), score: scoreOf(tests), trials: trialsOf(tests) }
}

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

/** The share of passing attempts, without those that reruns added. */
export function passShareWithoutReruns(test: TestOutcome): number {
  const { passed, attempts } = test.first ?? test
  return passed / attempts
}

/** The mean of shares with its interval: that of a rate where each is 0 or 1. */
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

/** How steady tests are; undefined where there are none. */
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
