import { demandNumbers, demandProbability } from './demands.ts'
import { type Interval, USUAL_LEVEL } from './interval.ts'
import { mean } from './mean.ts'
import { normalQuantile } from './normal.ts'
import { type Clusters, clusterSizes, kishSize, standardError } from './standard-error.ts'
import { studentQuantile } from './student-t.ts'
import { wilson } from './wilson-interval.ts'

/** The mean of values in 0..1 and how well it is known; of one value, or of one cluster, that is not known. */
export interface BoundedMean {
  readonly mean: number
  readonly standardError: number | undefined
  /** The degrees of freedom. */
  readonly df: number | undefined
  /** How many clusters of one size the clusters are worth. */
  readonly kish: number
  /** Of how many tries a rate would be known as well as this mean. */
  readonly effectiveSize: number | undefined
  /** That of Wilson, with the effective size: never of width 0, and never outside 0..1. */
  readonly interval: Interval | undefined
}

interface Options {
  readonly clusters?: Clusters | undefined
  /** All values are 0 or 1. */
  readonly isRate: boolean
}

export function boundedMean(values: readonly number[], { clusters, isRate }: Options): BoundedMean {
  demandBounded(values, isRate)
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
  const upper = (1 + USUAL_LEVEL) / 2
  const quantile = isPlain ? normalQuantile(upper) : studentQuantile(upper, error.df)
  return { mean: average, ...error, kish, effectiveSize, interval: wilson(average, effectiveSize, quantile) }
}

function demandBounded(values: readonly number[], isRate: boolean): void {
  demandNumbers(values)
  for (const value of values) demandProbability('A value', value)
  const stray = isRate ? values.find(value => value !== 0 && value !== 1) : undefined
  if (stray !== undefined) throw new RangeError(`A rate is the mean of 0 and 1: ${stray}.`)
}

/** The size at which a rate has this standard error; undefined where nothing varies, which does not say how much could. */
function sizeOf(average: number, error: number, clusters: number): number | undefined {
  const variance = average * (1 - average)
  if (variance === 0 || error === 0) return undefined
  return Math.max(1, (variance / error / error) * (clusters / (clusters - 1)))
}

/** The largest effective size of scores: a few that are close to each other cannot exclude a rare 0. */
function mostOfScores(kish: number): number {
  return kish * Math.max(1, kish / 8)
}
