import { normalQuantile } from '../../lib/statistics/distributions.ts'
import { mean } from '../../lib/statistics/means.ts'
import { sizeNeeded } from '../../lib/statistics/significance.ts'
import { incompleteBeta } from '../../lib/statistics/special-functions.ts'
import type { TestOutcome } from '../outcome/test-outcome.ts'
import { type Evidence, minDiffering } from './evidence.ts'
import type { Pair } from './pair-tests.ts'

/** What it would take to show a difference, in four of five cases. */
export interface RequiredSample {
  /** The difference that is meant: the one that was seen, or one that would matter. */
  readonly difference: number
  /** How many tests in all. */
  readonly tests: number
  /** Or how many trials of each of these tests; undefined where no number is enough, or where trials are too few to know. */
  readonly trials: number | undefined
}

/** How often a difference of the size in question is shown. */
const POWER = 0.8

/** Asked for where no difference was seen at all. */
const DEFAULT_DIFFERENCE = 0.05

/** The smallest true difference that these tests would show in four of five runs; undefined where they can show none. */
export function detectableDifference(evidence: Evidence, pairs: readonly Pair[]): number | undefined {
  const { standard_error, pieces, interval } = evidence
  const least = minDiffering(evidence)
  if (!interval || pieces < least) return undefined
  const difference = (normalQuantile(0.975) + normalQuantile(POWER)) * standard_error
  // Where few tests differ, the standard error is small, but a verdict still takes enough tests that do.
  const shown = Math.max(difference, shareFor(least, pieces) * usualSize(pairs))
  return shown <= 1 ? shown : undefined
}

/** By how much tests differ that do; all there is to lose where none does. */
function usualSize(pairs: readonly Pair[]): number {
  const sizes = pairs.map(({ difference }) => Math.abs(difference)).filter(size => size > 0)
  return sizes.length === 0 ? 1 : mean(sizes)
}

/** The share of tests that must differ for at least so many of them to differ in four of five runs. */
function shareFor(least: number, tests: number): number {
  let [low, high] = [0, 1]
  for (let step = 0; step < 50; step++) {
    const share = (low + high) / 2
    if (incompleteBeta(least, tests - least + 1, share) < POWER) low = share
    else high = share
  }
  return high
}

/** Undefined where nothing varies, where the loss is within the margin, and where as many tests are there already. */
export function requiredSample(pairs: readonly Pair[], evidence: Evidence, margin: number): RequiredSample | undefined {
  const { mean: seen, deviation, standard_error, has_unequal_trials } = evidence
  if (deviation === undefined || deviation === 0 || isWithinMargin(seen, margin)) return undefined
  const beyond = seen < 0 ? seen + margin : seen
  const difference = Math.abs(beyond) > 1e-9 ? beyond : DEFAULT_DIFFERENCE
  const spread = has_unequal_trials ? standard_error * Math.sqrt(pairs.length) : deviation
  const least = minDiffering(evidence)
  const tests = Math.max(least, sizeNeeded(spread, difference) ?? 0)
  if (tests <= pairs.length) return undefined
  // However often they are tried, fewer tests than must differ show nothing.
  const canShow = evidence.pieces >= least
  const trials = canShow ? trialsFor(pairs, deviation, (spread ** 2 * pairs.length) / tests) : undefined
  return { difference, tests, trials }
}

/** Whether a difference is a loss that the margin allows. */
export function isWithinMargin(difference: number, margin: number): boolean {
  return difference < 0 && difference + margin >= -1e-9
}

/** How many trials bring the variance of a difference down to what is allowed: they reduce only what varies within a test. */
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
