import type { Interval } from '../../../lib/statistics/intervals.ts'
import type { ComparisonVerdict } from '../../../report/compare/analysis.ts'
import type { Evidence } from '../../../report/compare/evidence.ts'
import { formatSigned } from '../../../report/compare/text/format-values.ts'
import type { ComparedData } from '../../../report/html/view-data.ts'
import { sliceText } from '../../../report/slices/slices-table.ts'

/** A line of a forest plot: a difference with its interval. */
export interface ForestRow {
  readonly name: string
  readonly tests: number
  readonly difference: number
  /** Undefined if it has no value, such as for a single test. */
  readonly interval: Interval | undefined
  /** Undefined for a line that has no verdict of its own. */
  readonly verdict: ComparisonVerdict | undefined
  /** `−0.167 [−0.329 to +0.021]`. */
  readonly text: string
  readonly is_slice: boolean
}

/** Slices that a plot shows. */
const MAX_SLICES = 50

/** The lines of a comparison: all tests, and each slice. Empty if nothing can be concluded from a difference. */
export function forestRows(comparison: ComparedData): ForestRow[] {
  const { is_same_run, pairs, slices = [], verdict } = comparison
  if (is_same_run || pairs.length === 0) return []
  return [
    ...rowOf('All tests', pairs.length, comparison.evidence, verdict),
    ...passRateRow(comparison),
    ...withoutErrorsRow(comparison),
    ...slices
      .slice(0, MAX_SLICES)
      .flatMap(({ name, tests, evidence, verdict }) => rowOf(sliceText(name), tests, evidence, verdict, true)),
  ]
}

/** The pass rate, if its difference is not that of the values. */
function passRateRow({ evidence, pass_evidence, pairs }: ComparedData): ForestRow[] {
  const isSame = evidence?.mean === pass_evidence?.mean && evidence?.interval?.low === pass_evidence?.interval?.low
  return isSame ? [] : rowOf('Pass rate', pairs.length, pass_evidence, undefined)
}

function withoutErrorsRow({ without_errors }: ComparedData): ForestRow[] {
  return without_errors
    ? rowOf('Without tests that have errors', without_errors.tests, without_errors.evidence, undefined)
    : []
}

function rowOf(
  name: string,
  tests: number,
  evidence: Evidence | undefined,
  verdict: ComparisonVerdict | undefined,
  is_slice = false,
): ForestRow[] {
  if (!evidence) return []
  const { mean: difference, interval } = evidence
  const range = interval ? ` [${formatSigned(interval.low)} to ${formatSigned(interval.high)}]` : ''
  return [{ name, tests, difference, interval, verdict, text: `${formatSigned(difference)}${range}`, is_slice }]
}

/** The end of a symmetric scale that all lines fit on. */
export function scaleEnd(rows: readonly ForestRow[], margin: number): number {
  const ends = rows.flatMap(({ difference, interval }) => [difference, interval?.low ?? 0, interval?.high ?? 0, margin])
  const most = Math.max(...ends.map(Math.abs))
  return [0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8].find(end => most <= end) ?? 1
}
