import { compositeKey, groupBy } from '../lib/collections.ts'
import { printableLine } from '../lib/text/escape.ts'
import { plural } from '../lib/text/format.ts'
import { truncate } from '../lib/text/quote.ts'
import { armName } from '../model/result.ts'
import type { RunReader } from '../model/run-reader.ts'
import type { Verdict } from '../model/verdict.ts'
import { compareAgainst, comparisonSections } from './compare/against.ts'
import { runArms } from './compare/arms.ts'
import { sectionMarkdown } from './compare/text/section-markdown.ts'
import { formatMeanScore, formatRate, trialsText } from './estimates-text.ts'
import { markdownText } from './markdown-text.ts'
import { estimatesOf } from './outcome/estimates.ts'
import { listMarked } from './outcome/marked-tests.ts'
import { notesBesideArms } from './outcome/run-notes.ts'
import { countsOf, isNotable, type Outcome, outcomeOf } from './outcome/run-outcome.ts'
import { type RunTest, runTests } from './outcome/run-tests.ts'
import type { TestOutcome } from './outcome/test-outcome.ts'
import { provenanceLinks, provenanceText } from './provenance.ts'
import { allReasons } from './reasons.ts'
import type { Reporter, ReportOptions } from './reporter.ts'
import { runSlices } from './slices/run-slices.ts'
import { tableMarkdown } from './slices/slices-markdown.ts'
import { slicesTable } from './slices/slices-table.ts'
import { testsText } from './summary.ts'

/** Maximum number of tests that are listed. */
const MAX_TESTS = 20

/** Maximum number of reasons per test. */
const MAX_REASONS = 5

export const markdown: Reporter = {
  type: 'markdown',
  summary: 'A short summary, for pull requests.',
  accepts_by: true,
  accepts_against: true,
  render: (run, options) => [{ text: summaryOf(run, options) }],
}

function* summaryOf(run: RunReader, { by, against }: ReportOptions = {}): Generator<string> {
  const outcome = outcomeOf(run)
  yield* heading(outcome)
  for (const note of notesBesideArms(outcome)) yield `**${markdownText(note)}**\n\n`
  yield '| suite | target | tests | pass | borderline | fail | error | pass rate | score |\n'
  yield '|---|---|--:|--:|--:|--:|--:|--:|--:|\n'
  for (const group of groupBy(outcome.tests, armOfSuite).values()) {
    const [{ suite, target, is_control }] = group
    const { pass_rate, score } = estimatesOf(group)
    const counts = ['pass', 'borderline', 'fail', 'error'].map(
      wanted => group.filter(({ verdict }) => verdict === wanted).length,
    )
    const cells = [
      markdownText(suite),
      markdownText(armName(target, is_control)),
      group.length,
      ...counts,
      formatRate(pass_rate),
      formatMeanScore(score, group.length),
    ]
    yield `| ${cells.join(' | ')} |\n`
  }
  if (outcome.tests.length > 0)
    yield `\n${trialsText(outcome).split('\n').filter(Boolean).map(markdownText).join('  \n')}\n`
  const sliced = runSlices(run, outcome, by)
  if (sliced) yield `\n${tableMarkdown(slicesTable(sliced.by, sliced.slices))}`
  const tests = runTests(run, outcome)
  const notable = tests.filter(({ outcome }) => isNotable(outcome))
  const withVerdict = (wanted: Verdict) => notable.filter(({ outcome: { verdict } }) => verdict === wanted)
  yield* failures([...withVerdict('error'), ...withVerdict('fail')])
  yield* marked(outcome)
  const sections = comparisonSections(runArms(run, outcome), against && compareAgainst(run, against))
  for (const section of sections) yield `\n${sectionMarkdown(section.title, section)}`
  yield provenanceMarkdown(run)
}

/** Where the run comes from, with links to the commit and the CI job. */
function provenanceMarkdown({ info }: RunReader): string {
  const text = provenanceText(info)
  const { commit_url, ci_url } = provenanceLinks(info ?? {})
  const origin = text && (commit_url ? `[${markdownText(text)}](${commit_url})` : markdownText(text))
  const parts = [...(origin ? [origin] : []), ...(ci_url ? [`[CI job](${ci_url})`] : [])]
  return parts.length === 0 ? '' : `\n${parts.join(', ')}\n`
}

function armOfSuite({ suite, target, is_control }: TestOutcome): string {
  return compositeKey(suite, target, String(is_control))
}

/** The pass rate of each target: several targets have no common rate. */
function* heading(outcome: Outcome): Generator<string> {
  const { tests, not_run } = outcome
  const left = not_run > 0 ? `, ${plural(not_run, 'attempt')} not run` : ''
  const targets = [...groupBy(tests, ({ target }) => target)]
  if (targets.length > 1) {
    yield `### ${testsText(outcome)}${left}\n\n`
    for (const [target, group] of targets) {
      const isControl = group.every(({ is_control }) => is_control)
      yield `- ${markdownText(armName(target, isControl))}: ${passedText(group)}\n`
    }
    yield '\n'
  } else if (tests.length === 0 && outcome.quarantined.length > 0)
    yield `### All tests that ran are in quarantine${left}\n\n`
  else yield `### ${passedText(tests)}${left}\n\n`
}

/** `1 of 3 tests passed: 33 % [6–79]`; with several trials, the rate counts attempts. */
function passedText(tests: readonly TestOutcome[]): string {
  const { pass_rate } = estimatesOf(tests)
  const passed = `${countsOf(tests).pass} of ${plural(tests.length, 'test')} passed`
  if (!pass_rate) return 'No tests were run'
  const isSingle = pass_rate.attempts === tests.length
  return isSingle ? `${passed}: ${formatRate(pass_rate)}` : `pass rate ${formatRate(pass_rate)}, ${passed}`
}

function* failures(tests: readonly RunTest[]): Generator<string> {
  if (tests.length === 0) return
  yield '\n'
  for (const { outcome, attempts } of tests.slice(0, MAX_TESTS)) {
    const results = attempts().filter(({ verdict }) => verdict !== 'pass')
    const [first] = results
    const why = whyText(allReasons(outcome.verdict, results))
    const location = `${outcome.file}:${first?.line ?? 1}`
    yield `- **${outcome.verdict}** ${markdownText(outcome.test_id)} on ${markdownText(armName(outcome.target, outcome.is_control))} (${markdownText(location)}): ${markdownText(why)}\n`
  }
  const more = tests.slice(MAX_TESTS).map(({ outcome }) => outcome)
  if (more.length > 0) {
    const { error, fail } = countsOf(more)
    const parts = [...(error > 0 ? [`${error} error`] : []), ...(fail > 0 ? [`${fail} fail`] : [])]
    yield `- and ${more.length} more: ${parts.join(', ')}\n`
  }
}

/** Lists marked tests with their locations and reasons. */
function* marked(outcome: Outcome): Generator<string> {
  const lists = listMarked(outcome).filter(({ tests }) => tests.length > 0)
  if (lists.length > 0) yield '\n'
  for (const { tests, more } of lists) {
    for (const { standing, name, file, line, text } of tests)
      yield `- **${standing}** ${markdownText(name)} (${markdownText(`${file}:${line}`)}): ${markdownText(whyText([text]))}\n`
    for (const line of more) yield `- ${line}\n`
  }
}

/** Joins the first reasons, truncated: `too↵long; late; and 2 more`. */
function whyText(reasons: readonly string[]): string {
  const listed = reasons.slice(0, MAX_REASONS).map(reason => truncate(printableLine(reason.trim()), 200))
  const more = reasons.length - listed.length
  return [...listed, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}
