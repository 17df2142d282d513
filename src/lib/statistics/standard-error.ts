import { groupBy } from '../group-by.ts'
import { demandNumbers } from './demands.ts'
import { exactSum } from './exact-sum.ts'
import { mean, roundingOf } from './mean.ts'

/** For each number the cluster that it belongs to; undefined is a cluster of its own. */
export type Clusters = readonly (string | undefined)[]

export interface StandardError {
  readonly standardError: number
  /** The degrees of freedom: the clusters but one. */
  readonly df: number
}

/**
 * The standard error of the mean, √(C/(C−1)·Σ_c(Σ_i(s_i−s̄))²)/n with C clusters: numbers of one cluster are not
 * independent. Where each has one number, and where no clusters are given, this is the plain one. Undefined for one.
 */
export function standardError(values: readonly number[], clusters?: Clusters): StandardError | undefined {
  demandNumbers(values)
  if (clusters && clusters.length !== values.length) {
    throw new RangeError(`${values.length} numbers with ${clusters.length} cluster keys.`)
  }
  const distances = clusterDistances(values, clusters)
  const count = distances.length
  if (count < 2) return undefined
  return { standardError: (Math.sqrt(count / (count - 1)) * lengthOf(distances)) / values.length, df: count - 1 }
}

/** How far each cluster is from the mean, all its numbers together; 0 where that is nothing but rounding. */
function clusterDistances(values: readonly number[], clusters: Clusters | undefined): number[] {
  const average = mean(values)
  const rounding = roundingOf(values)
  return membersOf(values, clusters).map(members => {
    const distance = exactSum(members.map(value => value - average))
    return Math.abs(distance) <= members.length * rounding ? 0 : distance
  })
}

function membersOf(values: readonly number[], clusters: Clusters | undefined): readonly (readonly number[])[] {
  if (!clusters) return values.map(value => [value])
  const keyed = values.map((value, index) => {
    const cluster = clusters[index]
    return { value, key: cluster === undefined ? `alone ${index}` : `in ${cluster}` }
  })
  return [...groupBy(keyed, ({ key }) => key).values()].map(group => group.map(({ value }) => value))
}

/** √Σd², relative to the largest, so that no square is too large or too small for a number. */
function lengthOf(distances: readonly number[]): number {
  const largest = distances.reduce((most, distance) => Math.max(most, Math.abs(distance)), 0)
  return largest === 0 ? 0 : largest * Math.sqrt(exactSum(distances.map(distance => (distance / largest) ** 2)))
}
