import { normalTwoSidedP, studentTwoSidedP } from '../../src/lib/statistics/distributions.ts'
import { stirlingRemainder } from '../../src/lib/statistics/special-functions.ts'

/** The probability of a value below z. */
export function normalDistribution(z: number): number {
  return lowerTail(z, normalTwoSidedP(z))
}

/** The probability of a value below t. */
export function studentDistribution(t: number, df: number): number {
  return lowerTail(t, studentTwoSidedP(t, df))
}

function lowerTail(value: number, twoSidedP: number): number {
  return value < 0 ? twoSidedP / 2 : 1 - twoSidedP / 2
}

/** ln Γ(x) for x above 0. */
export function logGamma(x: number): number {
  return (x - 0.5) * Math.log(x) - x + Math.log(2 * Math.PI) / 2 + stirlingRemainder(x)
}
