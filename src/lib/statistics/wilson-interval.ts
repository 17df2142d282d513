import { demandCount, demandInside, demandPart } from './demands.ts'
import { type Interval, USUAL_LEVEL } from './interval.ts'
import { normalQuantile } from './normal.ts'

/** The interval of Wilson for a rate: k of n. Nothing is known of none. */
export function wilsonInterval(k: number, n: number, level = USUAL_LEVEL): Interval | undefined {
  demandCount('The number of successes', k)
  demandCount('The number of tries', n)
  demandPart(k, n)
  demandInside('The level of an interval', level)
  if (n === 0) return undefined
  const rate = k / n
  const z = -normalQuantile((1 - level) / 2)
  const pull = z ** 2 / n
  const middle = (rate + pull / 2) / (1 + pull)
  const half = (z * Math.sqrt((rate * (1 - rate)) / n + pull / n / 4)) / (1 + pull)
  // The formula contains the rate and ends at 0 and at 1 by itself, but for rounding.
  return {
    low: Math.max(0, Math.min(rate, middle - half)),
    high: Math.min(1, Math.max(rate, middle + half)),
  }
}
