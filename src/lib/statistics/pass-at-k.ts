import { assertCount, assertPart } from './assertions.ts'

/** pass@k: the probability that at least one of k random draws from n trials passed, of which c did; undefined for k > n. */
export function passAtK(n: number, c: number, k: number): number | undefined {
  assertDraw(n, c, k)
  if (k > n) return undefined
  // Adds up draw by draw, because the difference of almost equal numbers would lose digits.
  let chance = 0
  for (let drawn = 0; drawn < k; drawn++) chance += (1 - chance) * (c / (n - drawn))
  return chance
}

/** pass^k: the probability that all k draws passed; undefined for k > n. */
export function passHatK(n: number, c: number, k: number): number | undefined {
  assertDraw(n, c, k)
  if (k > n) return undefined
  if (k > c) return 0
  let chance = 1
  for (let drawn = 0; drawn < k; drawn++) chance *= (c - drawn) / (n - drawn)
  return chance
}

function assertDraw(n: number, c: number, k: number): void {
  assertCount('The number of tries', n)
  assertCount('The number of passes', c)
  assertCount('The number of draws', k)
  assertPart(c, n)
  if (k === 0) throw new RangeError('None are drawn: k is 0.')
}
