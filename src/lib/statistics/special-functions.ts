import { assertPositive, assertProbability } from './assertions.ts'

/** Iₓ(a, b), the regularised incomplete beta function. Pass `y` if 1 − x is known more precisely. */
export function incompleteBeta(a: number, b: number, x: number, y = 1 - x): number {
  assertPositive('The first shape of the beta function', a)
  assertPositive('The second shape of the beta function', b)
  assertProbability('The end of the beta function', x)
  if (x === 0 || y === 0) return x === 0 ? 0 : 1
  // The fraction converges fast below the mean of the distribution; above it, the complement is computed.
  return x * (b + 1) < y * (a + 1) ? lowerEnd(a, b, x, y) : 1 - lowerEnd(b, a, y, x)
}

/** The continued fraction 8.17.22 of the Digital Library of Mathematical Functions, contracted to every second step. */
function lowerEnd(a: number, b: number, x: number, y: number): number {
  const below = y * a - x * b + 1
  const base = (n: number) =>
    n + (n === 0 ? 0 : (n * (b - n) * x) / (a + 2 * n - 1)) + ((a + n) / (a + 2 * n + 1)) * (below + n * (1 + y))
  const step = (n: number) =>
    ((a + n - 1) / (a + 2 * n - 1)) * ((a + b + n - 1) / (a + 2 * n - 1)) * n * (b - n) * x * x
  return betaDensity(a, b, x, y) * continuedFraction(n => [n === 1 ? 1 : step(n - 1), base(n - 1)])
}

/** xᵃ·yᵇ / B(a, b), computed without the large terms of the gamma functions and powers, which cancel. */
function betaDensity(a: number, b: number, x: number, y: number): number {
  const total = a + b
  const off = x * b - y * a
  const exponent = a * logAround(off / a, (x * total) / a) + b * logAround(-off / b, (y * total) / b)
  const remainders = stirlingRemainder(total) - stirlingRemainder(a) - stirlingRemainder(b)
  return Math.exp(exponent + remainders) * Math.sqrt(((a / total) * b) / (2 * Math.PI))
}

/** The logarithm of a number given with its distance from 1; uses the more precise of the two. */
function logAround(distance: number, value: number): number {
  return Math.abs(distance) < 0.5 ? Math.log1p(distance) : Math.log(value)
}

/** From here on the series is exact to the last digit. */
const LARGE = 12

/** The coefficients of Stirling's series, B₂ₖ / (2k·(2k − 1)) with Bernoulli numbers B. */
const FACTORS = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156]

/**
 * The remainder of Stirling's formula: ln Γ(x) − ((x − ½)·ln x − x + ½·ln 2π). Quotients of gamma functions are
 * computed from it, because the difference of two large logarithms would lose digits.
 */
export function stirlingRemainder(x: number): number {
  assertPositive('The argument of the gamma function', x)
  let [sum, at] = [0, x]
  // Steps from x + 1 down to x by Γ(x + 1) = x·Γ(x).
  for (; at < LARGE; at++) sum += (at + 0.5) * Math.log1p(1 / at) - 1
  const square = 1 / (at * at)
  return sum + FACTORS.reduceRight((rest, factor) => rest * square + factor, 0) / at
}

/** Negligible, but large enough to divide by. */
const TINY = 1e-290

/** A limit that no fraction here reaches. */
const MOST = 100_000

/** Evaluates a₁/(b₁ + a₂/(b₂ + a₃/(b₃ + …))) by Lentz's method until it converges. */
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
