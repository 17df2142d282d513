import { continuedFraction } from './continued-fraction.ts'
import { demandPositive, demandProbability } from './demands.ts'
import { stirlingRemainder } from './log-gamma.ts'

/** Iₓ(a, b), the regularised incomplete beta function. Who knows 1 − x with more digits than x has, hands it in as y. */
export function incompleteBeta(a: number, b: number, x: number, y = 1 - x): number {
  demandPositive('The first shape of the beta function', a)
  demandPositive('The second shape of the beta function', b)
  demandProbability('The end of the beta function', x)
  if (x === 0 || y === 0) return x === 0 ? 0 : 1
  // The fraction is quick below the mean of the distribution: beyond it, what is left is computed.
  return x * (b + 1) < y * (a + 1) ? lowerEnd(a, b, x, y) : 1 - lowerEnd(b, a, y, x)
}

/** The continued fraction 8.17.22 of the Digital Library of Mathematical Functions, two of its steps at a time. */
function lowerEnd(a: number, b: number, x: number, y: number): number {
  const below = y * a - x * b + 1
  const base = (n: number) =>
    n + (n === 0 ? 0 : (n * (b - n) * x) / (a + 2 * n - 1)) + ((a + n) / (a + 2 * n + 1)) * (below + n * (1 + y))
  const step = (n: number) =>
    ((a + n - 1) / (a + 2 * n - 1)) * ((a + b + n - 1) / (a + 2 * n - 1)) * n * (b - n) * x * x
  return density(a, b, x, y) * continuedFraction(n => [n === 1 ? 1 : step(n - 1), base(n - 1)])
}

/** xᵃ·yᵇ / B(a, b), without the large parts of the three gamma functions and of the powers, which cancel. */
function density(a: number, b: number, x: number, y: number): number {
  const total = a + b
  const off = x * b - y * a
  const exponent = a * logAround(off / a, (x * total) / a) + b * logAround(-off / b, (y * total) / b)
  const remainders = stirlingRemainder(total) - stirlingRemainder(a) - stirlingRemainder(b)
  return Math.exp(exponent + remainders) * Math.sqrt(((a / total) * b) / (2 * Math.PI))
}

/** The logarithm of a number that is given with its distance from 1: whichever of them has more digits. */
function logAround(distance: number, value: number): number {
  return Math.abs(distance) < 0.5 ? Math.log1p(distance) : Math.log(value)
}
