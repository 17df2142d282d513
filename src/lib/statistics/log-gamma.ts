import { demandPositive } from './demands.ts'

const HALF_LOG_TWO_PI = Math.log(2 * Math.PI) / 2

/** ln Γ(x) for x above 0. */
export function logGamma(x: number): number {
  demandPositive('The argument of the gamma function', x)
  return (x - 0.5) * Math.log(x) - x + HALF_LOG_TWO_PI + stirlingRemainder(x)
}

/** From here on the series has all digits that a number has. */
const LARGE = 12

/** B₂ₖ / (2k·(2k − 1)), the factors of Stirling's series, where B are the Bernoulli numbers. */
const FACTORS = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156]

/**
 * What ln Γ(x) has over (x − ½)·ln x − x + ½·ln 2π. Quotients of gamma functions of large numbers are put together from
 * this: the rest cancels by hand, without the digits that the difference of two large logarithms loses.
 */
export function stirlingRemainder(x: number): number {
  let [sum, at] = [0, x]
  // One step down from x + 1 to x, as Γ(x + 1) = x·Γ(x) has it.
  for (; at < LARGE; at++) sum += (at + 0.5) * Math.log1p(1 / at) - 1
  const square = 1 / (at * at)
  return sum + FACTORS.reduceRight((rest, factor) => rest * square + factor, 0) / at
}
