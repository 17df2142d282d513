import { demandFinite } from './demands.ts'
import { normalQuantile } from './normal.ts'

/**
 * How many pairs it takes to show a difference, where their differences have this standard deviation: at 5 %, two-sided, in
 * 80 of 100 cases. At least one; undefined for no difference, and where the number is too large to be one.
 */
export function sizeNeeded(standardDeviation: number, difference: number): number | undefined {
  demandFinite('The standard deviation', standardDeviation)
  demandFinite('The difference', difference)
  if (standardDeviation < 0) {
    throw new RangeError(`The standard deviation must not be below 0: ${standardDeviation}.`)
  }
  if (difference === 0) return undefined
  const n = (((normalQuantile(0.975) + normalQuantile(0.8)) * standardDeviation) / difference) ** 2
  return Number.isFinite(n) ? Math.max(1, Math.ceil(n)) : undefined
}
