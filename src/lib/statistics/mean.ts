import { demandNumbers } from './demands.ts'
import { exactSum } from './exact-sum.ts'

/** The mean of numbers, the same in whichever order they come, and 0 where all that is left of it is rounding. */
export function mean(values: readonly number[]): number {
  demandNumbers(values)
  const average = exactSum(values) / values.length
  if (Math.abs(average) <= roundingOf(values)) return 0
  // Rounding may not take it beyond them: the mean of equal numbers is that number.
  const lowest = values.reduce((least, value) => Math.min(least, value))
  const highest = values.reduce((most, value) => Math.max(most, value))
  return Math.min(highest, Math.max(lowest, average))
}

/** What arithmetic adds in the last digits, and what made these numbers before, is below this part of the largest. */
const ROUNDING = 1e-12

/** How far apart two means of such numbers may be that would be equal if numbers had all their digits. */
export function roundingOf(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) * ROUNDING
}
