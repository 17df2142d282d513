import { printableLine } from '../../lib/text/escape.ts'
import { renderFitting } from '../../lib/text/table.ts'
import { formatMeanScore, formatRate } from '../estimates-text.ts'
import type { SliceName } from './slice-key.ts'
import type { Slice } from './slices.ts'

/** Maximum number of rows in texts; JSON has all of them. */
export const MAX_SLICES = 50

/** A table in words: its header, its rows, and how many more there are. */
export interface SliceTable {
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly more: number
}

/** The text of a slice name. */
export function sliceText(name: SliceName): string {
  return name ?? '(none)'
}

export function slicesTable(by: string, slices: readonly Slice[]): SliceTable {
  return {
    header: [by, 'target', 'tests', 'pass', 'borderline', 'fail', 'error', 'pass rate', 'score'],
    rows: slices
      .slice(0, MAX_SLICES)
      .map(({ name, target, tests, counts, pass_rate, score }) => [
        sliceText(name),
        target,
        ...[tests, counts.pass, counts.borderline, counts.fail, counts.error].map(String),
        formatRate(pass_rate),
        formatMeanScore(score, tests),
      ]),
    more: Math.max(0, slices.length - MAX_SLICES),
  }
}

/** Formats a table of slices; the first two columns are words. */
export function sliceTableText({ header, rows, more }: SliceTable, columns?: number): string {
  const empty = ['borderline', 'error'].filter(name => rows.every(row => row[header.indexOf(name)] === '0'))
  const table = renderFitting(
    [header, ...rows].map(row => row.map(printableLine)),
    2,
    { columns, sheds: [...empty, 'score', 'tests'] },
  )
  return `${table}${more > 0 ? `and ${more} more: JSON has all of them\n` : ''}`
}
