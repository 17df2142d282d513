import { assertBetween0And1, assertFinite } from './assertions.ts'
import { continuedFraction, incompleteBeta, stirlingRemainder } from './special-functions.ts'

const HALF_LOG_TWO_PI = Math.log(2 * Math.PI) / 2

/** The probability of a value further from 0 than z, on either side. */
export function normalTwoSidedP(z: number): number {
  assertFinite('A value of the normal distribution', z)
  return z === 0 ? 1 : Math.min(1, 2 * upperEnd(Math.abs(z)))
}

/** The value below which another is with this probability. */
export function normalQuantile(p: number): number {
  assertBetween0And1('A probability', p)
  if (p === 0.5) return 0
  return p < 0.5 ? -upperNormalQuantile(p) : upperNormalQuantile(1 - p)
}

/** The z above 0 beyond which is p. The logarithm of that probability is concave, so that Newton's way leads there. */
function upperNormalQuantile(p: number): number {
  // No less than the z that is looked for: from there all steps go down, until rounding turns one round.
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

/** From here on the fraction is quick, and before it a half less the series loses few digits. */
const FAR = 2

/** The probability of a value beyond z, which is not below 0, divided by the density there. */
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

/** The probability of a value further from 0 than t, on either side. */
export function studentTwoSidedP(t: number, df: number): number {
  assertFinite('A value of Student t', t)
  assertDegrees(df)
  const degrees = Math.min(df, ENDLESS)
  const square = (t / Math.sqrt(degrees)) ** 2
  if (square === Number.POSITIVE_INFINITY) return 0
  return incompleteBeta(degrees / 2, 0.5, 1 / (1 + square), square / (1 + square))
}

/** With more degrees of freedom it is the normal distribution, in all digits that count. */
const ENDLESS = 1e15

/** Beyond this, what is far out is too far for a number where there is one degree of freedom. */
const LEAST = 1e-100

/** The value below which another is with this probability. */
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
 * The t above 0 beyond which is p. The logarithm of that probability is concave in the logarithm of t: the first step of
 * Newton's way goes past it, the others come back to it from there, until rounding turns one round.
 */
function upperStudentQuantile(p: number, df: number): number {
  // Closer to 0 than this the probability is a half, as far as a number can tell.
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

/** How many of those that are drawn are marked: the least number, and the chances of it and of each number after it. */
interface Hypergeometric {
  readonly least: number
  readonly chances: readonly number[]
}

/** The hypergeometric distribution: `drawn` of `all` are drawn, of which `marked` are marked. */
export function hypergeometric(marked: number, drawn: number, all: number): Hypergeometric {
  const [least, most] = [Math.max(0, marked + drawn - all), Math.min(marked, drawn)]
  const peak = Math.min(most, Math.max(least, Math.floor(((drawn + 1) / (all + 2)) * (marked + 1))))
  /** How much more likely one more than `count` is. */
  const step = (count: number) =>
    ((marked - count) / (count + 1)) * ((drawn - count) / (all - marked - drawn + count + 1))
  // The most likely number has the weight 1 and all others less, so that no weight is too large for a number.
  const [below, above] = [[] as number[], [1]]
  for (let count = peak; count > least; count--) below.push((below.at(-1) ?? 1) / step(count - 1))
  for (let count = peak; count < most; count++) above.push((above.at(-1) ?? 1) * step(count))
  const weights = [...below.reverse(), ...above]
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return { least, chances: weights.map(weight => weight / sum) }
}
