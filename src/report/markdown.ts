import { cutText } from '../lib/cut-text.ts'
import { groupBy } from '../lib/group-by.ts'
import { plural } from '../lib/plural.ts'
import { onOneLine } from '../lib/printable.ts'
import { textKey } from '../lib/text-key.ts'
import type { RunReader } from '../model/run-reader.ts'
import { certaintyOf } from './certainty.ts'
import { outcomeOf } from './outcome.ts'
import { rateText, scoreText } from './rate-text.ts'
import { mainReason } from './reasons.ts'
import type { Reporter } from './reporter.ts'
import { type TestOfRun, testsOfRun } from './tests-of-run.ts'
import { trialsText } from './trials-text.ts'

/** How many tests that did not pass are named. */
const MOST_NAMED = 20

export const markdown: Reporter = {
  type: 'markdown',
  summary: 'A short summary, for pull requests.',
  ending: '.md',
  render: run => [{ text: summaryOf(run) }],
}

function* summaryOf(run: RunReader): Generator<string> {
  const outcome = outcomeOf(run)
  const { pass_rate } = certaintyOf(outcome.tests)
  const left = outcome.not_run > 0 ? `, ${plural(outcome.not_run, 'attempt')} not run` : ''
  yield `### ${outcome.counts.pass} of ${plural(outcome.tests.length, 'test')} passed: ${rateText(pass_rate)}${left}\n\n`
  yield '| suite | target | tests | pass | borderline | fail | error | pass rate | score |\n'
  yield '|---|---|--:|--:|--:|--:|--:|--:|--:|\n'
  for (const group of groupBy(outcome.tests, ({ suite, target }) => textKey(suite, target)).values()) {
    const [{ suite, target }] = group
    const { pass_rate, score } = certaintyOf(group)
    const counts = ['pass', 'borderline', 'fail', 'error'].map(
      wanted => group.filter(({ verdict }) => verdict === wanted).length,
    )
    const cells = [
      markdownText(suite),
      markdownText(target),
      group.length,
      ...counts,
      rateText(pass_rate),
      scoreText(score),
    ]
    yield `| ${cells.join(' | ')} |\n`
  }
  if (outcome.tests.length > 0)
    yield `\n${trialsText(outcome).split('\n').filter(Boolean).map(markdownText).join('  \n')}\n`
  yield* failures(
    testsOfRun(run, outcome).filter(({ outcome: { verdict } }) => verdict === 'fail' || verdict === 'error'),
  )
}

function* failures(tests: readonly TestOfRun[]): Generator<string> {
  if (tests.length === 0) return
  yield '\n'
  for (const { outcome, attempts } of tests.slice(0, MOST_NAMED)) {
    const results = attempts().filter(({ verdict }) => verdict !== 'pass')
    const [first] = results
    const why = cutText(onOneLine(mainReason(outcome.verdict, results) ?? ''), 200)
    const place = `${outcome.file}:${first?.line ?? 1}`
    yield `- **${outcome.verdict}** ${markdownText(outcome.test_id)} on ${markdownText(outcome.target)} (${markdownText(place)}): ${markdownText(why)}\n`
  }
  if (tests.length > MOST_NAMED) yield `- and ${tests.length - MOST_NAMED} more\n`
}

/** Text that is nothing but text: no markup, no link, nobody is called. */
function markdownText(text: string): string {
  return onOneLine(text).replace(MARKUP, character => {
    // GitHub looks for names and issues in what is shown: nothing that one sees stands between.
    const end = character === '@' || character === '#' ? '&#8203;' : ''
    return `&#${character.charCodeAt(0)};${end}`
  })
}

const MARKUP = /[\\`*_{}[\]()<>|~$&@#]|:(?=\/\/)|(?<=\bwww)\./gi
