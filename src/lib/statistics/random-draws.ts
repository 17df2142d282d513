import { assertPositive } from './assertions.ts'

/** Draws from a beta distribution. */
export function betaDraw(a: number, b: number, random: () => number): number {
  const first = gammaDraw(a, random)
  const second = gammaDraw(b, random)
  // Both underflow only where a and b are tiny: then the draw is nearly always 0 or 1.
  return first + second === 0 ? Number(random() < a / (a + b)) : first / (first + second)
}

/** Draws from a gamma distribution with scale 1 (Marsaglia and Tsang). */
export function gammaDraw(shape: number, random: () => number): number {
  assertPositive('The shape of a gamma distribution', shape)
  if (shape < 1) return gammaDraw(shape + 1, random) * (1 - random()) ** (1 / shape)
  const d = shape - 1 / 3
  const c = 1 / Math.sqrt(9 * d)
  for (;;) {
    const x = normalDraw(random)
    const v = (1 + c * x) ** 3
    if (v > 0 && Math.log(1 - random()) < x ** 2 / 2 + d - d * v + d * Math.log(v)) return d * v
  }
}

/** Draws from the standard normal distribution (Box and Muller). */
function normalDraw(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
