import { groupBy } from '../lib/collections.ts'
import { failureBound, type Interval } from '../lib/statistics/intervals.ts'
import { kishSize } from '../lib/statistics/means.ts'
import { printableLine } from '../lib/text/escape.ts'
import { formatPercent, formatShare, plural } from '../lib/text/format.ts'
import { formatScore } from '../model/verdict.ts'
import { noiseText } from './noise-text.ts'
import { clustersOf, estimatesOf, type MeanScore, type PassRate, type Trials, trialsOf } from './outcome/estimates.ts'
import type { Outcome } from './outcome/run-outcome.ts'
import type { TestOutcome } from './outcome/test-outcome.ts'
import { panelText } from './panel-text.ts'

/** Formats a rate with its interval: `90 % [77–96]`. */
export function formatRate(rate: Pick<PassRate, 'rate' | 'interval'> | undefined): string {
  if (!rate) return '-'
  return `${formatPercent(rate.rate)}${formatInterval(rate.interval, formatShare)}`
}

/** Formats a mean score with its interval, and with the number of tests if some have no score: `0.72 [0.61–0.83]`. */
export function formatMeanScore(score: MeanScore | undefined, tests = score?.tests): string {
  if (!score) return '-'
  const { mean, interval } = score
  return `${formatScore(mean)}${formatInterval(interval, value => value.toFixed(2))}${scoredTestsText(score, tests)}`
}

/** Returns ` (28 of 30 tests)` if some tests have no score. */
export function scoredTestsText({ tests: scored }: MeanScore, tests = scored): string {
  return scored === tests ? '' : ` (${scored} of ${tests} tests)`
}

/** ` [0.61–0.83]`, or nothing without an interval. */
export function formatInterval(interval: Interval | undefined, format: (value: number) => string): string {
  return interval ? ` [${format(interval.low)}–${format(interval.high)}]` : ''
}

/** Maximum number of flaky tests that are named. */
const MAX_NAMED = 5

/** Minimum number of tests for a statement about zero failures. */
const MIN_TESTS = 10

/** Describes the reliability of each target over its trials, the sources of noise and its judges, one line each. */
export function trialsText({ tests }: Pick<Outcome, 'tests'>): string {
  const targets = [...groupBy(tests, ({ target }) => target)]
  return `${[targetText, noiseText].map(describe => linesByTarget(targets, describe)).join('')}${panelText(targets)}`
}

/** Describes the sources of noise of each target, and its judges, one line each. */
export function noiseLines({ tests }: Pick<Outcome, 'tests'>): string[] {
  const targets = [...groupBy(tests, ({ target }) => target)]
  return `${linesByTarget(targets, noiseText)}${panelText(targets)}`.split('\n').filter(line => line !== '')
}

type TargetTests = readonly (readonly [target: string, tests: readonly TestOutcome[]])[]

/** One line per target that has a text; one line is enough if all are the same. */
function linesByTarget(targets: TargetTests, describe: (tests: readonly TestOutcome[]) => string): string {
  const lines = targets.map(([target, tests]) => [target, describe(tests)] as const).filter(([, text]) => text !== '')
  const texts = new Set(lines.map(([, text]) => text))
  if (texts.size === 1 && lines.length === targets.length) return `${[...texts].join('')}\n`
  return lines.map(([target, text]) => `${printableLine(target)}: ${text}\n`).join('')
}

function targetText(tests: readonly TestOutcome[]): string {
  const trials = trialsOf(tests)
  if (!trials) return ''
  return [
    steadiness(trials),
    ...withoutRerunsText(tests),
    ...errorsText(tests),
    ...flakyText(tests),
    ...noFailureText(tests),
  ].join('; ')
}

/** `3 to 5 trials: 61 % pass all (pass^3), 92 % pass any (pass@3)`. */
function steadiness({ k, most, pass_hat_k, pass_at_k }: Trials): string {
  const trials = most > k ? `${k} to ${most} trials` : plural(k, 'trial')
  if (k === 1) return `${trials}: reliability unknown`
  const any = `${formatPercent(pass_at_k)} pass any (pass@${k})`
  return `${trials}: ${formatPercent(pass_hat_k)} pass all (pass^${k}), ${any}`
}

/** `pass rate without reruns 48 % [36–61]`: reruns repeat only failures, which biases the rate. */
function withoutRerunsText(tests: readonly TestOutcome[]): string[] {
  const { pass_rate } = estimatesOf(tests)
  return pass_rate?.first ? [`pass rate without reruns ${formatRate(pass_rate.first)}`] : []
}

/** `3 of 50 attempts errored`. */
function errorsText(tests: readonly TestOutcome[]): string[] {
  const errors = tests.reduce((sum, test) => sum + test.errors, 0)
  const attempts = tests.reduce((sum, test) => sum + test.attempts, 0)
  return errors === 0 ? [] : [`${errors} of ${plural(attempts, 'attempt')} errored`]
}

function flakyText(tests: readonly TestOutcome[]): string[] {
  const flaky = tests.filter(({ is_flaky }) => is_flaky).map(({ test_id }) => printableLine(test_id))
  if (flaky.length === 0) return []
  const more = flaky.length > MAX_NAMED ? ` and ${flaky.length - MAX_NAMED} more` : ''
  return [`flaky: ${flaky.slice(0, MAX_NAMED).join(', ')}${more}`]
}

/** `0 of 40 failed (true failure rate ≤ 7 % at 95 % confidence)`, if no attempt failed. */
function noFailureText(tests: readonly TestOutcome[]): string[] {
  const isClean = tests.every(({ passed, attempts }) => passed === attempts)
  if (!isClean || tests.length < MIN_TESTS) return []
  const bound = failureBound(kishSize(clustersOf(tests)))
  return [`0 of ${tests.length} failed (true failure rate ≤ ${Math.ceil(bound * 100)} % at 95 % confidence)`]
}
