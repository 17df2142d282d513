/** The largest exponent: n log n has 1.1 between 10,000 and 100,000, and the rest is tolerance for noise. */
const MOST = 1.3

/** The noise limits in milliseconds and bytes. */
const LEAST_CPU = 400
const LEAST_MEMORY = 60e6

/** The exponents between the last two sizes, without the start-up cost; undefined below the noise limits. */
export function growth(sizes, least, usages) {
  const exponent = (used, most) => {
    // A failed step is reported separately.
    if (![least, ...usages.slice(-2)].every(Boolean)) return undefined
    const [before, last] = usages.slice(-2).map(usage => used(usage) - used(least))
    const [smaller, larger] = sizes.slice(-2)
    if (last < most) return undefined
    // A cost below the noise limit at the smaller size counts as the limit.
    return Math.log(last / Math.max(before, most / 20)) / Math.log(larger / smaller)
  }
  return { cpu: exponent(({ cpuMs }) => cpuMs, LEAST_CPU), memory: exponent(({ memory }) => memory, LEAST_MEMORY) }
}

/** `isSquare` marks workloads that compare all pairs, which takes quadratic time. */
export function grownTooMuch({ growth: { cpu = 0, memory = 0 } }, { isSquare = false }) {
  const most = isSquare ? MOST + 1 : MOST
  return cpu > most || memory > most
}
