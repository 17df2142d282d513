import type { Interval } from '../../lib/statistics/interval.ts'
import { exactMcNemar } from '../../lib/statistics/mcnemar.ts'
import { pairedDifference } from '../../lib/statistics/paired-difference.ts'
import type { Pair } from './pair-tests.ts'

/** What the differences of tests show. */
export interface Evidence {
  /** The mean of the differences. */
  readonly mean: number
  /** Undefined where one test, or one cluster, is all there is. */
  readonly interval: Interval | undefined
  /** The standard deviation that the mean behaves as if it had: clusters make it larger. */
  readonly deviation: number | undefined
  /** How likely such a difference is by chance alone. */
  readonly p: number | undefined
  readonly test: 'exact McNemar' | 'paired t'
  /** The same against the margin: how likely, if the second side were only so much worse. */
  readonly p_of_margin: number | undefined
  /** Pieces of evidence that are not 0: tests, or clusters of them. */
  readonly differing: number
}

export function evidenceOf(pairs: readonly Pair[], margin: number): Evidence | undefined {
  if (pairs.length === 0) return undefined
  const differences = pairs.map(({ difference }) => difference)
  const clusters = clustersOf(pairs)
  const { mean, interval, standardError, p } = pairedDifference(differences, { clusters })
  const facts = {
    mean,
    interval,
    deviation: standardError === undefined ? undefined : standardError * Math.sqrt(pairs.length),
    differing: differingOf(pairs),
  }
  if (isBinary(pairs)) {
    const improved = differences.filter(difference => difference > 0).length
    const worse = differences.filter(difference => difference < 0).length
    const exact = exactMcNemar(improved, worse)
    return { ...facts, test: 'exact McNemar', p: exact, p_of_margin: margin === 0 ? exact : shifted(pairs, margin) }
  }
  return { ...facts, test: 'paired t', p, p_of_margin: margin === 0 ? p : shifted(pairs, margin) }
}

function shifted(pairs: readonly Pair[], margin: number): number | undefined {
  const differences = pairs.map(({ difference }) => difference + margin)
  return pairedDifference(differences, { clusters: clustersOf(pairs) }).p
}

/** Either side says what tests stand or fall together. */
function clustersOf(pairs: readonly Pair[]): (string | undefined)[] {
  return pairs.map(({ outcomes: [before, after] }) => after.cluster ?? before.cluster)
}

/** Passed or not, once, each test for itself. */
function isBinary(pairs: readonly Pair[]): boolean {
  return pairs.every(({ before, after, outcomes: [first, second] }) => {
    const isWhole = [before, after].every(score => score === 0 || score === 1)
    const isAlone = first.cluster === undefined && second.cluster === undefined
    return isWhole && isAlone && first.attempts === 1 && second.attempts === 1
  })
}

function differingOf(pairs: readonly Pair[]): number {
  const sums = new Map<string, number>()
  for (const [index, cluster] of clustersOf(pairs).entries()) {
    const key = cluster === undefined ? `alone ${index}` : `in ${cluster}`
    sums.set(key, (sums.get(key) ?? 0) + (pairs[index]?.difference ?? 0))
  }
  return [...sums.values()].filter(sum => Math.abs(sum) > 1e-9).length
}
