import { groupBy } from '../lib/collections.ts'
import { printable, printableLine, workflowCommand } from '../lib/text/escape.ts'
import { plural } from '../lib/text/format.ts'
import { truncate } from '../lib/text/quote.ts'
import { armName } from '../model/result.ts'
import type { RunReader } from '../model/run-reader.ts'
import type { Verdict } from '../model/verdict.ts'
import { markdown } from './markdown.ts'
import { carriedProblems } from './outcome/carried-tests.ts'
import { correctedOutcome } from './outcome/corrected/corrected-rates.ts'
import { correctionLines } from './outcome/corrected/corrected-text.ts'
import { isUnexpectedPass, standingOf } from './outcome/marked-tests.ts'
import { runNotes } from './outcome/run-notes.ts'
import { type RunTest, runTests } from './outcome/run-tests.ts'
import type { TestOutcome } from './outcome/test-outcome.ts'
import { reasonsOf } from './reasons.ts'
import type { Reporter, ReportOptions } from './reporter.ts'

/** GitHub silently drops more than ten annotations of a kind per step. */
const MAX_ANNOTATIONS = 10

export const github: Reporter = {
  type: 'github',
  summary: 'Annotations of GitHub Actions; the summary of the step is written too, where there is one.',
  accepts_against: true,
  render: (run, options) => [{ text: annotations(run, options) }],
  companion: { variable: 'GITHUB_STEP_SUMMARY', reporter: markdown },
}

/** Annotation levels of GitHub with their verdicts, and with those of a control arm, which never fails a run. */
const KINDS: readonly { level: string; verdicts: readonly Verdict[]; ofControl: readonly Verdict[] }[] = [
  { level: 'error', verdicts: ['fail', 'error'], ofControl: [] },
  { level: 'warning', verdicts: ['borderline'], ofControl: ['error'] },
]

function* annotations(run: RunReader, { calibrations }: ReportOptions = {}): Generator<string> {
  const outcome = correctedOutcome(run, calibrations)
  const carried = carriedProblems(outcome.carried).map((test): RunTest => ({ outcome: test, attempts: () => [] }))
  const tests = [...runTests(run, outcome), ...carried]
  for (const note of [...runNotes(outcome), ...correctionLines(outcome)])
    yield workflowCommand('notice', {}, printable(note))
  for (const { level, verdicts, ofControl } of KINDS) {
    const found = [
      ...(level === 'error' ? tests.filter(({ outcome }) => isUnexpectedPass(outcome)) : []),
      ...verdicts.flatMap(wanted => tests.filter(({ outcome }) => isOf(outcome, wanted, false))),
      ...ofControl.flatMap(wanted => tests.filter(({ outcome }) => isOf(outcome, wanted, true))),
    ]
    // The last annotation counts the rest.
    const listed = found.length > MAX_ANNOTATIONS ? found.slice(0, MAX_ANNOTATIONS - 1) : found
    for (const test of listed) yield annotation(test, level)
    const more = found.slice(listed.length)
    if (more.length > 0)
      yield workflowCommand(level, {}, `and ${plural(more.length, 'more test')}: ${countsText(more)}`)
  }
}

function isOf(test: TestOutcome, wanted: Verdict, isControl: boolean): boolean {
  return test.verdict === wanted && test.is_control === isControl && !standingOf(test)
}

/** `3 fail, 1 error`. */
function countsText(tests: readonly RunTest[]): string {
  const groups = groupBy(tests, ({ outcome }) => standingOf(outcome) ?? outcome.verdict)
  return [...groups].map(([verdict, group]) => `${group.length} ${verdict}`).join(', ')
}

function annotation({ outcome, attempts }: RunTest, level: string): string {
  const results = attempts().filter(({ verdict }) => verdict !== 'pass')
  const standing = standingOf(outcome)
  const title = `${standing ?? outcome.verdict}: ${outcome.test_id} on ${armName(outcome.target, outcome.is_control)}`
  const reasons = standing
    ? [`remove \`expected_failure\`: ${outcome.mark?.reason}`]
    : [...new Set(results.flatMap(reasonsOf))]
  const location = { file: printable(outcome.file), line: String(outcome.line) }
  // A result that was carried over has no attempts that could have reasons.
  const verdict = outcome.saved_from === undefined ? outcome.verdict : `${outcome.verdict}, carried over`
  const text = truncate(printable(reasons.join('\n')) || verdict, 1000)
  return workflowCommand(level, { ...location, title: printableLine(title) }, text)
}
