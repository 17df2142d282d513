import { groupBy } from '../lib/group-by.ts'
import { harmlessXml, xmlText } from '../lib/xml-text.ts'
import { formatScore, type Verdict } from '../model/marks.ts'
import type { Result } from '../model/result.ts'
import type { RunReader } from '../model/run-reader.ts'
import { outcomeOf } from './outcome.ts'
import { mainReason, reasonsOf } from './reasons.ts'
import type { Reporter } from './reporter.ts'
import { runNotes } from './run-notes.ts'
import { notRun, type TestOfRun, testsOfRun } from './tests-of-run.ts'

export const junit: Reporter = {
  type: 'junit',
  summary: 'JUnit XML, for CI systems: a case for each test on a target.',
  ending: '.xml',
  render: run => [{ text: documentOf(run) }],
  harmless: harmlessXml,
}

function* documentOf(run: RunReader): Generator<string> {
  const outcome = outcomeOf(run)
  const tests = testsOfRun(run, outcome)
  const left = notRun(run)
  const notes = runNotes(outcome)
  const groups = [...groupBy(tests, ({ outcome: { suite, target } }) => `${suite}/${target}`)]
  const counts = { ...countsOf(tests), tests: tests.length + left.length, skipped: left.length }
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${attributes({ name: 'assay', ...counts })}>\n`
  for (const [name, group] of groups) {
    yield `  <testsuite${attributes({ name, tests: group.length, ...countsOf(group), skipped: 0, timestamp: run.info?.started })}>\n`
    yield* propertiesOf(notes)
    for (const test of group) yield* caseOf(test, name)
    yield '  </testsuite>\n'
  }
  if (left.length > 0) {
    const facts = { name: 'not run', tests: left.length, failures: 0, errors: 0, skipped: left.length }
    yield `  <testsuite${attributes(facts)}>\n`
    for (const id of left)
      yield `    <testcase${attributes({ name: `attempt ${id}`, classname: 'not run' })}><skipped/></testcase>\n`
    yield '  </testsuite>\n'
  }
  yield '</testsuites>\n'
}

/** What a reader must know of the run, with each suite: there is no place for it above them. */
function* propertiesOf(notes: readonly string[]): Generator<string> {
  if (notes.length === 0) return
  yield '    <properties>\n'
  for (const note of notes) yield `      <property${attributes({ name: 'assay', value: note })}/>\n`
  yield '    </properties>\n'
}

function countsOf(tests: readonly TestOfRun[]) {
  const count = (wanted: string) => tests.filter(({ outcome: { verdict } }) => verdict === wanted).length
  return { failures: count('fail'), errors: count('error') }
}

function* caseOf({ outcome, attempts }: TestOfRun, classname: string): Generator<string> {
  const results = attempts()
  const [first] = results
  const ms = results.reduce((sum, { duration_ms = 0 }) => sum + duration_ms, 0)
  const place = { file: outcome.file, line: first?.line, time: (ms / 1000).toFixed(3) }
  const inside = problemOf(outcome.verdict, results)
  yield `    <testcase${attributes({ name: outcome.test_id, classname, ...place })}>${inside}</testcase>\n`
}

/** A test that is borderline passes, as it does for the gate where nobody says otherwise. */
function problemOf(verdict: Verdict, results: readonly Result[]): string {
  if (verdict !== 'fail' && verdict !== 'error') return ''
  const element = verdict === 'fail' ? 'failure' : 'error'
  const told = results.filter(result => result.verdict !== 'pass').map(attemptText)
  const summary = mainReason(verdict, results) ?? verdict
  const type = results.find(({ error }) => error)?.error?.code ?? verdict
  return `<${element}${attributes({ message: summary, type })}>${xmlText(told.join('\n\n'))}</${element}>`
}

function attemptText(result: Result): string {
  const head = `trial ${result.trial}: ${result.verdict}${result.score === null ? '' : `, score ${formatScore(result.score)}`}`
  const answer = result.answer === null ? [] : [`answer: ${result.answer}`]
  return [head, ...reasonsOf(result).map(reason => `- ${reason}`), ...answer].join('\n')
}

function attributes(values: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  return given.map(([name, value]) => ` ${name}="${xmlText(String(value))}"`).join('')
}
