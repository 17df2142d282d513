import { groupBy } from '../group-by.ts'
import { demandKeyForEach, demandNumbers } from './demands.ts'
import { exactSum } from './exact-sum.ts'
import { mean, roundingOf } from './mean.ts'

/** For each number the cluster that it belongs to; undefined is a cluster of its own. */
export type Clusters = readonly (string | undefined)[]

export interface StandardError {
  readonly standardError: number
  /** The degrees of freedom, at least 1: the clusters but one where all have the same size, and fewer where not. */
  readonly df: number
}

/**
 * The standard error of the mean, √(Σ_c w_c·(Σ_i(s_i−s̄))²)/n with w_c = 1/(1 − n_c/n): numbers of one cluster are not
 * independent, and a large cluster pulls the mean towards itself (CR2, Bell and McCaffrey 2002). For clusters of one
 * size, and without clusters, this is the plain one. Undefined for one cluster.
 */
export function standardError(values: readonly number[], clusters?: Clusters): StandardError | undefined {
  demandNumbers(values)
  const groups = membersOf(values, clusters)
  if (groups.length < 2) return undefined
  const n = values.length
  const distances = clusterDistances(values, groups).map(
    (distance, index) => distance * Math.sqrt(n / (n - (groups[index]?.length ?? 0))),
  )
  return { standardError: lengthOf(distances) / n, df: degreesOf(groups.map(({ length }) => length)) }
}

/** The number of values in each cluster. */
export function clusterSizes(clusters: Clusters): number[] {
  return membersOf(clusters, clusters).map(({ length }) => length)
}

/** The number of clusters of one size that would be worth as much as these: n²/Σn_c² (Kish 1965). */
export function kishSize(clusters: Clusters): number {
  if (clusters.length === 0) throw new RangeError('There are no clusters.')
  return clusters.length ** 2 / sumOf(clusterSizes(clusters).map(size => size ** 2))
}

function membersOf<Value>(values: readonly Value[], clusters: Clusters | undefined): readonly (readonly Value[])[] {
  if (!clusters) return values.map(value => [value])
  demandKeyForEach(values, clusters)
  const keyed = values.map((value, index) => {
    const cluster = clusters[index]
    return { value, key: cluster === undefined ? `alone ${index}` : `in ${cluster}` }
  })
  return [...groupBy(keyed, ({ key }) => key).values()].map(group => group.map(({ value }) => value))
}

/** How far each cluster is from the mean, all its numbers together; 0 where that is nothing but rounding. */
function clusterDistances(values: readonly number[], groups: readonly (readonly number[])[]): number[] {
  const average = mean(values)
  const rounding = roundingOf(values)
  return groups.map(members => {
    const distance = exactSum(members.map(value => value - average))
    return Math.abs(distance) <= members.length * rounding ? 0 : distance
  })
}

/**
 * n²/(Σ n_c² + Σ_{c≠d} w_c·w_d·n_c²·n_d²/n²), by the method of Satterthwaite. The variance is a sum of squares with
 * weights that are not negative, so that this is between 1 and the clusters but one, apart from rounding.
 */
function degreesOf(sizes: readonly number[]): number {
  const most = sizes.length - 1
  if (sizes.every(size => size === sizes[0])) return most
  const n = sumOf(sizes)
  let [squares, products, before] = [0, 0, 0]
  // From the smallest on, so that rounding is the same in whichever order they come; and sums only, which lose no digits.
  for (const size of sizes.toSorted((one, other) => one - other)) {
    const weighted = size ** 2 / (n - size)
    squares += size ** 2
    products += 2 * weighted * before
    before += weighted
  }
  return Math.min(most, Math.max(1, n ** 2 / (squares + products)))
}

/** √Σd², relative to the largest, so that no square is too large or too small for a number. */
function lengthOf(distances: readonly number[]): number {
  const largest = distances.reduce((most, distance) => Math.max(most, Math.abs(distance)), 0)
  return largest === 0 ? 0 : largest * Math.sqrt(exactSum(distances.map(distance => (distance / largest) ** 2)))
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}
