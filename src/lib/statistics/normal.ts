import { continuedFraction } from './continued-fraction.ts'
import { demandFinite, demandInside } from './demands.ts'

const HALF_LOG_TWO_PI = Math.log(2 * Math.PI) / 2

/** The probability of a value below z. */
export function normalDistribution(z: number): number {
  demandFinite('A value of the normal distribution', z)
  const end = upperEnd(Math.abs(z))
  return z < 0 ? end : 1 - end
}

/** The probability of a value further from 0 than z, on either side. */
export function normalTwoSidedP(z: number): number {
  demandFinite('A value of the normal distribution', z)
  return z === 0 ? 1 : Math.min(1, 2 * upperEnd(Math.abs(z)))
}

/** The value below which another is with this probability. */
export function normalQuantile(p: number): number {
  demandInside('A probability', p)
  if (p === 0.5) return 0
  return p < 0.5 ? -farOut(p) : farOut(1 - p)
}

/** The z above 0 beyond which is p. The logarithm of that probability is concave, so that Newton's way leads there. */
function farOut(p: number): number {
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
