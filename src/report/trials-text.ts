import { groupBy } from '../lib/group-by.ts'
import { plural } from '../lib/plural.ts'
import { onOneLine } from '../lib/printable.ts'
import { failureBound } from '../lib/statistics/failure-bound.ts'
import { kishSize } from '../lib/statistics/standard-error.ts'
import { certaintyOf, clustersOf, type Trials, trialsOf } from './certainty.ts'
import type { Outcome } from './outcome.ts'
import { percent, rateText } from './rate-text.ts'
import type { TestOutcome } from './test-outcome.ts'

/** How many flaky tests are named. */
const MOST_NAMED = 5

/** With fewer tests, what no failure says is not worth saying. */
const LEAST_TESTS = 10

/** How steady the answers of each target are: unknown with one trial; with several, how often all and any of them pass. */
export function trialsText({ tests }: Pick<Outcome, 'tests'>): string {
  const lines = [...groupBy(tests, ({ target }) => target)].map(([target, group]) => [target, line(group)] as const)
  // What is the same for all targets is said once.
  const texts = new Set(lines.map(([, text]) => text))
  if (texts.size === 1) return `${[...texts].join('')}\n`
  return lines.map(([target, text]) => `${onOneLine(target)}: ${text}\n`).join('')
}

function line(tests: readonly TestOutcome[]): string {
  const trials = trialsOf(tests)
  if (!trials) return ''
  return [steadiness(trials), ...firstText(tests), ...errorsText(tests), ...flakyText(tests), ...cleanText(tests)].join(
    '; ',
  )
}

/** `3 to 5 trials: all of 3 pass 61 % (pass^3), any of 3 passes 92 % (pass@3)`. */
function steadiness({ k, most, pass_hat_k, pass_at_k }: Trials): string {
  const trials = most > k ? `${k} to ${most} trials` : plural(k, 'trial')
  if (k === 1) return `${trials}: reliability unknown`
  const any = `any passes ${percent(pass_at_k)} (pass@${k})`
  return `${trials}: all pass ${percent(pass_hat_k)} (pass^${k}), ${any}`
}

/** `pass rate without reruns 48 % [36–61]`: tests that fail are tried more often than those that pass. */
function firstText(tests: readonly TestOutcome[]): string[] {
  const { pass_rate } = certaintyOf(tests)
  return pass_rate?.first ? [`pass rate without reruns ${rateText(pass_rate.first)}`] : []
}

/** `3 of 50 attempts errored`. */
function errorsText(tests: readonly TestOutcome[]): string[] {
  const errors = tests.reduce((sum, test) => sum + test.errors, 0)
  const attempts = tests.reduce((sum, test) => sum + test.attempts, 0)
  return errors === 0 ? [] : [`${errors} of ${plural(attempts, 'attempt')} errored`]
}

function flakyText(tests: readonly TestOutcome[]): string[] {
  const flaky = tests.filter(({ is_flaky }) => is_flaky).map(({ test_id }) => onOneLine(test_id))
  if (flaky.length === 0) return []
  const more = flaky.length > MOST_NAMED ? ` and ${flaky.length - MOST_NAMED} more` : ''
  return [`flaky: ${flaky.slice(0, MOST_NAMED).join(', ')}${more}`]
}

/** `0 of 40 failed (true failure rate ≤ 7 % at 95 % confidence)`, where no attempt failed. */
function cleanText(tests: readonly TestOutcome[]): string[] {
  const isClean = tests.every(({ passed, attempts }) => passed === attempts)
  if (!isClean || tests.length < LEAST_TESTS) return []
  const bound = failureBound(kishSize(clustersOf(tests)))
  return [`0 of ${tests.length} failed (true failure rate ≤ ${Math.ceil(bound * 100)} % at 95 % confidence)`]
}
