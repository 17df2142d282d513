import { assertBetween0And1, assertNumbers, assertPositive, assertProbability } from './assertions.ts'
import { normalQuantile, studentQuantile } from './distributions.ts'
import { type Clusters, clusterSizes, kishSize, mean, standardError } from './means.ts'

export interface Interval {
  readonly low: number
  readonly high: number
}

/** The default confidence level of intervals. */
export const CONFIDENCE_LEVEL = 0.95

/** The mean of values in 0..1 with its precision, which is undefined for one value or one cluster. */
export interface BoundedMean {
  readonly mean: number
  readonly standardError: number | undefined
  /** The degrees of freedom. */
  readonly df: number | undefined
  /** The effective number of clusters. */
  readonly kish: number
  /** The number of trials that would estimate a rate with the same precision. */
  readonly effectiveSize: number | undefined
  /** The Wilson interval for the effective size: never of width 0, and never outside 0..1. */
  readonly interval: Interval | undefined
}

interface Options {
  readonly clusters?: Clusters | undefined
  /** Whether all values are 0 or 1. */
  readonly isRate: boolean
}

export function boundedMean(values: readonly number[], { clusters, isRate }: Options): BoundedMean {
  assertBounded(values, isRate)
  const keys = clusters ?? values.map(() => undefined)
  const error = standardError(values, keys)
  const [average, kish] = [mean(values), kishSize(keys)]
  if (!error) {
    return {
      mean: average,
      standardError: undefined,
      df: undefined,
      kish,
      effectiveSize: undefined,
      interval: undefined,
    }
  }
  const size = sizeOf(average, error.standardError, clusterSizes(keys).length) ?? kish
  const effectiveSize = Math.min(size, isRate ? values.length : mostOfScores(kish))
  const isPlain = isRate && keys.every(key => key === undefined)
  const upper = (1 + CONFIDENCE_LEVEL) / 2
  const quantile = isPlain ? normalQuantile(upper) : studentQuantile(upper, error.df)
  return { mean: average, ...error, kish, effectiveSize, interval: wilsonInterval(average, effectiveSize, quantile) }
}

function assertBounded(values: readonly number[], isRate: boolean): void {
  assertNumbers(values)
  for (const value of values) assertProbability('A value', value)
  const stray = isRate ? values.find(value => value !== 0 && value !== 1) : undefined
  if (stray !== undefined) throw new RangeError(`A rate is the mean of 0 and 1: ${stray}.`)
}

/** The size at which a rate has this standard error; undefined without variation, which tells nothing about the precision. */
function sizeOf(average: number, error: number, clusters: number): number | undefined {
  const variance = average * (1 - average)
  if (variance === 0 || error === 0) return undefined
  return Math.max(1, (variance / error / error) * (clusters / (clusters - 1)))
}

/** The largest effective size of scores: a few similar scores cannot rule out a rare 0. */
function mostOfScores(kish: number): number {
  return kish * Math.max(1, kish / 8)
}

/** A mean with its precision, which is undefined for one value or one cluster. */
export interface MeanEstimate {
  readonly mean: number
  readonly standardError: number | undefined
  /** The degrees of freedom. */
  readonly df: number | undefined
  /** The Student t interval, not clipped to the range of the values. */
  readonly interval: Interval | undefined
}

export interface EstimateOptions {
  readonly clusters?: Clusters | undefined
  readonly level?: number | undefined
}

export function estimateMean(values: readonly number[], options: EstimateOptions = {}): MeanEstimate {
  const { clusters, level = CONFIDENCE_LEVEL } = options
  assertBetween0And1('The level of an interval', level)
  const average = mean(values)
  const error = standardError(values, clusters)
  if (!error) return { mean: average, standardError: undefined, df: undefined, interval: undefined }
  const half = error.standardError === 0 ? 0 : -studentQuantile((1 - level) / 2, error.df) * error.standardError
  return { mean: average, ...error, interval: { low: average - half, high: average + half } }
}

/** The Wilson interval for a mean of values in 0..1 with the precision of a rate of `size` trials. */
export function wilsonInterval(mean: number, size: number, quantile: number): Interval {
  assertProbability('A mean', mean)
  assertPositive('The size of a sample', size)
  assertPositive('A quantile', quantile)
  // The weight of ½ in the centre: q²/(n + q²), without overflow.
  const pull = 1 / (1 + size / quantile / quantile)
  const middle = mean * (1 - pull) + pull / 2
  const half = Math.sqrt(mean * (1 - mean) * pull * (1 - pull) + pull ** 2 / 4)
  // The formula includes the mean and stays within 0..1, except for rounding.
  return {
    low: Math.max(0, Math.min(mean, middle - half)),
    high: Math.min(1, Math.max(mean, middle + half)),
  }
}

/** A rate is ruled out if the observation is less likely than this. */
const LEAST_CHANCE = 0.05

/** The upper bound of the failure rate after 0 failures in `size` trials. An effective size may be fractional. */
export function failureBound(size: number): number {
  assertPositive('The number of tries', size)
  return -Math.expm1(Math.log(LEAST_CHANCE) / size)
}
