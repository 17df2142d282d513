import { studentQuantile } from './distributions.ts'
import { CONFIDENCE_LEVEL, type EstimateOptions, type Interval } from './intervals.ts'
import { mean, standardError } from './means.ts'

/** The ratio of the means of paired values. */
export interface RatioEstimate {
  readonly ratio: number
  /** Undefined for one cluster, and if the mean that divides may be 0. */
  readonly interval: Interval | undefined
}

/**
 * The ratio of two means with Fieller's interval: the ratios R for which a paired t test does not reject that the mean
 * of `after − R·before` is 0. So it contains 1 exactly if the interval of the mean difference contains 0. Undefined if
 * the mean that divides is 0.
 */
export function ratioOfMeans(
  before: readonly number[],
  after: readonly number[],
  { clusters, level = CONFIDENCE_LEVEL }: EstimateOptions = {},
): RatioEstimate | undefined {
  const scale = mean(before)
  if (scale === 0) return undefined
  // In units of the mean that divides, so that no product overflows.
  const [divisors, values] = [before.map(value => value / scale), after.map(value => value / scale)]
  const ratio = mean(values)
  const error = standardError(values, clusters)
  if (!error) return { ratio, interval: undefined }
  const varianceOf = (numbers: readonly number[]) => (standardError(numbers, clusters)?.standardError ?? 0) ** 2
  const [ofValues, ofDivisors] = [varianceOf(values), varianceOf(divisors)]
  const together =
    (varianceOf(values.map((value, index) => value + (divisors[index] ?? 0))) - ofValues - ofDivisors) / 2
  const t = -studentQuantile((1 - level) / 2, error.df)
  const interval = rootsOf(1 - t ** 2 * ofDivisors, ratio - t ** 2 * together, ratio ** 2 - t ** 2 * ofValues)
  return { ratio, interval: interval && { low: Math.min(ratio, interval.low), high: Math.max(ratio, interval.high) } }
}

/** The roots of a·x² − 2b·x + c; undefined if a is not positive, because then the solutions have no bounds. */
function rootsOf(a: number, b: number, c: number): Interval | undefined {
  if (!(a > 0)) return undefined
  const half = Math.sqrt(Math.max(0, b ** 2 - a * c))
  return { low: (b - half) / a, high: (b + half) / a }
}
