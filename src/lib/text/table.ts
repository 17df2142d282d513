import { displayWidth } from './unicode.ts'

/** Rows in columns: the first `words` to the left, numbers to the right. */
export function renderTable(rows: readonly (readonly string[])[], words: number): string {
  const widths: number[] = []
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, displayWidth(cell))
  }
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
