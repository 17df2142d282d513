import { assertDifference, assertKeyForEach, assertNumbers, assertProbability } from './assertions.ts'
import { normalQuantile, normalTwoSidedP, studentTwoSidedP } from './distributions.ts'
import { CONFIDENCE_LEVEL, type EstimateOptions, estimateMean, type Interval, type MeanEstimate } from './intervals.ts'
import { type Clusters, kishSize, mean, roundingOf } from './means.ts'
import { midPMcNemar } from './significance.ts'

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
  assertNumbers(differences)
  for (const difference of differences) assertDifference(difference)
  assertProbability('The margin', options.margin)
  if (options.isBinary) assertBinary(differences, options.clusters)
  return options.isBinary ? binaryEvidence(differences, options) : studentEvidence(differences, options)
}

function assertBinary(differences: readonly number[], clusters: Clusters | undefined): void {
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

/** The mean of differences, with the t test of whether it is 0. */
export interface PairedDifference extends MeanEstimate {
  /** The mean in standard errors; undefined where there is none, or where it is 0. */
  readonly t: number | undefined
  /** How likely a mean is that is at least as far from 0, if nothing but chance makes it; undefined as the standard error is. */
  readonly p: number | undefined
}

/**
 * Where all differences are the same, the standard error is 0, the interval is the mean and there is nothing to divide by:
 * then p is 1 if they are 0, since nothing speaks for a difference, and 0 if they are not, since nothing speaks against it.
 */
export function pairedDifference(differences: readonly number[], options: EstimateOptions = {}): PairedDifference {
  const estimate = estimateMean(differences, options)
  const { mean, standardError, df } = estimate
  if (standardError === undefined || df === undefined) return { ...estimate, t: undefined, p: undefined }
  if (standardError === 0) return { ...estimate, t: undefined, p: mean === 0 ? 1 : 0 }
  const t = mean / standardError
  return { ...estimate, t, p: studentTwoSidedP(t, df) }
}

interface PairedBinary {
  /** The mean with the pseudo-pairs: closer to 0 than that of the differences. */
  readonly centre: number
  readonly standardError: number
  readonly interval: Interval
}

/** Bonett–Price, for differences in −1..1: two pseudo-pairs, +1 and −1, are added, so that its width is never 0. */
export function bonettPrice(differences: readonly number[], clusters?: Clusters): PairedBinary {
  assertNumbers(differences)
  for (const difference of differences) assertDifference(difference)
  const keys = clusters ?? differences.map(() => undefined)
  assertKeyForEach(differences, keys)
  const size = kishSize(keys)
  const average = mean(differences)
  const centre = (size * average) / (size + 2)
  const standardError = Math.sqrt(varianceOf(differences, average, size) / (size + 2))
  const half = normalQuantile((1 + CONFIDENCE_LEVEL) / 2) * standardError
  return { centre, standardError, interval: { low: Math.max(-1, centre - half), high: Math.min(1, centre + half) } }
}

/** (Σd² + 2)/(n + 2) less the square of the centre, written as a sum: a difference of almost equal numbers loses digits. */
function varianceOf(differences: readonly number[], average: number, size: number): number {
  const spread = mean(differences.map(difference => (difference - average) ** 2))
  const square = mean(differences.map(difference => difference ** 2))
  return (size ** 2 * spread + 2 * size * (square + 1) + 4) / (size + 2) ** 2
}
