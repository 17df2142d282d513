import type { Palette } from '../../lib/palette.ts'
import { printableLine } from '../../lib/text/escape.ts'
import { plural } from '../../lib/text/format.ts'
import { renderTable } from '../../lib/text/table.ts'
import { formatMeanScore, formatRate } from '../estimates-text.ts'
import type { Analysis } from './analysis.ts'
import type { Comparison } from './comparison.ts'
import type { Evidence } from './evidence.ts'
import { formatChange, formatP, formatSigned, listText, nameText } from './format-values.ts'
import { areScores, comparedValues, usageMetrics } from './metrics.ts'
import type { Pair, PassCount } from './pair-tests.ts'
import { type BrokenTests, hasError, type TestShift } from './test-changes.ts'
import { verdictText } from './verdict-text.ts'

/** Formats one comparison: estimates, differing tests, evidence and verdict. */
export function comparisonText(comparison: Comparison, palette: Palette): string {
  return [
    estimatesTable(comparison),
    usageText(comparison),
    '\n',
    testsText(comparison, palette),
    '\n',
    comparedValuesText(comparison),
    evidenceText(comparison),
    shiftsText(comparison, palette),
    verdictText(comparison, palette),
  ].join('')
}

function estimatesTable({ before, after, pairs }: Comparison): string {
  const rows = [before, after].map(({ label, pass_rate, score }) => [
    printableLine(label),
    formatRate(pass_rate),
    formatMeanScore(score),
  ])
  return renderTable([[plural(pairs.length, 'paired test'), 'pass rate', 'score'], ...rows], 3)
}

function testsText(comparison: Comparison, palette: Palette): string {
  const { pairs, changed } = comparison
  const worse = sorted(pairs.filter(({ difference }) => difference < 0))
  const improved = sorted(pairs.filter(({ difference }) => difference > 0))
  const same = pairs.length - worse.length - improved.length
  const counts = `${improved.length} improved, ${worse.length} worse, ${same} the same`
  const lists = [
    listText('worse', worse.map(valuesText), palette.error),
    listText('improved', improved.map(valuesText), palette.good),
    listText('new', comparison.new.map(nameText), palette.warning),
    listText('gone', comparison.gone.map(nameText), palette.warning),
    listText('changed', changed.map(nameText), palette.warning),
  ]
  return `${plural(pairs.length, 'test')} compared: ${counts}${leftOut(comparison)}\n${lists.join('')}`
}

/** Sorts by size of the difference. */
function sorted(pairs: readonly Pair[]): Pair[] {
  return pairs.toSorted((a, b) => Math.abs(b.difference) - Math.abs(a.difference))
}

function leftOut({ new: added, gone, changed }: Comparison): string {
  const parts = [
    ...(added.length > 0 ? [`${added.length} new`] : []),
    ...(gone.length > 0 ? [`${gone.length} gone`] : []),
    ...(changed.length > 0 ? [`${changed.length} changed`] : []),
  ]
  return parts.length > 0 ? `; left out: ${parts.join(', ')}` : ''
}

function valuesText(pair: Pair): string {
  const [before, after] = pair.outcomes.map(({ errors }) => errors)
  const errors = hasError(pair) ? ` (errors: ${before} → ${after})` : ''
  return `${nameText(pair)} ${formatChange(pair.before, pair.after)}${errors}`
}

/** Shows the compared values if they differ from the scores. */
function comparedValuesText(comparison: Comparison): string {
  if (comparison.pairs.length === 0 || areScores(comparison)) return ''
  return `compared: ${formatChange(...comparedValues(comparison))} (an error or a missed required check counts as 0)\n`
}

/** `cost $0.0100 → $0.0112: +$0.0012 [+$0.0003 to +$0.0021], +12 % [+3 to +21 %]`. */
function usageText(comparison: Comparison): string {
  return usageMetrics(comparison)
    .map(({ name, before, after, difference }) => `${name} ${before} → ${after}: ${difference}\n`)
    .join('')
}

/** Lists single tests that broke or were fixed. */
function shiftsText({ broke, mended, repeated_tests }: BrokenTests, palette: Palette): string {
  const line = (shift: TestShift) =>
    `${nameText(shift)} ${passesText(shift.before)} → ${passesText(shift.after)}, ${formatP(shift.p)} (Fisher, Holm over ${plural(repeated_tests, 'test')}: ${formatP(shift.adjusted_p)})`
  return `${listText('broke', broke.map(line), palette.error)}${listText('mended', mended.map(line), palette.good)}`
}

function passesText({ passed, attempts }: PassCount): string {
  return `${passed} of ${attempts}`
}

/** Formats the differences of values and pass rate, with and without tests that have errors. */
function evidenceText(comparison: Comparison): string {
  const { pairs, without_errors } = comparison
  if (pairs.length === 0) return 'no test is the same on both sides: nothing to compare\n'
  const first = `${errorsText(comparison)}${differenceTexts(comparison).join('\n')}\n`
  if (!without_errors) return first
  const left = plural(pairs.length - without_errors.tests, 'test')
  const rest = without_errors.evidence ? differenceTexts(without_errors).join('; ') : 'no tests left'
  return `${first}without the ${left} with errors: ${rest}, ${without_errors.verdict}\n`
}

/** `errors: 0 of 24 attempts before, 5 of 24 after`. */
function errorsText({ errors, pairs }: Comparison): string {
  if (errors.before + errors.after === 0) return ''
  const attempts = (side: 0 | 1) => pairs.reduce((sum, { outcomes }) => sum + outcomes[side].attempts, 0)
  return `errors: ${errors.before} of ${plural(attempts(0), 'attempt')} before, ${errors.after} of ${attempts(1)} after\n`
}

/** `difference −0.167 [−0.329 to +0.021], p = 0.0625 (mid-p McNemar)`, and a `pass rate` line if it differs. */
function differenceTexts({ evidence, adjusted_p, pass_evidence, pass_adjusted_p }: FoundEvidence): string[] {
  const values = evidence ? [differenceText('difference', evidence, adjusted_p)] : []
  if (!pass_evidence || pass_evidence === evidence) return values
  const passes = differenceText('pass rate', pass_evidence, pass_adjusted_p)
  return values[0]?.slice('difference'.length) === passes.slice('pass rate'.length) ? values : [...values, passes]
}

type FoundEvidence = Pick<Analysis, 'evidence' | 'adjusted_p' | 'pass_evidence' | 'pass_adjusted_p'>

function differenceText(label: string, evidence: Evidence, adjusted_p: number | undefined): string {
  const { mean, interval, p, test, assumed } = evidence
  const range = interval ? ` [${formatSigned(interval.low)} to ${formatSigned(interval.high)}]` : ''
  if (p === undefined) return `${label} ${formatSigned(mean)}${range}`
  const question = assumed === 0 ? '' : `, against a loss of ${-assumed}`
  const adjusted =
    adjusted_p === undefined || formatP(adjusted_p) === formatP(p) ? '' : `, adjusted ${formatP(adjusted_p)} (Holm)`
  return `${label} ${formatSigned(mean)}${range}, ${formatP(p)} (${test}${question})${adjusted}`
}
