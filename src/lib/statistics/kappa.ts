import { demandCount } from './demands.ts'

/**
 * Cohen's κ: how far two agree beyond what chance would do. The table counts what one said, by row, and the other, by column.
 * Undefined for no counts, and where both always said one and the same: chance would agree as well, and nothing is beyond it.
 */
export function cohensKappa(table: readonly (readonly number[])[]): number | undefined {
  if (table.some(row => row.length !== table.length)) throw new RangeError('The table of counts must be square.')
  for (const count of table.flat()) demandCount('An entry of the table', count)
  // Whole numbers of any size: the difference of two squares keeps all its digits.
  const rows = table.map(row => row.map(BigInt))
  const all = sum(rows.flat())
  if (all === 0n) return undefined
  const agreed = sum(rows.map((row, index) => row[index] ?? 0n))
  const byChance = sum(rows.map((row, index) => sum(row) * sum(rows.map(other => other[index] ?? 0n))))
  const possible = all * all - byChance
  return possible === 0n ? undefined : Number(all * agreed - byChance) / Number(possible)
}

function sum(counts: readonly bigint[]): bigint {
  return counts.reduce((total, count) => total + count, 0n)
}
