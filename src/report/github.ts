import { cutText } from '../lib/cut-text.ts'
import { plural } from '../lib/plural.ts'
import { onOneLine, printable } from '../lib/printable.ts'
import { workflowCommand } from '../lib/workflow-command.ts'
import type { RunReader } from '../model/run-reader.ts'
import { markdown } from './markdown.ts'
import { reasonsOf } from './reasons.ts'
import type { Reporter } from './reporter.ts'
import { type TestOfRun, testsOfRun } from './tests-of-run.ts'

/** GitHub shows ten annotations of a kind for a step, and drops the rest without a word. */
const MOST_SHOWN = 10

export const github: Reporter = {
  type: 'github',
  summary: 'Annotations of GitHub Actions; the summary of the step is written too, where there is one.',
  render: run => [{ text: annotations(run) }],
  besides: { variable: 'GITHUB_STEP_SUMMARY', reporter: markdown },
}

function* annotations(run: RunReader): Generator<string> {
  const tests = testsOfRun(run)
  for (const [verdict, level] of [
    ['fail', 'error'],
    ['error', 'error'],
    ['borderline', 'warning'],
  ] as const) {
    const found = tests.filter(({ outcome }) => outcome.verdict === verdict)
    // The last place is for how many there are besides.
    const shown = found.length > MOST_SHOWN ? found.slice(0, MOST_SHOWN - 1) : found
    for (const test of shown) yield annotation(test, level)
    const more = found.length - shown.length
    if (more > 0) yield workflowCommand(level, {}, `and ${plural(more, 'more test')}: ${verdict}`)
  }
}

function annotation({ outcome, attempts }: TestOfRun, level: string): string {
  const results = attempts().filter(({ verdict }) => verdict !== 'pass')
  const [first] = results
  const title = `${outcome.verdict}: ${outcome.test_id} on ${outcome.target}`
  const reasons = [...new Set(results.flatMap(reasonsOf))]
  const place = { file: outcome.file, line: String(first?.line ?? 1) }
  const text = cutText(printable(reasons.join('\n')) || outcome.verdict, 1000)
  return workflowCommand(level, { ...place, title: onOneLine(title) }, text)
}
