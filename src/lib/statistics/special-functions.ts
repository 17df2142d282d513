import { assertPositive, assertProbability } from './assertions.ts'

/** Iₓ(a, b), the regularised incomplete beta function. Who knows 1 − x with more digits than x has, hands it in as y. */
export function incompleteBeta(a: number, b: number, x: number, y = 1 - x): number {
  assertPositive('The first shape of the beta function', a)
  assertPositive('The second shape of the beta function', b)
  assertProbability('The end of the beta function', x)
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
  return betaDensity(a, b, x, y) * continuedFraction(n => [n === 1 ? 1 : step(n - 1), base(n - 1)])
}

/** xᵃ·yᵇ / B(a, b), without the large parts of the three gamma functions and of the powers, which cancel. */
function betaDensity(a: number, b: number, x: number, y: number): number {
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

/** From here on the series has all digits that a number has. */
const LARGE = 12

/** B₂ₖ / (2k·(2k − 1)), the factors of Stirling's series, where B are the Bernoulli numbers. */
const FACTORS = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156]

/**
 * What ln Γ(x) has over (x − ½)·ln x − x + ½·ln 2π. Quotients of gamma functions of large numbers are put together from
 * this: the rest cancels by hand, without the digits that the difference of two large logarithms loses.
 */
export function stirlingRemainder(x: number): number {
  assertPositive('The argument of the gamma function', x)
  let [sum, at] = [0, x]
  // One step down from x + 1 to x, as Γ(x + 1) = x·Γ(x) has it.
  for (; at < LARGE; at++) sum += (at + 0.5) * Math.log1p(1 / at) - 1
  const square = 1 / (at * at)
  return sum + FACTORS.reduceRight((rest, factor) => rest * square + factor, 0) / at
}

/** Far below anything that counts, and far above what a division by it could not take. */
const TINY = 1e-290

/** More steps than any of these fractions needs: they are within the last digit long before. */
const MOST = 100_000

/** a₁/(b₁ + a₂/(b₂ + a₃/(b₃ + …))) from the front, by the method of Lentz, until it changes no more. */
export function continuedFraction(part: (step: number) => readonly [a: number, b: number]): number {
  let [value, above, below] = [TINY, TINY, 0]
  for (let step = 1; step < MOST; step++) {
    const [a, b] = part(step)
    below = 1 / awayFromZero(b + a * below)
    above = awayFromZero(b + a / above)
    const change = above * below
    value *= change
    if (Math.abs(change - 1) < 4 * Number.EPSILON) return value
  }
  throw new RangeError('A continued fraction does not converge.')
}

function awayFromZero(value: number): number {
  return Math.abs(value) < TINY ? TINY : value
}
