import { demandPositive } from './demands.ts'

/** A rate is ruled out where what was seen is less likely than this. */
const LEAST_CHANCE = 0.05

/** The highest failure rate that no failure in `size` tries leaves possible. The size may be fractional, as that of Kish is. */
export function failureBound(size: number): number {
  demandPositive('The number of tries', size)
  return -Math.expm1(Math.log(LEAST_CHANCE) / size)
}
