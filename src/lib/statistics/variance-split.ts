import { assertFinite } from './assertions.ts'
import { mean } from './means.ts'

/** The scores of judge calls, by test and trial. */
export type NestedScores = readonly (readonly (readonly number[])[])[]

/** One number for each source of variance; null where the scores cannot tell it from the source before it. */
export interface BySource {
  readonly test: number | null
  readonly trial: number | null
  readonly judge: number | null
}

export type Source = keyof BySource

/** Where the variance of scores comes from: tests, trials of a test, and judge calls on one answer. */
export interface VarianceSplit {
  /** The mean over tests. */
  readonly mean: number
  readonly variance: BySource
  /** Shares of the sum; null without variance. */
  readonly share: BySource
  /** The harmonic means of the trials per test and of the counted judge calls per trial. */
  readonly trials: number
  readonly judge_calls: number
  readonly variance_of_mean: BySource
  readonly share_of_mean: BySource
  readonly se_of_mean: number
  /** The standard error for exactly these tests: without the variance between tests. */
  readonly se_on_these_tests: number
  /** What reduces the variance of the mean most per call; undefined where nothing does. */
  readonly most_useful: Source | undefined
  /** The same if no test can be added. */
  readonly most_useful_on_these_tests: Source | undefined
}

/** `counted`: how many judge calls the mean counts of each trial. Default: all of them. */
export function varianceSplit(scores: NestedScores, counted?: number): VarianceSplit {
  assertScores(scores)
  const trials = 1 / mean(scores.map(test => 1 / test.length))
  const judge_calls = counted ?? 1 / mean(scores.map(inverseCalls))
  const variance = variancesOf(scores)
  const attempts = scores.length * trials
  const variance_of_mean = {
    test: divided(variance.test, scores.length),
    trial: divided(variance.trial, attempts),
    judge: divided(variance.judge, attempts * judge_calls),
  }
  const onThese = (variance_of_mean.trial ?? 0) + (variance_of_mean.judge ?? 0)
  const gains = gainsPerCall(variance, { tests: scores.length, trials, judge_calls })
  return {
    mean: mean(scores.map(testMean)),
    variance,
    share: shares(variance),
    trials,
    judge_calls,
    variance_of_mean,
    share_of_mean: shares(variance_of_mean),
    se_of_mean: Math.sqrt((variance_of_mean.test ?? 0) + onThese),
    se_on_these_tests: Math.sqrt(onThese),
    most_useful: largest(gains),
    most_useful_on_these_tests: largest({ ...gains, test: 0 }),
  }
}

function assertScores(scores: NestedScores): void {
  const hasGap = scores.some(test => test.length === 0 || test.some(trial => trial.length === 0))
  if (scores.length === 0 || hasGap) throw new RangeError('There are no scores, or a test or a trial has none.')
  for (const score of scores.flat(2)) assertFinite('A score', score)
}

/** Estimates by the method of moments, equal to REML for balanced scores. */
function variancesOf(scores: NestedScores): BySource {
  const judge = meanOrNull(scores.flat().flatMap(calls => sampleVariance(calls) ?? []))
  const repeated = scores.filter(test => test.length > 1)
  const within = meanOrNull(repeated.flatMap(test => sampleVariance(test.map(calls => mean(calls))) ?? []))
  const between = sampleVariance(scores.map(testMean))
  const ofCalls = judge === null || within === null ? 0 : judge * mean(repeated.map(inverseCalls))
  // With one trial per test only the variance of judge calls is known to be in the mean of a test.
  const inTestMeans =
    within === null ? (judge ?? 0) * mean(scores.map(inverseCalls)) : within * mean(scores.map(test => 1 / test.length))
  return {
    test: between === undefined ? null : Math.max(0, between - inTestMeans),
    trial: within === null ? null : Math.max(0, within - ofCalls),
    judge,
  }
}

interface Size {
  readonly tests: number
  readonly trials: number
  readonly judge_calls: number
}

/**
 * How much one more of each reduces the variance of the mean, T/n + R/(nk) + J/(nkr), divided by the calls it takes. One
 * more test takes k attempts, one more trial n, one more judge call n·k calls; an attempt is one call of the target and r
 * of the judge. Other tests may differ by any amount where there is one only: then only another test helps.
 */
function gainsPerCall({ test, trial, judge }: BySource, { tests, trials, judge_calls }: Size): Record<Source, number> {
  const calls = 1 + judge_calls
  const ofAttempt = (trial ?? 0) + (judge ?? 0) / judge_calls
  const ofTest = test === null ? Number.POSITIVE_INFINITY : test + ofAttempt / trials
  return {
    test: ofTest / (tests * (tests + 1)) / (trials * calls),
    trial: ofAttempt / (tests * trials * (trials + 1)) / (tests * calls),
    judge: (judge ?? 0) / (tests * trials * judge_calls * (judge_calls + 1)) / (tests * trials),
  }
}

/** The source with the largest gain; the first of equals. */
function largest(gains: Readonly<Record<Source, number>>): Source | undefined {
  const sources = ['test', 'trial', 'judge'] as const
  const best = sources.reduce((one, other) => (gains[other] > gains[one] ? other : one))
  return gains[best] > 0 ? best : undefined
}

function testMean(test: readonly (readonly number[])[]): number {
  return mean(test.map(calls => mean(calls)))
}

/** The mean over the trials of a test of one divided by their judge calls. */
function inverseCalls(test: readonly (readonly number[])[]): number {
  return mean(test.map(calls => 1 / calls.length))
}

/** Undefined for one value. */
function sampleVariance(values: readonly number[]): number | undefined {
  if (values.length < 2) return undefined
  const average = mean(values)
  return (mean(values.map(value => (value - average) ** 2)) * values.length) / (values.length - 1)
}

function meanOrNull(values: readonly number[]): number | null {
  return values.length === 0 ? null : mean(values)
}

function divided(value: number | null, divisor: number): number | null {
  return value === null ? null : value / divisor
}

function shares({ test, trial, judge }: BySource): BySource {
  const sum = (test ?? 0) + (trial ?? 0) + (judge ?? 0)
  const shareOf = (value: number | null) => (sum === 0 ? null : divided(value, sum))
  return { test: shareOf(test), trial: shareOf(trial), judge: shareOf(judge) }
}
