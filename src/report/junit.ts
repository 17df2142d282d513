import { groupBy } from '../lib/collections.ts'
import { withoutNullish } from '../lib/objects.ts'
import { escapeXml, terminalSafeXml } from '../lib/text/escape.ts'
import { markText } from '../model/mark.ts'
import type { Result } from '../model/result.ts'
import type { SkippedRecord } from '../model/run-info.ts'
import { type RunReader, testKey } from '../model/run-reader.ts'
import { formatScore, marksOf } from '../model/verdict.ts'
import { changesLine } from './changes-text.ts'
import { correctedOutcome } from './outcome/corrected/corrected-rates.ts'
import { correctionLines } from './outcome/corrected/corrected-text.ts'
import { allTests, standingOf } from './outcome/marked-tests.ts'
import { runNotes } from './outcome/run-notes.ts'
import { attemptsWithoutResult, type RunTest, runTests } from './outcome/run-tests.ts'
import type { TestOutcome } from './outcome/test-outcome.ts'
import { provenanceFields, provenanceLinks } from './provenance.ts'
import { mainReason, reasonsOf } from './reasons.ts'
import type { Reporter, ReportOptions } from './reporter.ts'

export const junit: Reporter = {
  type: 'junit',
  summary: 'JUnit XML, for CI systems: a case for each test on a target.',
  render: (run, options) => [{ text: documentOf(run, options) }],
  terminalSafe: terminalSafeXml,
}

function* documentOf(run: RunReader, { calibrations }: ReportOptions = {}): Generator<string> {
  const outcome = correctedOutcome(run, calibrations)
  const tests = runTests(run, { tests: allTests(outcome) })
  const missing = attemptsWithoutResult(run)
  const notes = [...runNotes(outcome), ...correctionLines(outcome)]
  const times = timesOf(run)
  const groups = [...groupBy(tests, suiteName)]
  const { skipped, ...problems } = countsOf(tests)
  const carried = (outcome.carried?.tests ?? []).map(withoutAttempts)
  const carriedCounts = carriedCountsOf(carried)
  const counts = {
    failures: problems.failures + carriedCounts.failures,
    errors: problems.errors + carriedCounts.errors,
    tests: tests.length + missing.length + outcome.skipped.length + carried.length,
    skipped: skipped + missing.length + outcome.skipped.length + carriedCounts.skipped,
    time: timeOf(tests, times),
  }
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${attributes({ name: 'assay', ...counts })}>\n`
  for (const [name, group] of groups) {
    const facts = { name, tests: group.length, ...countsOf(group) }
    yield `  <testsuite${attributes({ ...facts, time: timeOf(group, times), timestamp: run.info?.started })}>\n`
    yield* propertiesOf(notes, run)
    for (const test of group) yield* caseOf(test, name, timeOf([test], times))
    yield '  </testsuite>\n'
  }
  for (const [name, group] of groupBy(carried, suiteName)) {
    yield `  <testsuite${attributes({ name, tests: group.length, ...carriedCountsOf(group) })}>\n`
    yield* propertiesOf(notes, run)
    for (const { outcome: test } of group) yield carriedCase(test, name, outcome.carried?.from ?? '')
    yield '  </testsuite>\n'
  }
  for (const [name, group] of groupBy(outcome.skipped, ({ suite }) => suite)) yield* skippedSuite(name, group)
  if (missing.length > 0) {
    const facts = { name: 'not run', tests: missing.length, failures: 0, errors: 0, skipped: missing.length }
    yield `  <testsuite${attributes(facts)}>\n`
    for (const id of missing)
      yield `    <testcase${attributes({ name: `attempt ${id}`, classname: 'not run' })}><skipped/></testcase>\n`
    yield '  </testsuite>\n'
  }
  yield '</testsuites>\n'
}

function withoutAttempts(outcome: TestOutcome): RunTest {
  return { outcome, attempts: () => [] }
}

/** Results that were carried over: those that fail the gate, and the others as skipped, since they were not run. */
function carriedCountsOf(tests: readonly RunTest[]) {
  const { failures, errors } = countsOf(tests)
  return { failures, errors, skipped: tests.length - failures - errors }
}

function carriedCase(test: TestOutcome, classname: string, from: string): string {
  const { test_id: name, file, line, verdict } = test
  const element = elementOf(test) ?? 'skipped'
  const message = `${standingOf(test) ?? verdict}, carried over from ${from}`
  const inside = `<${element}${attributes(element === 'skipped' ? { message } : { message, type: verdict })}/>`
  return `    <testcase${attributes({ name, classname, file, line })}>${inside}</testcase>\n`
}

/** A suite of the tests that were not run on any target. */
function* skippedSuite(name: string, tests: readonly SkippedRecord[]): Generator<string> {
  const facts = { name, tests: tests.length, failures: 0, errors: 0, skipped: tests.length }
  yield `  <testsuite${attributes(facts)}>\n`
  for (const { test_id, file, line, reason } of tests) {
    const inside = `<skipped${attributes({ message: reason })}/>`
    yield `    <testcase${attributes({ name: test_id, classname: name, file, line })}>${inside}</testcase>\n`
  }
  yield '  </testsuite>\n'
}

/** Writes the notes on the run, and where it comes from, into each suite: JUnit has no properties above them. */
function* propertiesOf(notes: readonly string[], { info }: RunReader): Generator<string> {
  const { ci_url } = provenanceLinks(info ?? {})
  const origin = Object.entries(withoutNullish({ ...provenanceFields(info), ci_url }))
  const properties = [...notes.map(note => ['assay', note] as const), ...origin]
  if (properties.length === 0) return
  yield '    <properties>\n'
  for (const [name, value] of properties) yield `      <property${attributes({ name, value: String(value) })}/>\n`
  yield '    </properties>\n'
}

function suiteName({ outcome: { suite, target, is_control } }: RunTest): string {
  return `${suite}/${target}${is_control ? ' (control)' : ''}`
}

function countsOf(tests: readonly RunTest[]) {
  const count = (wanted: string) => tests.filter(({ outcome }) => elementOf(outcome) === wanted).length
  return { failures: count('failure'), errors: count('error'), skipped: count('skipped') }
}

/** The element of a test that did not pass; a borderline test passes, as in the quality gate. */
function elementOf(test: TestOutcome): 'failure' | 'error' | 'skipped' | undefined {
  const { verdict, is_control } = test
  const standing = standingOf(test)
  if (standing === 'unexpected pass') return 'failure'
  if (standing === 'expected failure') return 'skipped'
  if (verdict !== 'fail' && verdict !== 'error') return undefined
  // JUnit has no word for a failure that does not count: readers show `skipped` with its message.
  if (is_control || standing === 'quarantined') return 'skipped'
  return verdict === 'fail' ? 'failure' : 'error'
}

/** Duration of each test in milliseconds: its answers or failed attempts, plus the longest of the concurrent checks. */
function timesOf(run: RunReader): ReadonlyMap<string, number> {
  const times = new Map<string, number>()
  for (const result of run.results()) {
    const key = testKey(result)
    const judging = result.evaluator_results.reduce((most, { duration_ms }) => Math.max(most, duration_ms), 0)
    times.set(key, (times.get(key) ?? 0) + (result.duration_ms ?? result.elapsed_ms ?? 0) + judging)
  }
  return times
}

/** Formats seconds; never 0 for tests that took some time. */
function timeOf(tests: readonly RunTest[], times: ReadonlyMap<string, number>): string {
  const ms = tests.reduce((sum, { outcome }) => sum + (times.get(testKey(outcome)) ?? 0), 0)
  return (ms / 1000).toFixed(ms > 0 && ms < 1 ? 6 : 3)
}

function* caseOf({ outcome, attempts }: RunTest, classname: string, time: string): Generator<string> {
  const results = attempts()
  const [first] = results
  const location = { file: outcome.file, line: first?.line, time }
  const inside = problemOf(outcome, results)
  yield `    <testcase${attributes({ name: outcome.test_id, classname, ...location })}>${inside}</testcase>\n`
}

function problemOf(outcome: TestOutcome, results: readonly Result[]): string {
  const element = elementOf(outcome)
  if (!element) return ''
  const { verdict } = outcome
  const attemptTexts = results.filter(result => result.verdict !== 'pass').map(attemptText)
  const summary = summaryOf(outcome, mainReason(verdict, results) ?? verdict)
  const type = results.find(({ error }) => error)?.error?.code ?? standingOf(outcome) ?? verdict
  return `<${element}${attributes({ message: summary, type })}>${escapeXml(attemptTexts.join('\n\n'))}</${element}>`
}

/** The message of a test that did not pass, or is marked. */
function summaryOf(outcome: TestOutcome, reason: string): string {
  const { verdict, is_control, mark } = outcome
  const standing = standingOf(outcome)
  if (mark && standing === 'unexpected pass') return `unexpected pass: remove \`expected_failure\` (${mark.reason})`
  if (mark && standing) return markText(mark)
  return is_control ? `${verdict} of the control arm, which does not count: ${reason}` : reason
}

function attemptText(result: Result): string {
  const head = `trial ${result.trial}: ${result.verdict}${result.score === null ? '' : `, score ${formatScore(result.score, 2, marksOf(result.threshold))}`}`
  const answer = result.answer === null ? [] : [`answer: ${result.answer}`]
  const reasons = reasonsOf(result).map(reason => `- ${reason.replaceAll('\n', '\n  ')}`)
  return [head, ...reasons, ...answer, ...changesLine(result)].join('\n')
}

function attributes(values: Readonly<Record<string, string | number | undefined>>): string {
  const defined = Object.entries(values).filter(([, value]) => value !== undefined)
  return defined.map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`).join('')
}
