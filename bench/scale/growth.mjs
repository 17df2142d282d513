/** Between 10,000 and 100,000, n log n has the exponent 1.1; what is above this grows faster than that, whatever else the machine does. */
const MOST = 1.3

/** Less than this is noise: milliseconds, bytes. */
const LEAST_CPU = 400
const LEAST_MEMORY = 60e6

/** The exponents between the last two sizes, of what was used beyond starting up; undefined where that is next to nothing. */
export function growth(sizes, least, usages) {
  const exponent = (used, most) => {
    // One that could not be done is a problem of its own.
    if (![least, ...usages.slice(-2)].every(Boolean)) return undefined
    const [before, last] = usages.slice(-2).map(usage => used(usage) - used(least))
    const [smaller, larger] = sizes.slice(-2)
    if (last < most) return undefined
    // What is lost in noise at the smaller size has not cost more than that.
    return Math.log(last / Math.max(before, most / 20)) / Math.log(larger / smaller)
  }
  return { cpu: exponent(({ cpuMs }) => cpuMs, LEAST_CPU), memory: exponent(({ memory }) => memory, LEAST_MEMORY) }
}

/** `square`: each is compared with each, which costs the square of their number. */
export function grownTooMuch({ growth: { cpu = 0, memory = 0 } }, { isSquare = false }) {
  const most = isSquare ? MOST + 1 : MOST
  return cpu > most || memory > most
}
