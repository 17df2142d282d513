import { assertCount, assertFinite, assertPart, assertProbability } from './assertions.ts'
import { hypergeometric, normalQuantile } from './distributions.ts'
import { incompleteBeta } from './special-functions.ts'

/**
 * The exact test of Fisher, two-sided: how likely so many passes of all are to be divided at least as unevenly between
 * two sides, if chance alone divides them. Twice the smaller end of the hypergeometric distribution, at most 1. Never 0:
 * the smallest number is given for what is smaller.
 */
export function fisherExact(passesA: number, ofA: number, passesB: number, ofB: number): number {
  assertSide(passesA, ofA)
  assertSide(passesB, ofB)
  const { least, chances } = hypergeometric(passesA + passesB, ofA, ofA + ofB)
  const sumOf = (part: readonly number[]) => part.reduce((sum, chance) => sum + chance, 0)
  const lower = sumOf(chances.slice(0, passesA - least + 1))
  const upper = sumOf(chances.slice(passesA - least))
  return Math.min(1, Math.max(Number.MIN_VALUE, 2 * Math.min(lower, upper)))
}

function assertSide(passes: number, of: number): void {
  assertCount('The number of passes', passes)
  assertCount('The number of tries', of)
  assertPart(passes, of)
}

/**
 * The mid-p test of McNemar, two-sided: how likely pairs that differ are to be divided more unevenly than these, one way
 * and the other way, if each were the toss of a coin; a division just as uneven counts half. Never 0: the smallest number
 * is given for what is smaller.
 */
export function midPMcNemar(oneWay: number, otherWay: number): number {
  assertCount('The number of pairs that differ one way', oneWay)
  assertCount('The number of pairs that differ the other way', otherWay)
  const [less, more] = [Math.min(oneWay, otherWay), Math.max(oneWay, otherWay)]
  if (less === more) return 1
  // Twice the lower end of the binomial distribution, less its last step: the ends with that step and without it.
  const withStep = incompleteBeta(more, less + 1, 0.5)
  const withoutStep = less === 0 ? 0 : incompleteBeta(more + 1, less, 0.5)
  return Math.min(1, Math.max(Number.MIN_VALUE, withStep + withoutStep))
}

/** p values of several tests at once, adjusted by the method of Holm, in the order given. */
export function holm(ps: readonly number[]): number[] {
  if (ps.length === 0) throw new RangeError('There are no p values.')
  for (const p of ps) assertProbability('A p value', p)
  const adjusted = new Array<number>(ps.length)
  let highest = 0
  for (const [rank, { p, index }] of fromTheSmallest(ps).entries()) {
    // Never below that of a smaller one.
    highest = Math.max(highest, Math.min(1, p * (ps.length - rank)))
    adjusted[index] = highest
  }
  return adjusted
}

function fromTheSmallest(ps: readonly number[]): { p: number; index: number }[] {
  return ps.map((p, index) => ({ p, index })).sort((one, other) => one.p - other.p)
}

/**
 * Cohen's κ: how far two agree beyond what chance would do. The table counts what one said, by row, and the other, by column.
 * Undefined for no counts, and where both always said one and the same: chance would agree as well, and nothing is beyond it.
 */
export function cohensKappa(table: readonly (readonly number[])[]): number | undefined {
  if (table.some(row => row.length !== table.length)) throw new RangeError('The table of counts must be square.')
  for (const count of table.flat()) assertCount('An entry of the table', count)
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

/**
 * How many pairs it takes to show a difference, where their differences have this standard deviation: at 5 %, two-sided, in
 * 80 of 100 cases. At least one; undefined for no difference, and where the number is too large to be one.
 */
export function sizeNeeded(standardDeviation: number, difference: number): number | undefined {
  assertFinite('The standard deviation', standardDeviation)
  assertFinite('The difference', difference)
  if (standardDeviation < 0) {
    throw new RangeError(`The standard deviation must not be below 0: ${standardDeviation}.`)
  }
  if (difference === 0) return undefined
  const n = (((normalQuantile(0.975) + normalQuantile(0.8)) * standardDeviation) / difference) ** 2
  return Number.isFinite(n) ? Math.max(1, Math.ceil(n)) : undefined
}
