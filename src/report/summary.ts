import { compositeKey, groupBy } from '../lib/collections.ts'
import type { Palette } from '../lib/palette.ts'
import { printableLine } from '../lib/text/escape.ts'
import { formatDollars, formatInteger, plural } from '../lib/text/format.ts'
import { renderFitting } from '../lib/text/table.ts'
import { wrapIndented } from '../lib/text/wrap.ts'
import { armName } from '../model/result.ts'
import { formatScore } from '../model/verdict.ts'
import type { TitledSection } from './compare/text/comparison-section.ts'
import { sectionsText } from './compare/text/sections-text.ts'
import { formatRate, scoredTestsText, trialsText } from './estimates-text.ts'
import { failedTrialsText, lineText } from './failure-text.ts'
import { carriedProblems } from './outcome/carried-tests.ts'
import { correctionLines } from './outcome/corrected/corrected-text.ts'
import { estimatesOf } from './outcome/estimates.ts'
import { apartTexts, listMarked, standingOf, standingTexts, VERDICT_WORDS } from './outcome/marked-tests.ts'
import { recordNotes, withoutArmDecisions } from './outcome/run-notes.ts'
import { countsOf, type Outcome } from './outcome/run-outcome.ts'
import type { TestOutcome } from './outcome/test-outcome.ts'
import { pairTexts } from './pair-text.ts'
import type { RunSlices } from './slices/run-slices.ts'
import { slicesTable, sliceTableText } from './slices/slices-table.ts'
import type { SummaryStyle } from './summary-style.ts'
import { triggersText } from './trigger-text.ts'
import { paint } from './verdict-colour.ts'

/** Parts of a summary besides the outcome. */
export interface SummaryParts {
  /** Omits the table of suites. */
  readonly quiet?: boolean | undefined
  /** The comparisons with saved results and with control arms. */
  readonly sections: readonly TitledSection[]
  readonly slices?: RunSlices | undefined
}

/** Formats the summary of a run in blocks. What failed comes first, so that the table and the verdict are on the screen at the end. */
export function summaryBlocks(outcome: Outcome, style: SummaryStyle, parts: SummaryParts): string[] {
  const { quiet = false, sections, slices } = parts
  const { palette, columns } = style
  const blocks = [
    notableText(outcome, style),
    carriedProblemsText(outcome, style),
    markedText(outcome, style, quiet),
    triggersText(outcome, palette, quiet),
    quiet ? '' : pairsText(outcome),
    slices ? sliceTableText(slicesTable(slices.by, slices.slices), columns) : '',
    quiet || outcome.tests.length === 0
      ? ''
      : `${suitesTable(outcome, columns)}${correctionsText(outcome)}${trialsText(outcome)}`,
    `${[...recordNotes(withoutArmDecisions(outcome)).map(printableLine), countsText(outcome, palette)].join('\n')}${spendText(outcome)}\n`,
    sectionsText(sections, palette, quiet),
  ]
  return blocks.filter(block => block !== '').map(block => wrapIndented(block, columns))
}

function pairsText(outcome: Outcome): string {
  return pairTexts(outcome)
    .map(line => `${printableLine(line)}\n`)
    .join('')
}

/** `, cost $0.0123, judges $0.0045 (12 calls)`, if known. */
function spendText({ cost_usd, judge_usage: judges }: Outcome): string {
  const cost = cost_usd === undefined ? '' : `, cost ${formatDollars(cost_usd)}`
  if (!judges) return cost
  if (judges.cost_usd === undefined) return `${cost}, ${plural(judges.calls, 'judge call')}`
  return `${cost}, judges ${formatDollars(judges.cost_usd)} (${plural(judges.calls, 'call')})`
}

function suitesTable({ tests }: Outcome, columns: number | undefined): string {
  const groups = groupBy(tests, ({ suite, target, is_control }) => compositeKey(suite, target, String(is_control)))
  const header = ['suite', 'target', 'tests', 'pass', 'borderline', 'fail', 'error', 'pass rate', 'score']
  const rows = [...groups.values()].map(group => {
    const { pass, borderline, fail, error } = countsOf(group)
    const [{ suite, target, is_control }] = group
    const { pass_rate, score } = estimatesOf(group)
    return [
      printableLine(suite),
      armName(target, is_control),
      ...[group.length, pass, borderline, fail, error].map(String),
      formatRate(pass_rate),
      score ? `${formatScore(score.mean)}${scoredTestsText(score, group.length)}` : '-',
    ]
  })
  const empty = ['borderline', 'error'].filter(name => rows.every(row => row[header.indexOf(name)] === '0'))
  const sheds = [...empty, 'score', 'tests', ...(new Set(rows.map(([suite]) => suite)).size === 1 ? ['suite'] : [])]
  return renderFitting([header, ...rows], 2, { columns, sheds })
}

/** The pass rate of each target as people would give it, one line each. */
function correctionsText(outcome: Outcome): string {
  return correctionLines(outcome)
    .map(line => `${printableLine(line)}\n`)
    .join('')
}

/** Lists the results that did not pass, with failed checks, reasons and locations. */
function notableText({ notable, more }: Outcome, style: SummaryStyle): string {
  const blocks = notable.map(failed => failedTrialsText(failed, style))
  const rest = more > 0 ? `and ${plural(more, 'more result')} that did not pass\n` : ''
  return `${blocks.join('\n')}${rest}`
}

/** Maximum number of tests that were carried over in a list. */
const MAX_CARRIED = 20

/** Lists the results that were carried over and fail the gate as if they had been run. */
function carriedProblemsText({ carried }: Outcome, { palette, displayPath }: SummaryStyle): string {
  const found = carriedProblems(carried)
  const lines = found.slice(0, MAX_CARRIED).map(test => {
    const { test_id, target, is_control, verdict, file, line } = test
    const head = paint(verdict, palette)(standingOf(test) ?? verdict)
    const location = palette.faint(`${printableLine(displayPath(file))}:${line}`)
    const name = palette.strong(printableLine(`${test_id} on ${armName(target, is_control)}`))
    return `${head} ${name} ${location} carried over\n`
  })
  const more = found.length - lines.length
  return `${lines.join('')}${more > 0 ? `and ${more} more carried over\n` : ''}`
}

/** Lists marked tests with their locations and reasons; quiet, only those that fail the gate. */
function markedText(outcome: Outcome, { palette, displayPath }: SummaryStyle, quiet: boolean): string {
  const [unexpected, ...others] = listMarked(outcome)
  const lines = [...(unexpected ? [unexpected] : []), ...(quiet ? [] : others)].flatMap(({ tests, more }) => {
    const listed = tests.map(({ standing, name, file, line, text }) => {
      const colour = standing === 'unexpected pass' ? palette.error : palette.warning
      const location = palette.faint(`${printableLine(displayPath(file))}:${line}`)
      return `${colour(standing)} ${palette.strong(printableLine(name))} ${location}: ${lineText(text)}`
    })
    return [...listed, ...more]
  })
  return lines.map(line => `${line}\n`).join('')
}

/**
 * `6 tests: 3 passed, 1 failed, 2 not run; 2 skipped`;
 * `3 tests × 2 targets: 3 passed; control arm: 1 passed, 2 failed`.
 */
export function countsText(outcome: Outcome, palette: Palette): string {
  const { tests, planned_tests, not_run } = outcome
  const parts = verdictParts(
    tests.filter(({ is_control }) => !is_control),
    palette,
  )
  const controls = verdictParts(
    tests.filter(({ is_control }) => is_control),
    palette,
  )
  const left = planned_tests - tests.length
  if (left > 0) parts.push(palette.warning(`${left} not run`))
  else if (not_run > 0) parts.push(palette.warning(`${plural(not_run, 'attempt')} not run`))
  const control = controls.length > 0 ? `; control arm: ${controls.join(', ')}` : ''
  const apart = apartTexts(outcome).map(text => `; ${palette.warning(text)}`)
  return `${testsText(outcome)}: ${parts.join(', ') || 'none run'}${control}${apart.join('')}`
}

/** `3 passed`, `1 failed`, `1 expected failure`. */
function verdictParts(tests: readonly TestOutcome[], palette: Palette): string[] {
  const counts = countsOf(tests.filter(test => !standingOf(test)))
  const verdicts = VERDICTS.filter(verdict => counts[verdict] > 0).map(verdict =>
    paint(verdict, palette)(`${counts[verdict]} ${VERDICT_WORDS[verdict]}`),
  )
  const marked = standingTexts(tests).map(({ standing, text }) =>
    standing === 'unexpected pass' ? palette.error(text) : palette.warning(text),
  )
  return [...verdicts, ...marked]
}

/** `6 tests`, `2,000 tests × 3 targets`, or `7 tests on 2 targets (9 cases)` if the targets have different tests. */
export function testsText(outcome: Pick<Outcome, 'tests' | 'planned_tests' | 'distinct_tests'>): string {
  const { tests, planned_tests: cases, distinct_tests: distinct } = outcome
  const targets = new Set(tests.map(({ target }) => target)).size
  const count = (number: number, noun: string) => `${formatInteger(number)} ${noun}${number === 1 ? '' : 's'}`
  if (targets < 2) return count(cases, 'test')
  if (distinct * targets === cases) return `${count(distinct, 'test')} × ${targets} targets`
  return `${count(distinct, 'test')} on ${targets} targets${distinct === cases ? '' : ` (${count(cases, 'case')})`}`
}

const VERDICTS = ['pass', 'borderline', 'fail', 'error'] as const
