import { demandInside } from './demands.ts'
import { type Interval, USUAL_LEVEL } from './interval.ts'
import { mean } from './mean.ts'
import { type Clusters, standardError } from './standard-error.ts'
import { studentQuantile } from './student-t.ts'

/** A mean and how well it is known; of one number, or of one cluster, that is not known. */
export interface MeanEstimate {
  readonly mean: number
  readonly standardError: number | undefined
  /** The degrees of freedom. */
  readonly df: number | undefined
  /** That of Student t. It is not cut off where the numbers end. */
  readonly interval: Interval | undefined
}

export interface EstimateOptions {
  readonly clusters?: Clusters | undefined
  readonly level?: number | undefined
}

export function estimateMean(values: readonly number[], options: EstimateOptions = {}): MeanEstimate {
  const { clusters, level = USUAL_LEVEL } = options
  demandInside('The level of an interval', level)
  const average = mean(values)
  const error = standardError(values, clusters)
  if (!error) return { mean: average, standardError: undefined, df: undefined, interval: undefined }
  const half = error.standardError === 0 ? 0 : -studentQuantile((1 - level) / 2, error.df) * error.standardError
  return { mean: average, ...error, interval: { low: average - half, high: average + half } }
}
