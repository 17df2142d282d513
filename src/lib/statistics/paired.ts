import { assertDifference, assertKeyForEach, assertNumbers, assertProbability } from './assertions.ts'
import { normalQuantile, normalTwoSidedP, studentTwoSidedP } from './distributions.ts'
import { CONFIDENCE_LEVEL, type EstimateOptions, estimateMean, type Interval, type MeanEstimate } from './intervals.ts'
import { type Clusters, kishSize, mean, roundingOf } from './means.ts'
import { midPMcNemar } from './significance.ts'

/** The mean difference of two sides with values in 0..1, and its significance. */
export interface PairedEvidence {
  readonly mean: number
  readonly standardError: number
  /** Never of width 0 and never outside ±1. Undefined for one cluster or one difference, unless binary. */
  readonly interval: Interval | undefined
  /** The p value of a mean at least as far from 0; undefined if the interval is. */
  readonly p: number | undefined
  /** The p value if the true loss is exactly the margin. */
  readonly pOfMargin: number | undefined
  readonly method: 'mid-p McNemar' | 'sign test' | 'paired t'
}

interface Options {
  readonly clusters?: Clusters | undefined
  /** Each side of a pair has one value, 0 or 1, and there are no clusters. */
  readonly isBinary: boolean
  /** The accepted loss, from 0 to 1. */
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

/** Never below p: a loss beyond the margin is a loss. */
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

/** For differences that are all 0, of which a t test would be certain, although other tests could differ. */
function noEvidence(differences: readonly number[], clusters: Clusters | undefined, margin: number): PairedEvidence {
  const { centre, standardError, interval } = bonettPrice(differences, clusters)
  const pOfMargin = normalTwoSidedP((centre + margin) / standardError)
  return { mean: 0, standardError, interval, p: 1, pOfMargin, method: 'paired t' }
}

/** The signs of differences of one size; undefined for several sizes or clusters. */
function signsOf(differences: readonly number[], size: number, clusters: Clusters | undefined): number[] | undefined {
  if (clusters?.some(cluster => cluster !== undefined)) return undefined
  const scaled = differences.map(difference => difference / size)
  const isOneSize = scaled.every(value => Math.abs(value - Math.round(value)) <= ROUNDING)
  return isOneSize ? scaled.map(Math.round) : undefined
}

function largestOf(differences: readonly number[]): number {
  return differences.reduce((most, difference) => Math.max(most, Math.abs(difference)), 0)
}

/** Tests the signs only: differences of one size vary little, which a t test would take for certainty. */
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

/** The tolerance for rounding to an integer. */
const ROUNDING = 1e-6

/** The mean of differences with a paired t test. */
export interface PairedDifference extends MeanEstimate {
  /** The mean in standard errors; undefined if the standard error is undefined or 0. */
  readonly t: number | undefined
  /** The p value of a mean at least as far from 0; undefined if the standard error is. */
  readonly p: number | undefined
}

/**
 * Paired t test. If all differences are equal, the standard error is 0 and the interval has no width: then p is 1 if
 * they are 0, and 0 otherwise.
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
  /** The mean including the pseudo-pairs, which shrink it towards 0. */
  readonly centre: number
  readonly standardError: number
  readonly interval: Interval
}

/** The Bonett–Price interval for differences in −1..1: adds two pseudo-pairs, +1 and −1, so that its width is never 0. */
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

/** (Σd² + 2)/(n + 2) minus the square of the centre, as a sum: a difference of almost equal numbers would lose digits. */
function varianceOf(differences: readonly number[], average: number, size: number): number {
  const spread = mean(differences.map(difference => (difference - average) ** 2))
  const square = mean(differences.map(difference => difference ** 2))
  return (size ** 2 * spread + 2 * size * (square + 1) + 4) / (size + 2) ** 2
}
