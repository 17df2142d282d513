import type { Interval } from '../../lib/statistics/intervals.ts'
import { mean, standardError } from '../../lib/statistics/means.ts'
import { type PairedEvidence, pairedEvidence } from '../../lib/statistics/paired.ts'
import { permutationWithin } from '../../lib/statistics/permutation.ts'
import { type Pair, pairClusters } from './pair-tests.ts'

/** Statistical evidence from the differences of tests. */
export interface Evidence {
  readonly mean: number
  /** Undefined for a single test or cluster. */
  readonly interval: Interval | undefined
  /** Standard error of the mean, by the test with the larger one. */
  readonly standard_error: number
  /** Standard deviation of a difference, increased by clusters; undefined if the interval is. */
  readonly deviation: number | undefined
  /** Probability of such a difference by chance if the true one is `assumed`. Decides the verdict. */
  readonly p: number | undefined
  /** 0, or minus the margin if the loss exceeds it. */
  readonly assumed: number
  /** The statistical test that gave p. */
  readonly test: 'mid-p McNemar' | 'sign test' | 'Bonett–Price' | 'paired t' | 'permutation within tests'
  /** Whether each test has one binary trial per side and no cluster. */
  readonly is_binary: boolean
  /** Whether the sides have different numbers of trials in any test. */
  readonly has_unequal_trials: boolean
  /** Independent units: tests or clusters. */
  readonly pieces: number
  /** Number of units that differ. */
  readonly differing: number
}

/** Returns undefined without pairs. */
export function evidenceOf(pairs: readonly Pair[], margin: number): Evidence | undefined {
  if (pairs.length === 0) return undefined
  const differences = pairs.map(({ difference }) => difference)
  const clusters = pairClusters(pairs)
  const is_binary = isBinary(pairs)
  const paired = pairedEvidence(differences, { clusters, isBinary: is_binary, margin })
  const deviation = standardError(differences, clusters)
  const has_unequal_trials = pairs.some(hasUnequalTrials)
  return {
    mean: paired.mean,
    interval: paired.interval,
    standard_error: Math.max(paired.standardError, has_unequal_trials ? permutationError(pairs) : 0),
    deviation: deviation && deviation.standardError * Math.sqrt(pairs.length),
    ...decidingTest(pairs, paired, margin),
    is_binary,
    has_unequal_trials,
    ...piecesOf(differences, clusters),
  }
}

/** Tests against the margin if the mean loss exceeds it, otherwise against no difference. */
function decidingTest(
  pairs: readonly Pair[],
  { mean: seen, p, pOfMargin, method }: PairedEvidence,
  margin: number,
): Pick<Evidence, 'p' | 'assumed' | 'test'> {
  const isOfMargin = margin > 0 && seen < -margin
  const test = isOfMargin && method !== 'paired t' ? 'Bonett–Price' : method
  const first = { p: isOfMargin ? pOfMargin : p, assumed: isOfMargin ? -margin : 0, test } as const
  if (first.p === undefined || !pairs.some(hasUnequalTrials)) return first
  const permuted = permutationP(pairs, seen)
  return permuted > first.p ? { p: permuted, assumed: 0, test: 'permutation within tests' } : first
}

/** A perfect result is less likely with more trials, which the t test would take for a difference. */
function hasUnequalTrials({ outcomes: [before, after] }: Pair): boolean {
  return before.values.length !== after.values.length
}

/** Independent of the order of tests, attempts and sides. */
function permutationP(pairs: readonly Pair[], seen: number): number {
  const sides = pairs.map(({ outcomes: [before, after] }) => {
    const [first, second] = [before.values.toSorted(), after.values.toSorted()]
    return seen < 0 ? ([second, first] as const) : ([first, second] as const)
  })
  const keyed = sides.map(each => ({ each, key: JSON.stringify(each) }))
  keyed.sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)))
  return permutationWithin(keyed.map(({ each }) => each))
}

/** Standard error of the mean if attempts are assigned to the sides at random. */
function permutationError(pairs: readonly Pair[]): number {
  const variances = pairs.map(({ outcomes: [{ values: before }, { values: after }] }) => {
    const pooled = [...before, ...after]
    const average = mean(pooled)
    const variance = pooled.reduce((sum, value) => sum + (value - average) ** 2, 0) / (pooled.length - 1)
    return variance * (1 / before.length + 1 / after.length)
  })
  return Math.sqrt(mean(variances) / pairs.length)
}

function isBinary(pairs: readonly Pair[]): boolean {
  return pairs.every(({ outcomes }) =>
    outcomes.every(
      ({ values: [first, ...others], cluster }) =>
        others.length === 0 && (first === 0 || first === 1) && cluster === undefined,
    ),
  )
}

function piecesOf(
  differences: readonly number[],
  clusters: readonly (string | undefined)[],
): Pick<Evidence, 'pieces' | 'differing'> {
  const sums = new Map<string, number>()
  for (const [index, difference] of differences.entries()) {
    const cluster = clusters[index]
    const key = cluster === undefined ? `alone ${index}` : `in ${cluster}`
    sums.set(key, (sums.get(key) ?? 0) + difference)
  }
  return { pieces: sums.size, differing: [...sums.values()].filter(sum => Math.abs(sum) > 1e-9).length }
}

/** Accepted probability of a false verdict, two-sided. */
export const SIGNIFICANCE_LEVEL = 0.05

/**
 * Returns how many tests or clusters must differ for a verdict. Mid-p gives 1/32 for five equal differences, but 1/16 for
 * four. The t test underestimates the chance of a few equal differences, which is 2/64 for six.
 */
export function minDiffering({ is_binary }: { readonly is_binary: boolean }): number {
  return is_binary ? 5 : 6
}
