import { demandCount } from './demands.ts'

/** The highest rate that none in n still allows, at 95 %: 3/n, and 1 for less than three. Nothing is known of none. */
export function ruleOfThree(n: number): number | undefined {
  demandCount('The number of tries', n)
  return n === 0 ? undefined : Math.min(1, 3 / n)
}
