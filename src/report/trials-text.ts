import { groupBy } from '../lib/group-by.ts'
import { plural } from '../lib/plural.ts'
import { onOneLine } from '../lib/printable.ts'
import { ruleOfThree } from '../lib/statistics/rule-of-three.ts'
import { type Trials, trialsOf } from './certainty.ts'
import type { Outcome, TestOutcome } from './outcome.ts'
import { percent } from './rate-text.ts'

/** How many flaky tests are named. */
const MOST_NAMED = 5

/** How steady the answers of each target are: with one trial nobody knows; with several, how often all and any of them pass. */
export function trialsText({ tests }: Outcome): string {
  const lines = [...groupBy(tests, ({ target }) => target)].map(([target, group]) => [target, line(group)] as const)
  // What is the same for all targets is said once.
  const texts = new Set(lines.map(([, text]) => text))
  if (texts.size === 1) return `${[...texts].join('')}\n`
  return lines.map(([target, text]) => `${onOneLine(target)}: ${text}\n`).join('')
}

function line(tests: readonly TestOutcome[]): string {
  const trials = trialsOf(tests)
  if (!trials) return ''
  const most = ruleOfThree(tests.length)
  const isClean = most !== undefined && tests.every(({ verdict }) => verdict === 'pass')
  const failures = isClean ? `; nothing failed: at most ${percent(most)} would` : ''
  return `${trials.k === 1 ? '1 trial: reliability unknown' : steadiness(trials, tests)}${failures}`
}

/** `3 trials: all pass 61 % (pass^3), any passes 92 % (pass@3); flaky: a, b`. */
function steadiness({ k, tests: tried, pass_hat_k, pass_at_k }: Trials, tests: readonly TestOutcome[]): string {
  const of = tried === tests.length ? '' : ` (${tried} of ${plural(tests.length, 'test')})`
  const flaky = tests.filter(({ is_flaky }) => is_flaky).map(({ test_id }) => onOneLine(test_id))
  const more = flaky.length > MOST_NAMED ? ` and ${flaky.length - MOST_NAMED} more` : ''
  const named = flaky.length > 0 ? `; flaky: ${flaky.slice(0, MOST_NAMED).join(', ')}${more}` : ''
  return `${k} trials${of}: all pass ${percent(pass_hat_k)} (pass^${k}), any passes ${percent(pass_at_k)} (pass@${k})${named}`
}
