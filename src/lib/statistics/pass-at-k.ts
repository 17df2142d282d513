import { assertCount, assertPart } from './assertions.ts'

/** Of n tries c passed. pass@k: the chance that any of k of them, drawn at random, passed; undefined where k > n. */
export function passAtK(n: number, c: number, k: number): number | undefined {
  assertDraw(n, c, k)
  if (k > n) return undefined
  // From draw to draw, what has not passed so far passes now: nothing is subtracted that is almost the same.
  let chance = 0
  for (let drawn = 0; drawn < k; drawn++) chance += (1 - chance) * (c / (n - drawn))
  return chance
}

/** pass^k: the chance that all of k of them passed; undefined where k > n. */
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
