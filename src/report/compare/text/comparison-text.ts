import type { Palette } from '../../../lib/palette.ts'
import { printableLine } from '../../../lib/text/escape.ts'
import { plural } from '../../../lib/text/format.ts'
import { renderTable } from '../../../lib/text/table.ts'
import { formatMeanScore, formatRate } from '../../estimates-text.ts'
import type { Analysis } from '../analysis.ts'
import { applicabilityNotes } from '../applicability-notes.ts'
import type { Comparison } from '../comparison.ts'
import type { Evidence } from '../evidence.ts'
import { formatChange, formatP, formatSigned } from './format-values.ts'
import { areScores, comparedValues, usageMetrics } from './metrics.ts'
import { shiftLists, testCountsText, testLists } from './test-lists.ts'
import { listTexts } from './test-lists-text.ts'
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
    listTexts(shiftLists(comparison), palette),
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
  const notes = [testCountsText(comparison), ...applicabilityNotes(comparison)]
  return `${notes.join('\n')}\n${listTexts(testLists(comparison), palette)}`
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

/** Formats the differences of values and pass rate, with and without tests that have errors. */
function evidenceText(comparison: Comparison): string {
  const { pairs } = comparison
  if (pairs.length === 0) return 'no test is the same on both sides: nothing to compare\n'
  const lines = [...errorNotes(comparison), ...differenceTexts(comparison), ...withoutErrorsNotes(comparison)]
  return lines.map(line => `${line}\n`).join('')
}

/** `errors: 0 of 24 attempts before, 5 of 24 after`. */
export function errorNotes({ errors, pairs }: Comparison): string[] {
  if (errors.before + errors.after === 0) return []
  const attempts = (side: 0 | 1) => pairs.reduce((sum, { outcomes }) => sum + outcomes[side].attempts, 0)
  return [
    `errors: ${errors.before} of ${plural(attempts(0), 'attempt')} before, ${errors.after} of ${attempts(1)} after`,
  ]
}

/** `without the 5 tests with errors: difference …, inconclusive`. */
export function withoutErrorsNotes({ pairs, without_errors }: Comparison): string[] {
  if (!without_errors) return []
  const left = plural(pairs.length - without_errors.tests, 'test')
  const rest = without_errors.evidence ? differenceTexts(without_errors).join('; ') : 'no tests left'
  return [`without the ${left} with errors: ${rest}, ${without_errors.verdict}`]
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
