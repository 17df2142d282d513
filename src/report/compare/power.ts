import { normalQuantile } from '../../lib/statistics/distributions.ts'
import { mean } from '../../lib/statistics/means.ts'
import { sizeNeeded } from '../../lib/statistics/significance.ts'
import { incompleteBeta } from '../../lib/statistics/special-functions.ts'
import type { TestOutcome } from '../outcome/test-outcome.ts'
import { type Evidence, minDiffering } from './evidence.ts'
import type { Pair } from './pair-tests.ts'

/** The sample that detects a difference with 80 % power. */
export interface RequiredSample {
  /** The observed difference, or a default if none was observed. */
  readonly difference: number
  /** Total number of tests. */
  readonly tests: number
  /** Alternatively, trials of each existing test; undefined if no number is enough or the variance is unknown. */
  readonly trials: number | undefined
}

/** Probability of detecting a true difference. */
const POWER = 0.8

/** Used if no difference was observed. */
const DEFAULT_DIFFERENCE = 0.05

/** Returns the smallest true difference that these tests detect with 80 % power; undefined if they cannot detect any. */
export function detectableDifference(evidence: Evidence, pairs: readonly Pair[]): number | undefined {
  const { standard_error, pieces, interval } = evidence
  const least = minDiffering(evidence)
  if (!interval || pieces < least) return undefined
  const difference = (normalQuantile(0.975) + normalQuantile(POWER)) * standard_error
  // If few tests differ, the standard error is small, but a verdict still needs enough differing tests.
  const detectable = Math.max(difference, shareFor(least, pieces) * usualSize(pairs))
  return detectable <= 1 ? detectable : undefined
}

/** Mean size of the differences of tests that differ; 1 if none does. */
function usualSize(pairs: readonly Pair[]): number {
  const sizes = pairs.map(({ difference }) => Math.abs(difference)).filter(size => size > 0)
  return sizes.length === 0 ? 1 : mean(sizes)
}

/** Returns the probability per test for at least `least` of them to differ with 80 % power. */
export function shareFor(least: number, tests: number): number {
  let [low, high] = [0, 1]
  for (let step = 0; step < 50; step++) {
    const share = (low + high) / 2
    if (incompleteBeta(least, tests - least + 1, share) < POWER) low = share
    else high = share
  }
  return high
}

/** Undefined if nothing varies, the loss is within the margin, or there are enough tests already. */
export function requiredSample(pairs: readonly Pair[], evidence: Evidence, margin: number): RequiredSample | undefined {
  const { mean: seen, deviation, standard_error, has_unequal_trials } = evidence
  if (deviation === undefined || deviation === 0 || isWithinMargin(seen, margin)) return undefined
  const beyond = seen < 0 ? seen + margin : seen
  const difference = Math.abs(beyond) > 1e-9 ? beyond : DEFAULT_DIFFERENCE
  const spread = has_unequal_trials ? standard_error * Math.sqrt(pairs.length) : deviation
  const least = minDiffering(evidence)
  const tests = Math.max(least, sizeNeeded(spread, difference) ?? 0)
  if (tests <= pairs.length) return undefined
  // More trials cannot replace the minimum number of differing tests.
  const canShow = evidence.pieces >= least
  const trials = canShow ? trialsFor(pairs, deviation, (spread ** 2 * pairs.length) / tests) : undefined
  return { difference, tests, trials }
}

/** Whether a difference is a loss within the margin. */
export function isWithinMargin(difference: number, margin: number): boolean {
  return difference < 0 && difference + margin >= -1e-9
}

/** Returns the trials that reduce the variance of a difference to `allowed`; trials reduce only the variance within tests. */
function trialsFor(pairs: readonly Pair[], deviation: number, allowed: number): number | undefined {
  if (pairs.some(({ outcomes }) => outcomes.some(({ values }) => values.length < 2))) return undefined
  const meanOf = (figure: (outcome: TestOutcome) => number) =>
    mean(pairs.map(({ outcomes: [before, after] }) => figure(before) + figure(after)))
  const noise = meanOf(({ values }) => varianceOf(values) / values.length)
  const within = meanOf(({ values }) => varianceOf(values))
  const between = Math.max(0, deviation ** 2 - noise)
  return within > 0 && allowed > between ? Math.ceil(within / (allowed - between)) : undefined
}

function varianceOf(values: readonly number[]): number {
  const average = mean(values)
  return values.reduce((sum, value) => sum + (value - average) ** 2, 0) / (values.length - 1)
}
