import type { Interval } from '../../lib/statistics/intervals.ts'
import { mean, standardError } from '../../lib/statistics/means.ts'
import { type PairedEvidence, pairedEvidence } from '../../lib/statistics/paired.ts'
import { permutationWithin } from '../../lib/statistics/permutation.ts'
import type { Pair } from './pair-tests.ts'

/** What the differences of tests show. */
export interface Evidence {
  /** The mean of the differences. */
  readonly mean: number
  /** Undefined where one test, or one cluster, is all there is. */
  readonly interval: Interval | undefined
  /** Of the mean, by the test that has the larger one. */
  readonly standard_error: number
  /** The standard deviation of a difference: clusters make it larger. Undefined as the interval is. */
  readonly deviation: number | undefined
  /** How likely such a difference is by chance alone, if the true one is `assumed`. It decides. */
  readonly p: number | undefined
  /** 0, or the loss of the margin where more than that was lost. */
  readonly assumed: number
  /** Where p is from. */
  readonly test: 'mid-p McNemar' | 'sign test' | 'Bonett–Price' | 'paired t' | 'permutation within tests'
  /** One trial of each test on each side, passed or not, and no clusters. */
  readonly is_binary: boolean
  /** The sides have different numbers of trials in some test. */
  readonly has_unequal_trials: boolean
  /** Pieces of evidence: tests, or clusters of them. */
  readonly pieces: number
  /** How many of these differ. */
  readonly differing: number
}

/** Undefined for no pairs. */
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

/** One p for one question: whether more than the margin was lost, where the mean is beyond it; else whether anything differs. */
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

/** A test with more trials on one side has a smaller chance to be perfect there: t takes that for a difference. */
function hasUnequalTrials({ outcomes: [before, after] }: Pair): boolean {
  return before.values.length !== after.values.length
}

/** The same whatever the order of tests and attempts, and whichever side is the first. */
function permutationP(pairs: readonly Pair[], seen: number): number {
  const sides = pairs.map(({ outcomes: [before, after] }) => {
    const [first, second] = [before.values.toSorted(), after.values.toSorted()]
    return seen < 0 ? ([second, first] as const) : ([first, second] as const)
  })
  const keyed = sides.map(each => ({ each, key: JSON.stringify(each) }))
  keyed.sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)))
  return permutationWithin(keyed.map(({ each }) => each))
}

/** The standard error of the mean where chance alone draws which attempts of a test belong to which side. */
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

/** The chance of a false alarm that a verdict allows, worse and better together. */
export const SIGNIFICANCE_LEVEL = 0.05

/**
 * How many tests, or clusters, must differ for a verdict. Five that agree have p = 1/32 by mid-p, and four 1/16, which is
 * above the level. t does not know that a few equal differences may be coins that fell the same way: 2/64 for six of them.
 */
export function minDiffering({ is_binary }: { readonly is_binary: boolean }): number {
  return is_binary ? 5 : 6
}

/** The cluster of each pair: tests that are together on either side are together. Undefined for a test that is alone. */
function pairClusters(pairs: readonly Pair[]): (string | undefined)[] {
  const joined = new Map<string, string>()
  const rootOf = (name: string): string => {
    let root = name
    for (let next = joined.get(root); next !== undefined; next = joined.get(root)) root = next
    return root
  }
  const names = pairs.map(({ outcomes: [before, after] }) => [before.cluster, after.cluster] as const)
  for (const [first, second] of names) {
    if (first === undefined || second === undefined) continue
    const [one, other] = [rootOf(first), rootOf(second)]
    if (one !== other) joined.set(one, other)
  }
  return names.map(([first, second]) => {
    const name = second ?? first
    return name === undefined ? undefined : rootOf(name)
  })
}
