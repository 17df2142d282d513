import { cutToWidth, displayWidth } from './unicode.ts'

type Rows = readonly (readonly string[])[]

/** Rows in columns: the first `words` to the left, numbers to the right. */
export function renderTable(rows: Rows, words: number): string {
  const widths = widthsOf(rows)
  return rows
    .map(row => {
      const cells = row.map((cell, column) => {
        const blank = ' '.repeat((widths[column] ?? 0) - displayWidth(cell))
        return column < words ? cell + blank : blank + cell
      })
      return `${cells.join('  ').trimEnd()}\n`
    })
    .join('')
}

/** What a table may lose on a narrow terminal. */
interface NarrowTable {
  /** The width of the terminal; undefined if it is not limited. */
  readonly columns: number | undefined
  /** The columns that are left out, by their headers: the first one first. */
  readonly sheds: readonly string[]
}

/** The shortest that words are cut to. */
const LEAST_WORD = 8

/** The same, with columns left out and words cut until the table is narrow enough. The first row is the header. */
export function renderFitting(rows: Rows, words: number, { columns, sheds }: NarrowTable): string {
  let left = rows
  let leftWords = words
  for (const name of sheds) {
    if (columns === undefined || widthOf(left) <= columns) break
    const at = left[0]?.indexOf(name) ?? -1
    if (at < 0) continue
    left = left.map(row => row.toSpliced(at, 1))
    if (at < leftWords) leftWords--
  }
  return renderTable(columns === undefined ? left : withShortWords(left, leftWords, columns), leftWords)
}

/** Cuts the widest column of words until the table is narrow enough, or nothing is left to cut. */
function withShortWords(rows: Rows, words: number, columns: number): Rows {
  const widths = widthsOf(rows)
  const most = widths.slice(0, words)
  for (let surplus = widthOf(rows) - columns; surplus > 0; surplus--) {
    const widest = most.indexOf(Math.max(...most))
    if ((most[widest] ?? 0) <= LEAST_WORD) break
    most[widest] = (most[widest] ?? 0) - 1
  }
  return rows.map(row => row.map((cell, column) => cutToWidth(cell, most[column] ?? widths[column] ?? 0)))
}

function widthsOf(rows: Rows): number[] {
  const widths: number[] = []
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, displayWidth(cell))
  }
  return widths
}

function widthOf(rows: Rows): number {
  const widths = widthsOf(rows)
  return widths.reduce((sum, width) => sum + width, 0) + 2 * (widths.length - 1)
}
