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
