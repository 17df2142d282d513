import { assertBetween0And1, assertFinite } from './assertions.ts'
import { continuedFraction, incompleteBeta, stirlingRemainder } from './special-functions.ts'

const HALF_LOG_TWO_PI = Math.log(2 * Math.PI) / 2

/** The two-sided p value of z under the standard normal distribution. */
export function normalTwoSidedP(z: number): number {
  assertFinite('A value of the normal distribution', z)
  return z === 0 ? 1 : Math.min(1, 2 * upperEnd(Math.abs(z)))
}

/** The quantile function. */
export function normalQuantile(p: number): number {
  assertBetween0And1('A probability', p)
  if (p === 0.5) return 0
  return p < 0.5 ? -upperNormalQuantile(p) : upperNormalQuantile(1 - p)
}

/** The z above 0 with upper tail p, by Newton's method, which converges because the logarithm of the tail is concave. */
function upperNormalQuantile(p: number): number {
  // An upper bound of z: all steps go down from it, until rounding reverses one.
  let z = Math.sqrt(-2 * Math.log(p))
  for (;;) {
    const ratio = endByDensity(z)
    const step = (Math.log(p) - logDensity(z) - Math.log(ratio)) * ratio
    if (step <= z * Number.EPSILON) return z
    z -= step
  }
}

function upperEnd(z: number): number {
  return Math.exp(logDensity(z)) * endByDensity(z)
}

function logDensity(z: number): number {
  return (-z * z) / 2 - HALF_LOG_TWO_PI
}

/** Above it the continued fraction converges fast; below it the series loses few digits. */
const FAR = 2

/** The upper tail at z ≥ 0, divided by the density (Mills ratio). */
function endByDensity(z: number): number {
  if (z >= FAR) return continuedFraction(step => [Math.max(1, step - 1), z])
  return 0.5 / Math.exp(logDensity(z)) - middleByDensity(z)
}

/** z + z³/3 + z⁵/(3·5) + z⁷/(3·5·7) + … */
function middleByDensity(z: number): number {
  let [sum, term] = [0, z]
  for (let odd = 3; sum + term !== sum; odd += 2) {
    sum += term
    term *= (z * z) / odd
  }
  return sum
}

/** The two-sided p value of t under the Student t distribution. */
export function studentTwoSidedP(t: number, df: number): number {
  assertFinite('A value of Student t', t)
  assertDegrees(df)
  const degrees = Math.min(df, ENDLESS)
  const square = (t / Math.sqrt(degrees)) ** 2
  if (square === Number.POSITIVE_INFINITY) return 0
  return incompleteBeta(degrees / 2, 0.5, 1 / (1 + square), square / (1 + square))
}

/** With more degrees of freedom, it equals the normal distribution in all digits. */
const ENDLESS = 1e15

/** Quantiles of smaller probabilities overflow for one degree of freedom. */
const LEAST = 1e-100

/** The quantile function. */
export function studentQuantile(p: number, df: number): number {
  assertBetween0And1('A probability', p)
  assertDegrees(df)
  if (p < LEAST) throw new RangeError(`A probability must be at least ${LEAST}: ${p}.`)
  if (p === 0.5) return 0
  return p < 0.5 ? -upperStudentQuantile(p, Math.min(df, ENDLESS)) : upperStudentQuantile(1 - p, Math.min(df, ENDLESS))
}

function assertDegrees(df: number): void {
  assertFinite('The degrees of freedom', df)
  if (df < 1) throw new RangeError(`The degrees of freedom must be at least 1: ${df}.`)
}

/**
 * The t above 0 with upper tail p, by Newton's method. The logarithm of the tail is concave in the logarithm of t: the
 * first step overshoots, the others return, until rounding reverses one.
 */
function upperStudentQuantile(p: number, df: number): number {
  // For smaller t the tail is ½ within the precision of numbers.
  let t = Math.max(-normalQuantile(p), Number.EPSILON)
  for (let isFirst = true; ; isFirst = false) {
    const end = studentTwoSidedP(t, df) / 2
    const step = (Math.log(end / p) * end) / (t * studentDensity(t, df))
    if (!isFirst && step >= -Number.EPSILON) return t
    t *= Math.exp(step)
  }
}

function studentDensity(t: number, df: number): number {
  const remainders = stirlingRemainder((df + 1) / 2) - stirlingRemainder(df / 2)
  const power = (-(df + 1) / 2) * Math.log1p((t / Math.sqrt(df)) ** 2)
  return Math.exp(power + (df / 2) * Math.log1p(1 / df) - 0.5 + remainders) / Math.sqrt(2 * Math.PI)
}

/** The distribution of the number of marked items among those drawn, from the least possible number on. */
interface Hypergeometric {
  readonly least: number
  readonly chances: readonly number[]
}

/** The hypergeometric distribution: `drawn` of `all` items are drawn, and `marked` of all are marked. */
export function hypergeometric(marked: number, drawn: number, all: number): Hypergeometric {
  const [least, most] = [Math.max(0, marked + drawn - all), Math.min(marked, drawn)]
  const peak = Math.min(most, Math.max(least, Math.floor(((drawn + 1) / (all + 2)) * (marked + 1))))
  /** The ratio of the probabilities of `count + 1` and `count`. */
  const step = (count: number) =>
    ((marked - count) / (count + 1)) * ((drawn - count) / (all - marked - drawn + count + 1))
  // The most likely number has weight 1 and all others less, so that no weight overflows.
  const [below, above] = [[] as number[], [1]]
  for (let count = peak; count > least; count--) below.push((below.at(-1) ?? 1) / step(count - 1))
  for (let count = peak; count < most; count++) above.push((above.at(-1) ?? 1) * step(count))
  const weights = [...below.reverse(), ...above]
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return { least, chances: weights.map(weight => weight / sum) }
}
