import { demandDifference, demandNumbers, demandProbability } from './demands.ts'
import type { Interval } from './interval.ts'
import { midPMcNemar } from './mcnemar.ts'
import { mean, roundingOf } from './mean.ts'
import { normalTwoSidedP } from './normal.ts'
import { bonettPrice, type PairedBinary } from './paired-binary.ts'
import { pairedDifference } from './paired-difference.ts'
import { type Clusters, kishSize } from './standard-error.ts'
import { studentTwoSidedP } from './student-t.ts'

/** The difference of two sides, for values in 0..1. */
export interface PairedEvidence {
  readonly mean: number
  readonly standardError: number
  /** Never of width 0 and never outside ±1. Undefined for one cluster, or one difference, unless it is binary. */
  readonly interval: Interval | undefined
  /** How likely a mean is that is at least as far from 0, if nothing but chance makes it; undefined as the interval is. */
  readonly p: number | undefined
  /** The same against the margin: how likely, if the truth is a loss of exactly so much. */
  readonly pOfMargin: number | undefined
  readonly method: 'mid-p McNemar' | 'sign test' | 'paired t'
}

interface Options {
  readonly clusters?: Clusters | undefined
  /** Each side has one value for each pair, which is 0 or 1, and there are no clusters. */
  readonly isBinary: boolean
  /** The loss that is accepted, from 0 to 1. */
  readonly margin: number
}

export function pairedEvidence(differences: readonly number[], options: Options): PairedEvidence {
  demandNumbers(differences)
  for (const difference of differences) demandDifference(difference)
  demandProbability('The margin', options.margin)
  if (options.isBinary) demandBinary(differences, options.clusters)
  return options.isBinary ? binaryEvidence(differences, options) : studentEvidence(differences, options)
}

function demandBinary(differences: readonly number[], clusters: Clusters | undefined): void {
  const stray = differences.find(difference => !Number.isInteger(difference))
  if (stray !== undefined) throw new RangeError(`A binary difference is −1, 0 or 1: ${stray}.`)
  if (clusters?.some(cluster => cluster !== undefined)) throw new RangeError('Binary differences have no clusters.')
}

function binaryEvidence(differences: readonly number[], { margin }: Options): PairedEvidence {
  const paired = bonettPrice(differences)
  const p = midPMcNemar(
    differences.filter(difference => difference > 0).length,
    differences.filter(difference => difference < 0).length,
  )
  const { standardError, interval } = paired
  const pOfMargin = marginP(p, paired, margin)
  return { mean: mean(differences), standardError, interval, p, pOfMargin, method: 'mid-p McNemar' }
}

/** Never below p: who has lost more than the margin has lost something. */
function marginP(p: number, { centre, standardError }: PairedBinary, margin: number): number {
  return margin === 0 ? p : Math.max(p, normalTwoSidedP((centre + margin) / standardError))
}

function studentEvidence(differences: readonly number[], { clusters, margin }: Options): PairedEvidence {
  const { mean, standardError, df, interval, p } = pairedDifference(differences, { clusters })
  if (standardError === undefined || df === undefined || interval === undefined) {
    const { standardError } = bonettPrice(differences, clusters)
    return { mean, standardError, interval: undefined, p: undefined, pOfMargin: undefined, method: 'paired t' }
  }
  const areEqual = interval.high - interval.low <= roundingOf(differences)
  if (areEqual && mean === 0) return noEvidence(differences, clusters, margin)
  const size = areEqual ? Math.abs(mean) : largestOf(differences)
  const signs = areEqual ? differences.map(() => Math.sign(mean)) : signsOf(differences, size, clusters)
  if (signs) return { mean, ...signEvidence(signs, size, clusters, margin) }
  return {
    mean,
    standardError,
    interval: { low: Math.max(-1, interval.low), high: Math.min(1, interval.high) },
    p,
    pOfMargin: margin === 0 ? p : studentTwoSidedP((mean + margin) / standardError, df),
    method: 'paired t',
  }
}

/** Where nothing differs: t would be certain of that, which does not say how far other tests would be from 0. */
function noEvidence(differences: readonly number[], clusters: Clusters | undefined, margin: number): PairedEvidence {
  const { centre, standardError, interval } = bonettPrice(differences, clusters)
  const pOfMargin = normalTwoSidedP((centre + margin) / standardError)
  return { mean: 0, standardError, interval, p: 1, pOfMargin, method: 'paired t' }
}

/** Differences of one size as −1, 0 and 1; undefined where there are several sizes, or clusters. */
function signsOf(differences: readonly number[], size: number, clusters: Clusters | undefined): number[] | undefined {
  if (clusters?.some(cluster => cluster !== undefined)) return undefined
  const scaled = differences.map(difference => difference / size)
  const isOneSize = scaled.every(value => Math.abs(value - Math.round(value)) <= ROUNDING)
  return isOneSize ? scaled.map(Math.round) : undefined
}

function largestOf(differences: readonly number[]): number {
  return differences.reduce((most, difference) => Math.max(most, Math.abs(difference)), 0)
}

/** Differences of one size say no more than their signs: that they do not vary is no certainty, as t would have it. */
function signEvidence(
  signs: readonly number[],
  size: number,
  clusters: Clusters | undefined,
  margin: number,
): Omit<PairedEvidence, 'mean'> {
  const scaled = bonettPrice(signs, clusters)
  const weight = kishSize(clusters ?? signs.map(() => undefined)) / signs.length
  const count = (sign: number) => Math.floor(signs.filter(each => each === sign).length * weight + ROUNDING)
  const p = midPMcNemar(count(1), count(-1))
  const [centre, standardError] = [size * scaled.centre, size * scaled.standardError]
  const interval = { low: size * scaled.interval.low, high: size * scaled.interval.high }
  const pOfMargin = marginP(p, { centre, standardError, interval }, margin)
  return { standardError, interval, p, pOfMargin, method: 'sign test' }
}

/** What is closer to a whole number is one. */
const ROUNDING = 1e-6
