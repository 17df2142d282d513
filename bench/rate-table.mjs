/** Prints rows as a table for people. */
export function printTable(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map(row => row[column].length)))
  for (const row of rows) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]),
    )
    process.stdout.write(`${cells.join('  ')}\n`)
  }
}

/** Marks what is not as wanted, and lets the program fail. */
export function marked(wanted, isFine) {
  if (!isFine) process.exitCode = 1
  return isFine ? wanted : `${wanted} !`
}

export function percent(share) {
  return `${(share * 100).toFixed(1)} %`
}
