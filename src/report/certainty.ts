import type { Interval } from '../lib/statistics/interval.ts'
import { estimateMean } from '../lib/statistics/mean-estimate.ts'
import { passAtK, passHatK } from '../lib/statistics/pass-at-k.ts'
import { wilsonInterval } from '../lib/statistics/wilson-interval.ts'
import type { TestOutcome } from './outcome.ts'

/** Figures of tests, and how well they are known. */
export interface Certainty {
  readonly pass_rate: Rate | undefined
  /** The mean over the tests that have a score. Tests of one cluster count as what they are: one piece of evidence. */
  readonly score: { readonly mean: number; readonly interval: Interval | undefined } | undefined
  readonly trials: Trials | undefined
}

export interface Rate {
  readonly count: number
  readonly of: number
  readonly interval: Interval
}

/** How steady tests are that were tried several times. */
export interface Trials {
  /** The most trials that a test has. */
  readonly k: number
  /** How many tests have so many. */
  readonly tests: number
  /** The chance that any of k trials passes, and that all do: the means over those tests. */
  readonly pass_at_k: number
  readonly pass_hat_k: number
  /** How many tests have trials of different verdicts. */
  readonly flaky: number
}

export function certaintyOf(tests: readonly TestOutcome[]): Certainty {
  return {
    pass_rate: rateOf(
      count(tests, ({ verdict }) => verdict === 'pass'),
      tests.length,
    ),
    score: scoreOf(tests),
    trials: trialsOf(tests),
  }
}

export function rateOf(count: number, of: number): Rate | undefined {
  const interval = wilsonInterval(count, of)
  return interval && { count, of, interval }
}

function scoreOf(tests: readonly TestOutcome[]): Certainty['score'] {
  const scored = tests.flatMap(({ score, cluster }) => (score === null ? [] : [{ score, cluster }]))
  if (scored.length === 0) return undefined
  const clusters = scored.map(({ cluster }) => cluster)
  const { mean, interval, standardError } = estimateMean(
    scored.map(({ score }) => score),
    { clusters },
  )
  // Scores that are all the same do not say how far others would be from them.
  if (standardError === 0) return { mean, interval: undefined }
  // A score has its ends, which Student does not know of.
  return { mean, interval: interval && { low: Math.max(0, interval.low), high: Math.min(1, interval.high) } }
}

/** How steady tests are; undefined where there are none. */
export function trialsOf(tests: readonly TestOutcome[]): Trials | undefined {
  const k = tests.reduce((most, { attempts }) => Math.max(most, attempts), 0)
  if (k === 0) return undefined
  const tried = tests.filter(({ attempts }) => attempts === k)
  const meanOf = (chance: typeof passAtK) =>
    tried.reduce((sum, { attempts, passed }) => sum + (chance(attempts, passed, k) ?? 0), 0) / tried.length
  const flaky = count(tests, ({ is_flaky }) => is_flaky)
  return { k, tests: tried.length, pass_at_k: meanOf(passAtK), pass_hat_k: meanOf(passHatK), flaky }
}

function count(tests: readonly TestOutcome[], is: (test: TestOutcome) => boolean): number {
  return tests.filter(is).length
}
