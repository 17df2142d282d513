import { wellFormed } from '../lib/text/unicode.ts'
import type { PageData } from '../report/html/page-data.ts'
import { indexKey, type Row, RowSelector, rowsOf } from './rows.ts'

/** A run with its rows. */
export interface OpenRun {
  readonly id: string
  readonly data: PageData
  readonly rows: readonly Row[]
  /** By their keys, and by those of their indexes. */
  readonly rows_by_key: ReadonlyMap<string, Row>
  /** Returns the rows that filters choose, in their order. */
  readonly selector: RowSelector
  /** The names of the targets, in the order of their colours. */
  readonly targets: readonly string[]
}

export function openRun(id: string, data: PageData): OpenRun {
  const rows = rowsOf(data)
  return {
    id,
    data,
    rows,
    rows_by_key: new Map([
      ...rows.map(row => [indexKey(row.index), row] as const),
      ...rows.map(row => [row.key, row] as const),
    ]),
    selector: new RowSelector(rows),
    targets: [...new Set([...data.targets.map(({ name }) => wellFormed(name)), ...rows.map(({ target }) => target)])],
  }
}
