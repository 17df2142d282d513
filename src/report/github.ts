import { groupBy } from '../lib/collections.ts'
import { printable, printableLine, workflowCommand } from '../lib/text/escape.ts'
import { plural } from '../lib/text/format.ts'
import { truncate } from '../lib/text/quote.ts'
import type { RunReader } from '../model/run-reader.ts'
import { markdown } from './markdown.ts'
import { runNotes } from './outcome/run-notes.ts'
import { outcomeOf } from './outcome/run-outcome.ts'
import { type RunTest, runTests } from './outcome/run-tests.ts'
import { reasonsOf } from './reasons.ts'
import type { Reporter } from './reporter.ts'

/** GitHub silently drops more than ten annotations of a kind per step. */
const MAX_ANNOTATIONS = 10

export const github: Reporter = {
  type: 'github',
  summary: 'Annotations of GitHub Actions; the summary of the step is written too, where there is one.',
  render: run => [{ text: annotations(run) }],
  companion: { variable: 'GITHUB_STEP_SUMMARY', reporter: markdown },
}

/** Annotation levels of GitHub with their verdicts, the worst first. */
const KINDS = [
  { level: 'error', verdicts: ['fail', 'error'] },
  { level: 'warning', verdicts: ['borderline'] },
] as const

function* annotations(run: RunReader): Generator<string> {
  const outcome = outcomeOf(run)
  const tests = runTests(run, outcome)
  for (const note of runNotes(outcome)) yield workflowCommand('notice', {}, printable(note))
  for (const { level, verdicts } of KINDS) {
    const found = verdicts.flatMap(verdict => tests.filter(({ outcome }) => outcome.verdict === verdict))
    // The last annotation counts the rest.
    const listed = found.length > MAX_ANNOTATIONS ? found.slice(0, MAX_ANNOTATIONS - 1) : found
    for (const test of listed) yield annotation(test, level)
    const more = found.slice(listed.length)
    if (more.length > 0)
      yield workflowCommand(level, {}, `and ${plural(more.length, 'more test')}: ${countsText(more)}`)
  }
}

/** `3 fail, 1 error`. */
function countsText(tests: readonly RunTest[]): string {
  const groups = groupBy(tests, ({ outcome }) => outcome.verdict)
  return [...groups].map(([verdict, group]) => `${group.length} ${verdict}`).join(', ')
}

function annotation({ outcome, attempts }: RunTest, level: string): string {
  const results = attempts().filter(({ verdict }) => verdict !== 'pass')
  const [first] = results
  const title = `${outcome.verdict}: ${outcome.test_id} on ${outcome.target}`
  const reasons = [...new Set(results.flatMap(reasonsOf))]
  const location = { file: printable(outcome.file), line: String(first?.line ?? 1) }
  const text = truncate(printable(reasons.join('\n')) || outcome.verdict, 1000)
  return workflowCommand(level, { ...location, title: printableLine(title) }, text)
}
