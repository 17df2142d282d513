import { demandCount, demandPart } from './demands.ts'
import { hypergeometric } from './hypergeometric.ts'

/**
 * The exact test of Fisher, two-sided: how likely so many passes of all are to be divided at least as unevenly between
 * two sides, if chance alone divides them. Twice the smaller end of the hypergeometric distribution, at most 1. Never 0:
 * the smallest number is given for what is smaller.
 */
export function fisherExact(passesA: number, ofA: number, passesB: number, ofB: number): number {
  demandSide(passesA, ofA)
  demandSide(passesB, ofB)
  const { least, chances } = hypergeometric(passesA + passesB, ofA, ofA + ofB)
  const sumOf = (part: readonly number[]) => part.reduce((sum, chance) => sum + chance, 0)
  const lower = sumOf(chances.slice(0, passesA - least + 1))
  const upper = sumOf(chances.slice(passesA - least))
  return Math.min(1, Math.max(Number.MIN_VALUE, 2 * Math.min(lower, upper)))
}

function demandSide(passes: number, of: number): void {
  demandCount('The number of passes', passes)
  demandCount('The number of tries', of)
  demandPart(passes, of)
}
