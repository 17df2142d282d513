import { groupBy } from '../collections.ts'
import { assertKeyForEach, assertNumbers } from './assertions.ts'

/** The mean of numbers, the same in whichever order they come, and 0 where all that is left of it is rounding. */
export function mean(values: readonly number[]): number {
  assertNumbers(values)
  const average = exactSum(values) / values.length
  if (Math.abs(average) <= roundingOf(values)) return 0
  // Rounding may not take it beyond them: the mean of equal numbers is that number.
  const lowest = values.reduce((least, value) => Math.min(least, value))
  const highest = values.reduce((most, value) => Math.max(most, value))
  return Math.min(highest, Math.max(lowest, average))
}

/** What arithmetic adds in the last digits, and what made these numbers before, is below this part of the largest. */
const ROUNDING = 1e-12

/** How far apart two means of such numbers may be that would be equal if numbers had all their digits. */
export function roundingOf(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) * ROUNDING
}

/**
 * The sum of numbers, rounded once at its end: the same in whichever order they come.
 * What rounding takes from a sum of two is itself a number, and is kept as a part of its own (Shewchuk 1997).
 */
export function exactSum(values: readonly number[]): number {
  const parts: number[] = []
  for (const value of values) addTo(parts, value)
  return roundParts(parts)
}

/** The parts come from the smallest to the largest, do not overlap, and stay few. */
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

/** Adds from the largest on, until something is lost. The next part decides which way that rounds if it is just a half. */
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

/** The number of clusters of one size that would be worth as much as these: n²/Σn_c² (Kish 1965). */
export function kishSize(clusters: Clusters): number {
  if (clusters.length === 0) throw new RangeError('There are no clusters.')
  return clusters.length ** 2 / sumOf(clusterSizes(clusters).map(size => size ** 2))
}

function membersOf<Value>(values: readonly Value[], clusters: Clusters | undefined): readonly (readonly Value[])[] {
  if (!clusters) return values.map(value => [value])
  assertKeyForEach(values, clusters)
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

/** Σ score·weight / Σ weight, without what arithmetic adds in the last digits. */
export function weightedAverage(parts: readonly { readonly score: number | null; readonly weight: number }[]): number {
  // Relative to the heaviest, so that no sum is too large for a number.
  const heaviest = parts.reduce((most, { weight }) => Math.max(most, weight), 0)
  const weights = parts.reduce((sum, { weight }) => sum + weight / heaviest, 0)
  const weighted = parts.reduce((sum, { score, weight }) => sum + (score ?? 0) * (weight / heaviest), 0)
  return Math.round((weighted / weights) * 1e9) / 1e9
}
