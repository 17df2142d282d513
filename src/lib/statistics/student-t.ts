import { demandFinite, demandInside } from './demands.ts'
import { incompleteBeta } from './incomplete-beta.ts'
import { stirlingRemainder } from './log-gamma.ts'
import { normalQuantile } from './normal.ts'

/** The probability of a value below t. */
export function studentDistribution(t: number, df: number): number {
  const bothEnds = studentTwoSidedP(t, df)
  return t < 0 ? bothEnds / 2 : 1 - bothEnds / 2
}

/** The probability of a value further from 0 than t, on either side. */
export function studentTwoSidedP(t: number, df: number): number {
  demandFinite('A value of Student t', t)
  demandDegrees(df)
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
  demandInside('A probability', p)
  demandDegrees(df)
  if (p < LEAST) throw new RangeError(`A probability must be at least ${LEAST}: ${p}.`)
  if (p === 0.5) return 0
  return p < 0.5 ? -farOut(p, Math.min(df, ENDLESS)) : farOut(1 - p, Math.min(df, ENDLESS))
}

function demandDegrees(df: number): void {
  demandFinite('The degrees of freedom', df)
  if (df < 1) throw new RangeError(`The degrees of freedom must be at least 1: ${df}.`)
}

/**
 * The t above 0 beyond which is p. The logarithm of that probability is concave in the logarithm of t: the first step of
 * Newton's way goes past it, the others come back to it from there, until rounding turns one round.
 */
function farOut(p: number, df: number): number {
  // Closer to 0 than this the probability is a half, as far as a number can tell.
  let t = Math.max(-normalQuantile(p), Number.EPSILON)
  for (let isFirst = true; ; isFirst = false) {
    const end = studentTwoSidedP(t, df) / 2
    const step = (Math.log(end / p) * end) / (t * density(t, df))
    if (!isFirst && step >= -Number.EPSILON) return t
    t *= Math.exp(step)
  }
}

function density(t: number, df: number): number {
  const remainders = stirlingRemainder((df + 1) / 2) - stirlingRemainder(df / 2)
  const power = (-(df + 1) / 2) * Math.log1p((t / Math.sqrt(df)) ** 2)
  return Math.exp(power + (df / 2) * Math.log1p(1 / df) - 0.5 + remainders) / Math.sqrt(2 * Math.PI)
}
