import { groupBy } from '../collections.ts'
import { assertKeyForEach, assertNumbers } from './assertions.ts'

/** The mean, independent of the order of the values; exactly 0 if it is only a rounding error. */
export function mean(values: readonly number[]): number {
  assertNumbers(values)
  const average = exactSum(values) / values.length
  if (Math.abs(average) <= roundingOf(values)) return 0
  // Keep rounding within the range: the mean of equal values is that value.
  const lowest = values.reduce((least, value) => Math.min(least, value))
  const highest = values.reduce((most, value) => Math.max(most, value))
  return Math.min(highest, Math.max(lowest, average))
}

/** The bound of rounding errors, relative to the largest value. */
const ROUNDING = 1e-12

/** The largest difference of two means of such values that can be a rounding error. */
export function roundingOf(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) * ROUNDING
}

/**
 * The sum, rounded once at the end, so that it does not depend on the order of the values. The rounding error of each
 * addition is kept as a separate part (Shewchuk 1997).
 */
export function exactSum(values: readonly number[]): number {
  const parts: number[] = []
  for (const value of values) addTo(parts, value)
  return roundParts(parts)
}

/** The parts are ordered from smallest to largest, do not overlap, and stay few. */
function addTo(parts: number[], value: number): void {
  let rest = value
  let kept = 0
  for (const part of parts) {
    const sum = rest + part
    const lost = Math.abs(rest) < Math.abs(part) ? rest - (sum - part) : part - (sum - rest)
    if (lost !== 0) parts[kept++] = lost
    rest = sum
  }
  parts.length = kept
  parts.push(rest)
}

/** Adds the parts from the largest until one does not fit. The next part decides how an exact half is rounded. */
function roundParts(parts: readonly number[]): number {
  let sum = 0
  for (let index = parts.length - 1; index >= 0; index--) {
    const part = parts[index] ?? 0
    const next = sum + part
    const lost = part - (next - sum)
    sum = next
    if (lost === 0) continue
    const isHalf = sum + 2 * lost - sum === 2 * lost
    const goesOn = Math.sign(parts[index - 1] ?? 0) === Math.sign(lost)
    return isHalf && goesOn ? sum + 2 * lost : sum
  }
  return sum
}

/** The cluster of each value; undefined is a separate cluster. */
export type Clusters = readonly (string | undefined)[]

export interface StandardError {
  readonly standardError: number
  /** The degrees of freedom, at least 1: one less than the clusters if they have the same size, fewer otherwise. */
  readonly df: number
}

/**
 * The standard error of the mean, √(Σ_c w_c·(Σ_i(s_i−s̄))²)/n with w_c = 1/(1 − n_c/n): values of a cluster are not
 * independent, and a large cluster pulls the mean towards itself (CR2, Bell and McCaffrey 2002). For clusters of one
 * size, and without clusters, it equals the ordinary standard error. Undefined for one cluster.
 */
export function standardError(values: readonly number[], clusters?: Clusters): StandardError | undefined {
  assertNumbers(values)
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

/** The effective number of clusters: n²/Σn_c² (Kish 1965). */
export function kishSize(clusters: Clusters): number {
  if (clusters.length === 0) throw new RangeError('There are no clusters.')
  return clusters.length ** 2 / sumOf(clusterSizes(clusters).map(size => size ** 2))
}

function membersOf<Value>(values: readonly Value[], clusters: Clusters | undefined): readonly (readonly Value[])[] {
  if (clusters) assertKeyForEach(values, clusters)
  if (!clusters?.some(cluster => cluster !== undefined)) return values.map(value => [value])
  const keyed = values.map((value, index) => {
    const cluster = clusters[index]
    return { value, key: cluster === undefined ? `alone ${index}` : `in ${cluster}` }
  })
  return [...groupBy(keyed, ({ key }) => key).values()].map(group => group.map(({ value }) => value))
}

/** The summed distance of each cluster from the mean; exactly 0 if it is only a rounding error. */
function clusterDistances(values: readonly number[], groups: readonly (readonly number[])[]): number[] {
  const average = mean(values)
  const rounding = roundingOf(values)
  return groups.map(members => {
    const distance = exactSum(members.map(value => value - average))
    return Math.abs(distance) <= members.length * rounding ? 0 : distance
  })
}

/**
 * The degrees of freedom by Satterthwaite's method: n²/(Σ n_c² + Σ_{c≠d} w_c·w_d·n_c²·n_d²/n²). The variance is a sum of
 * squares with non-negative weights, so this is between 1 and the clusters minus one, except for rounding.
 */
export function degreesOf(sizes: readonly number[]): number {
  const most = sizes.length - 1
  if (sizes.every(size => size === sizes[0])) return most
  const n = sumOf(sizes)
  let [squares, products, before] = [0, 0, 0]
  // Sorted, so that rounding does not depend on the order; sums only, which lose no digits.
  for (const size of sizes.toSorted((one, other) => one - other)) {
    const weighted = size ** 2 / (n - size)
    squares += size ** 2
    products += 2 * weighted * before
    before += weighted
  }
  return Math.min(most, Math.max(1, n ** 2 / (squares + products)))
}

/** √Σd², scaled by the largest, so that no square overflows or underflows. */
function lengthOf(distances: readonly number[]): number {
  const largest = distances.reduce((most, distance) => Math.max(most, Math.abs(distance)), 0)
  return largest === 0 ? 0 : largest * Math.sqrt(exactSum(distances.map(distance => (distance / largest) ** 2)))
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Σ score·weight / Σ weight, without rounding errors in the last digits. */
export function weightedAverage(parts: readonly { readonly score: number | null; readonly weight: number }[]): number {
  // Scaled by the largest weight, so that no sum overflows.
  const heaviest = parts.reduce((most, { weight }) => Math.max(most, weight), 0)
  const weights = parts.reduce((sum, { weight }) => sum + weight / heaviest, 0)
  const weighted = parts.reduce((sum, { score, weight }) => sum + (score ?? 0) * (weight / heaviest), 0)
  return Math.round((weighted / weights) * 1e9) / 1e9
}
