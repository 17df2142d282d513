import type { CorrectedRate } from './corrected-rate.ts'
import { normalQuantile, studentQuantile } from './distributions.ts'
import { boundedMean, CONFIDENCE_LEVEL, type Interval, wilsonInterval } from './intervals.ts'
import { clusterSizes, exactSum, standardError } from './means.ts'

/** A label of an answer. Labels of one cluster are not independent. */
export interface LabelledVerdict {
  readonly passes: boolean
  readonly cluster: string | undefined
}

/** Answers with one verdict of a judge: how many of them people would pass. */
export interface Stratum {
  /** The share that passes; undefined without labels. */
  readonly rate: number | undefined
  /** The centre of its interval: the share with one label more of each kind. */
  readonly centre: number
  /** The variance of the share. */
  readonly variance: number
}

/** A stratum by its labels. Clusters count as many labels as an independent sample of the same certainty has. */
export function labelledStratum(labels: readonly LabelledVerdict[]): Stratum {
  if (labels.length === 0) return { rate: undefined, centre: 1 / 2, variance: 1 / 8 }
  const values = labels.map(({ passes }) => Number(passes))
  const {
    mean: rate,
    effectiveSize,
    kish,
  } = boundedMean(values, {
    clusters: labels.map(({ cluster }) => cluster),
    isRate: true,
  })
  return stratumOf(rate, effectiveSize ?? kish)
}

/** A stratum by its share of passes in `size` independent labels. */
function stratumOf(rate: number, size: number): Stratum {
  const centre = (rate * size + 1) / (size + 2)
  return { rate: size === 0 ? undefined : rate, centre, variance: (centre * (1 - centre)) / (size + 2) }
}

/** A stratum by a rate that is known with an interval. */
export function stratumWithin({ value, interval: { low, high } }: CorrectedRate): Stratum {
  const standardError = (high - low) / 2 / normalQuantile((1 + CONFIDENCE_LEVEL) / 2)
  return { rate: value, centre: (low + high) / 2, variance: standardError ** 2 }
}

/** The attempts of a test, as shares that add up to 1 with those that are known not to pass. */
export interface TestShares {
  readonly cluster: string | undefined
  readonly attempts: number
  /** The share that passed by its verdicts. */
  readonly verdicts: number
  /** The share that is known to pass. */
  readonly passed: number
  /** The share in each stratum. */
  readonly strata: readonly number[]
}

/** A pass rate as people would give it. */
export interface CalibratedRate {
  readonly value: number
  /** Undefined for a single test or cluster. */
  readonly interval: Interval | undefined
  /** The centre of the interval and its standard error, before it is limited to 0..1. */
  readonly centre: number
  readonly standard_error: number | undefined
}

/**
 * The pass rate by post-stratification: the mean over tests of the mean over their attempts, of which those in a stratum
 * count what its labels say. For independent tests of one attempt each, all of them judged, it equals
 * `postStratifiedRate`.
 */
export function calibratedRate(tests: readonly TestShares[], strata: readonly Stratum[]): CalibratedRate {
  const clusters = tests.map(({ cluster }) => cluster)
  const shrunk = expectedValues(
    tests,
    strata.map(({ centre }) => centre),
  )
  const centre = average(shrunk)
  // A verdict that the judge never gives needs no labels.
  const isUsed = (index: number) => tests.some(test => (test.strata[index] ?? 0) > 0)
  const value = strata.every(({ rate }, index) => rate !== undefined || !isUsed(index))
    ? average(
        expectedValues(
          tests,
          strata.map(({ rate }) => rate ?? 0),
        ),
      )
    : centre
  const error = standardError(shrunk, clusters)
  if (!error) return { value: within(value), interval: undefined, centre, standard_error: undefined }
  const count = clusterSizes(clusters).length
  // The variance of the formula divides by n, not by n - 1.
  const ofTests = (error.standardError ** 2 * (count - 1)) / count
  const ofLabels = strata.map(
    ({ variance }, index) => average(tests.map(each => each.strata[index] ?? 0)) ** 2 * variance,
  )
  const standard_error = Math.sqrt(exactSum([...ofLabels, ofTests]))
  const quantile = quantileFor(tests, error.df)
  const interval = {
    low: within(centre - quantile * standard_error),
    high: within(centre + quantile * standard_error),
  }
  const least = leastInterval(tests, centre, quantile)
  return { value: within(value), interval: hullOf(interval, least, within(value)), centre, standard_error }
}

function expectedValues(tests: readonly TestShares[], rates: readonly number[]): number[] {
  return tests.map(({ passed, strata }) =>
    strata.reduce((sum, share, index) => sum + share * (rates[index] ?? 0), passed),
  )
}

/** Student's for clusters and repeated attempts, as in the interval of the plain rate. */
function quantileFor(tests: readonly Pick<TestShares, 'cluster' | 'attempts'>[], df: number): number {
  const isPlain = tests.every(({ cluster, attempts }) => cluster === undefined && attempts === 1)
  const upper = (1 + CONFIDENCE_LEVEL) / 2
  return isPlain ? normalQuantile(upper) : studentQuantile(upper, df)
}

/**
 * What is known exactly has no labels whose number limits the certainty: an interval would have no width if all of it
 * passes. So it is at least that of a rate with the precision of the verdicts.
 */
function leastInterval(tests: readonly TestShares[], centre: number, quantile: number): Interval | undefined {
  if (tests.every(({ passed, strata }) => passed === 0 && isWhole(strata))) return undefined
  const verdicts = tests.map(test => test.verdicts)
  const { effectiveSize, kish } = boundedMean(verdicts, {
    clusters: tests.map(({ cluster }) => cluster),
    isRate: verdicts.every(share => share === 0 || share === 1),
  })
  return wilsonInterval(within(centre), effectiveSize ?? kish, quantile)
}

function isWhole(shares: readonly number[]): boolean {
  return exactSum([0, ...shares]) > 1 - 1e-9
}

function hullOf(interval: Interval, least: Interval | undefined, value: number): Interval {
  return {
    low: Math.min(interval.low, least?.low ?? 1, value),
    high: Math.max(interval.high, least?.high ?? 0, value),
  }
}

function average(values: readonly number[]): number {
  return exactSum(values) / values.length
}

function within(share: number): number {
  return Math.min(1, Math.max(0, share))
}
