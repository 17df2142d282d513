import { compositeKey, groupBy } from '../lib/collections.ts'
import { plural } from '../lib/text/format.ts'
import { truncate } from '../lib/text/quote.ts'
import { armName } from '../model/result.ts'
import type { RunInfo } from '../model/run-info.ts'
import type { RunReader } from '../model/run-reader.ts'
import type { Verdict } from '../model/verdict.ts'
import { compareAgainst, comparisonSections } from './compare/against.ts'
import { runArms } from './compare/arms.ts'
import { sectionMarkdown } from './compare/text/section-markdown.ts'
import { formatMeanScore, formatRate, trialsText } from './estimates-text.ts'
import { againstHeading, splitBroken } from './markdown/against-heading.ts'
import { failedTests, locationMarkdown, whyText } from './markdown/failed-tests.ts'
import { markdownText } from './markdown/markdown-text.ts'
import { triggersMarkdown } from './markdown/triggers-markdown.ts'
import { limitedLines, withinLimit } from './markdown/within-limit.ts'
import { carriedProblems } from './outcome/carried-tests.ts'
import { correctedOutcome } from './outcome/corrected/corrected-rates.ts'
import { correctionLines } from './outcome/corrected/corrected-text.ts'
import { estimatesOf } from './outcome/estimates.ts'
import { listMarked } from './outcome/marked-tests.ts'
import { notesBesideArms } from './outcome/run-notes.ts'
import { countsOf, isNotable, type Outcome } from './outcome/run-outcome.ts'
import { type RunTest, runTests } from './outcome/run-tests.ts'
import type { TestOutcome } from './outcome/test-outcome.ts'
import { pairTexts } from './pair-text.ts'
import { provenanceLinks, provenanceText } from './provenance.ts'
import type { Reporter, ReportOptions } from './reporter.ts'
import { runSlices } from './slices/run-slices.ts'
import { tableMarkdown } from './slices/slices-markdown.ts'
import { slicesTable } from './slices/slices-table.ts'
import { testsText } from './summary.ts'
import { triggerTables } from './trigger-table.ts'

const LONGEST_NAME = 200

export const markdown: Reporter = {
  type: 'markdown',
  summary: 'A short summary, for pull requests.',
  accepts_by: true,
  accepts_against: true,
  render: (run, options) => [{ text: withinLimit(blocksOf(run, options)) }],
}

/** The report in blocks, the most important first: what broke since saved results, then the figures. */
function* blocksOf(run: RunReader, { by, against, calibrations }: ReportOptions = {}): Generator<string> {
  const outcome = correctedOutcome(run, calibrations)
  const tests = runTests(run, outcome)
  const failed = failedFirst(tests.filter(({ outcome }) => isNotable(outcome)))
  const compared = against && compareAgainst(run, against)
  const { broken, others } = compared ? splitBroken(failed, compared) : { broken: [], others: failed }
  if (against && compared) {
    yield againstHeading(compared, against.reference.name, against)
    yield failedTests(broken, run.info)
    yield '\n'
  }
  yield heading(outcome)
  yield correctionsMarkdown(outcome)
  for (const note of notesBesideArms(outcome)) yield `**${markdownText(note)}**\n\n`
  yield suitesTable(outcome)
  if (outcome.tests.length > 0)
    yield `\n${trialsText(outcome).split('\n').filter(Boolean).map(markdownText).join('  \n')}\n`
  const sliced = runSlices(run, outcome, by)
  if (sliced) yield `\n${tableMarkdown(slicesTable(sliced.by, sliced.slices))}`
  yield failedTests(
    others.filter(({ outcome: { verdict } }) => verdict !== 'borderline'),
    run.info,
  )
  yield carriedFailures(outcome, run.info)
  yield markedTests(outcome, run.info)
  for (const table of triggerTables(outcome)) yield `\n${triggersMarkdown(table)}`
  const paired = pairTexts(outcome)
  if (paired.length > 0) yield `\n${paired.map(markdownText).join('  \n')}\n`
  for (const section of comparisonSections(runArms(run, outcome), compared))
    yield `\n${sectionMarkdown(section.title, section)}`
  yield provenanceMarkdown(run)
}

function failedFirst(tests: readonly RunTest[]): RunTest[] {
  const withVerdict = (wanted: Verdict) => tests.filter(({ outcome: { verdict } }) => verdict === wanted)
  return [...withVerdict('error'), ...withVerdict('fail'), ...withVerdict('borderline')]
}

/** A row for each suite on a target. */
function suitesTable({ tests }: Outcome): string {
  const groups = [...groupBy(tests, armOfSuite).values()]
  const head = `| suite | target | tests | pass | borderline | fail | error | pass rate | score |
|---|---|--:|--:|--:|--:|--:|--:|--:|
`
  return `${head}${limitedLines(groups.map(suiteRow), groups.length, left => `\nand ${plural(left, 'more row')}\n`)}`
}

function suiteRow(group: readonly [TestOutcome, ...TestOutcome[]]): string {
  const [{ suite, target, is_control }] = group
  const { pass_rate, score } = estimatesOf(group)
  const { pass, borderline, fail, error } = countsOf(group)
  const cells = [
    markdownText(truncate(suite, LONGEST_NAME)),
    markdownText(truncate(armName(target, is_control), LONGEST_NAME)),
    group.length,
    ...[pass, borderline, fail, error],
    formatRate(pass_rate),
    formatMeanScore(score, group.length),
  ]
  return `| ${cells.join(' | ')} |\n`
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
function heading(outcome: Outcome): string {
  const { tests, not_run } = outcome
  const left = not_run > 0 ? `, ${plural(not_run, 'attempt')} not run` : ''
  const targets = [...groupBy(tests, ({ target }) => target)]
  if (targets.length > 1) {
    const rates = targets.map(([target, group]) => {
      const isControl = group.every(({ is_control }) => is_control)
      return `- ${markdownText(truncate(armName(target, isControl), LONGEST_NAME))}: ${passedText(group)}\n`
    })
    const list = limitedLines(rates, rates.length, left => `- and ${plural(left, 'more target')}\n`)
    return `### ${testsText(outcome)}${left}\n\n${list}\n`
  }
  if (tests.length === 0 && outcome.quarantined.length > 0) return `### All tests that ran are in quarantine${left}\n\n`
  if (tests.length === 0 && outcome.carried) return `### All results are carried over${left}\n\n`
  return `### ${passedText(tests)}${left}\n\n`
}

/** The pass rate of each target as people would give it. */
function correctionsMarkdown(outcome: Outcome): string {
  const lines = correctionLines(outcome).map(line => `- ${markdownText(line)}\n`)
  return lines.length === 0
    ? ''
    : `${limitedLines(lines, lines.length, left => `- and ${plural(left, 'more target')}\n`)}\n`
}

/** `1 of 3 tests passed: 33 % [6–79]`; with several trials, the rate counts attempts. */
function passedText(tests: readonly TestOutcome[]): string {
  const { pass_rate } = estimatesOf(tests)
  const passed = `${countsOf(tests).pass} of ${plural(tests.length, 'test')} passed`
  if (!pass_rate) return 'No tests were run'
  const isSingle = pass_rate.attempts === tests.length
  return isSingle ? `${passed}: ${formatRate(pass_rate)}` : `pass rate ${formatRate(pass_rate)}, ${passed}`
}

/** Lists the tests that fail the gate though they were not run. */
function carriedFailures({ carried }: Outcome, info: RunInfo | undefined): string {
  const tests = carriedProblems(carried)
  const lines = tests.map(
    ({ verdict, test_id, target, file, line }) =>
      `- **${verdict}** ${markdownText(truncate(`${test_id} on ${target}`, LONGEST_NAME))} (${locationMarkdown(file, line, info)}): carried over\n`,
  )
  return lines.length === 0 ? '' : `\n${limitedLines(lines, lines.length, left => `- and ${left} more carried over\n`)}`
}

/** Lists marked tests with their locations and reasons. */
function markedTests(outcome: Outcome, info: RunInfo | undefined): string {
  const lists = listMarked(outcome).filter(({ tests }) => tests.length > 0)
  const texts = lists.map(({ tests, more }) => {
    const lines = tests.map(
      ({ standing, name, file, line, text }) =>
        `- **${standing}** ${markdownText(truncate(name, LONGEST_NAME))} (${locationMarkdown(file, line, info)}): ${markdownText(whyText([text]))}\n`,
    )
    return `${limitedLines(lines, lines.length, left => `- and ${left} more\n`)}${more.map(each => `- ${each}\n`).join('')}`
  })
  return texts.length === 0 ? '' : `\n${texts.join('')}`
}
