import { estimateMean, type Interval } from '../../lib/statistics/intervals.ts'
import { type Clusters, mean, roundingOf } from '../../lib/statistics/means.ts'
import { type RatioEstimate, ratioOfMeans } from '../../lib/statistics/ratio.ts'
import type { UsageMeans } from '../outcome/usage-means.ts'
import { type Pair, pairClusters } from './pair-tests.ts'

/** The difference in cost, tokens or time of an answer, over the paired tests that have the figure on both sides. */
export interface UsageDifference {
  /** Number of tests with the figure on both sides. */
  readonly tests: number
  /** Means over these tests. */
  readonly before: number
  readonly after: number
  /** The mean difference. */
  readonly difference: number
  /** 95 % interval of the mean difference; undefined for a single test or cluster, and if all differences are equal. */
  readonly interval: Interval | undefined
  /** `after` divided by `before`, with its 95 % interval; undefined if `before` is 0. */
  readonly ratio: RatioEstimate | undefined
}

/** What the answers of two sides took, each undefined if no paired test has the figure on both sides. */
export interface UsageDifferences {
  readonly cost: UsageDifference | undefined
  readonly tokens: UsageDifference | undefined
  readonly duration: UsageDifference | undefined
}

export function usageDifferences(pairs: readonly Pair[]): UsageDifferences {
  return {
    cost: differenceIn(pairs, ({ cost_usd }) => cost_usd),
    tokens: differenceIn(pairs, ({ tokens }) => tokens),
    duration: differenceIn(pairs, ({ duration_ms }) => duration_ms),
  }
}

function differenceIn(
  pairs: readonly Pair[],
  figureOf: (usage: UsageMeans) => number | undefined,
): UsageDifference | undefined {
  const known = pairs.flatMap(pair => {
    const [before, after] = [figureOf(pair.outcomes[0]), figureOf(pair.outcomes[1])]
    return before === undefined || after === undefined ? [] : [{ pair, before, after }]
  })
  if (known.length === 0) return undefined
  const [before, after] = [known.map(each => each.before), known.map(each => each.after)]
  const clusters = pairClusters(known.map(({ pair }) => pair))
  const { mean: difference, interval } = estimateMean(
    known.map(each => each.after - each.before),
    { clusters },
  )
  const ratio = ratioOfUsage(before, after, clusters)
  // Equal differences tell nothing about their precision.
  const varies = interval !== undefined && interval.high - interval.low > roundingOf([...before, ...after])
  return {
    tests: known.length,
    before: mean(before),
    after: mean(after),
    difference,
    interval: varies ? interval : undefined,
    ratio: ratio && { ...ratio, interval: varies ? ratio.interval : undefined },
  }
}

/** No usage is negative, so neither is its ratio. */
function ratioOfUsage(
  before: readonly number[],
  after: readonly number[],
  clusters: Clusters,
): UsageDifference['ratio'] {
  const { ratio, interval } = ratioOfMeans(before, after, { clusters }) ?? {}
  if (ratio === undefined) return undefined
  return { ratio, interval: interval && { low: Math.max(0, interval.low), high: interval.high } }
}
