import { groupBy } from '../collections.ts'
import { normalQuantile, studentQuantile } from './distributions.ts'
import { CONFIDENCE_LEVEL, type Interval, wilsonInterval } from './intervals.ts'
import { degreesOf, exactSum } from './means.ts'

/** What one unit adds to a share. */
export interface SharePart {
  /** Units of one cluster are not independent. */
  readonly cluster: string
  /** What it adds to the whole; may be a fraction. */
  readonly size: number
  /** How much of that counts. */
  readonly hits: number
  /** The number of answers, 0 or 1, behind it. */
  readonly answers: number
}

export interface ClusterShare {
  /** Σ hits / Σ size. */
  readonly share: number
  /** Undefined for one cluster. */
  readonly interval: Interval | undefined
}

/**
 * A share of a whole to which units contribute unequally, such as precision: the interval of `boundedMean` for a rate
 * with clusters, but with sizes that need not be whole numbers. Undefined if nothing contributes.
 */
export function clusterShare(parts: readonly SharePart[]): ClusterShare | undefined {
  const clusters = [
    ...groupBy(
      parts.filter(({ size }) => size > 0),
      ({ cluster }) => cluster,
    ).values(),
  ].map(added)
  const whole = exactSum(clusters.map(({ size }) => size))
  if (clusters.length === 0) return undefined
  const share = Math.min(1, exactSum(clusters.map(({ hits }) => hits)) / whole)
  return { share, interval: clusters.length < 2 ? undefined : intervalOf(clusters, share, whole) }
}

type Sums = Omit<SharePart, 'cluster'>

function added(parts: readonly SharePart[]): Sums {
  const sum = (of: (part: SharePart) => number) => exactSum(parts.map(of))
  return { size: sum(part => part.size), hits: sum(part => part.hits), answers: sum(part => part.answers) }
}

function intervalOf(clusters: readonly Sums[], share: number, whole: number): Interval {
  const sizes = clusters.map(({ size }) => size)
  const kish = whole ** 2 / exactSum(sizes.map(size => size ** 2))
  const error = variance(clusters, share, whole)
  const spread = share * (1 - share)
  const several = clusters.length / (clusters.length - 1)
  const size = spread === 0 || error === 0 ? kish : Math.max(1, (spread / error) * several)
  const answers = clusters.reduce((sum, cluster) => sum + cluster.answers, 0)
  const upper = (1 + CONFIDENCE_LEVEL) / 2
  const isPlain = clusters.every(cluster => cluster.answers === 1)
  const quantile = isPlain ? normalQuantile(upper) : studentQuantile(upper, degreesOf(sizes))
  return wilsonInterval(share, Math.min(size, answers), quantile)
}

/** The bound of rounding errors. */
const ROUNDING = 1e-12

/** Σ_c (hits_c − share·size_c)² / (1 − size_c/whole) / whole², as in `standardError`. */
function variance(clusters: readonly Sums[], share: number, whole: number): number {
  const terms = clusters.map(({ size, hits }) => {
    const distance = hits - share * size
    return Math.abs(distance) <= ROUNDING * whole ? 0 : distance ** 2 / (1 - size / whole)
  })
  return exactSum(terms) / whole ** 2
}
