/** For each row a column behind that of the row before, or none, so that what the pairs are worth adds up to the most. */
export function inOrderMatch(
  rows: number,
  columns: number,
  worth: (row: number, column: number) => number,
): (number | undefined)[] {
  const width = columns + 1
  // The most that can be had from a row and a column on.
  const best = new Float64Array((rows + 1) * width)
  const from = (row: number, column: number) => best[row * width + column] as number
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = columns - 1; column >= 0; column--) {
      const skipped = Math.max(from(row + 1, column), from(row, column + 1))
      best[row * width + column] = Math.max(skipped, worth(row, column) + from(row + 1, column + 1))
    }
  }
  const matched: (number | undefined)[] = Array.from({ length: rows })
  for (let row = 0, column = 0; row < rows && column < columns; ) {
    if (from(row, column) === from(row + 1, column)) row++
    else if (from(row, column) === from(row, column + 1)) column++
    else matched[row++] = column++
  }
  return matched
}
