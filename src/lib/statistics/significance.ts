import { assertCount, assertFinite, assertPart, assertProbability } from './assertions.ts'
import { hypergeometric, normalQuantile } from './distributions.ts'
import { incompleteBeta } from './special-functions.ts'

/**
 * Fisher's exact test, two-sided: the probability that chance divides the passes at least as unevenly between the two
 * sides. Twice the smaller tail of the hypergeometric distribution, at most 1. Never 0: smaller results are rounded up
 * to the smallest number.
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
 * McNemar's mid-p test, two-sided: the probability that chance divides the differing pairs more unevenly between the
 * two directions; an equally uneven division counts half. Never 0: smaller results are rounded up to the smallest
 * number.
 */
export function midPMcNemar(oneWay: number, otherWay: number): number {
  assertCount('The number of pairs that differ one way', oneWay)
  assertCount('The number of pairs that differ the other way', otherWay)
  const [less, more] = [Math.min(oneWay, otherWay), Math.max(oneWay, otherWay)]
  if (less === more) return 1
  // Twice the lower tail of the binomial distribution minus its last term: the tails with and without that term.
  const withStep = incompleteBeta(more, less + 1, 0.5)
  const withoutStep = less === 0 ? 0 : incompleteBeta(more + 1, less, 0.5)
  return Math.min(1, Math.max(Number.MIN_VALUE, withStep + withoutStep))
}

/** Adjusts the p values of several tests by Holm's method; keeps their order. */
export function holm(ps: readonly number[]): number[] {
  if (ps.length === 0) throw new RangeError('There are no p values.')
  for (const p of ps) assertProbability('A p value', p)
  const adjusted = new Array<number>(ps.length)
  let highest = 0
  for (const [rank, { p, index }] of fromTheSmallest(ps).entries()) {
    // Never below the adjusted value of a smaller p.
    highest = Math.max(highest, Math.min(1, p * (ps.length - rank)))
    adjusted[index] = highest
  }
  return adjusted
}

function fromTheSmallest(ps: readonly number[]): { p: number; index: number }[] {
  return ps.map((p, index) => ({ p, index })).sort((one, other) => one.p - other.p)
}

/**
 * Cohen's κ: the agreement of two raters beyond chance. The table counts ratings, one rater by row, the other by column.
 * Undefined without counts, and if both always gave the same rating: chance would agree completely as well.
 */
export function cohensKappa(table: readonly (readonly number[])[]): number | undefined {
  if (table.some(row => row.length !== table.length)) throw new RangeError('The table of counts must be square.')
  for (const count of table.flat()) assertCount('An entry of the table', count)
  // BigInts, because the difference of two squares would lose digits.
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
 * The number of pairs needed to detect a difference, given the standard deviation of the differences: two-sided, 5 %
 * significance, 80 % power. At least one; undefined for no difference, and if the number is too large.
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
