import { demandPositive, demandProbability } from './demands.ts'
import type { Interval } from './interval.ts'

/** The interval of Wilson for a mean of values in 0..1 that is known as well as a rate of `size` tries. */
export function wilson(mean: number, size: number, quantile: number): Interval {
  demandProbability('A mean', mean)
  demandPositive('The size of a sample', size)
  demandPositive('A quantile', quantile)
  // The share of the middle that is ½ instead of the mean: q²/(n + q²), of numbers of any size.
  const pull = 1 / (1 + size / quantile / quantile)
  const middle = mean * (1 - pull) + pull / 2
  const half = Math.sqrt(mean * (1 - mean) * pull * (1 - pull) + pull ** 2 / 4)
  // The formula contains the mean and ends at 0 and at 1 by itself, but for rounding.
  return {
    low: Math.max(0, Math.min(mean, middle - half)),
    high: Math.min(1, Math.max(mean, middle + half)),
  }
}
