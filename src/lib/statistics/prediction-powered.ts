import { assertKeyForEach, assertNumbers } from './assertions.ts'
import { studentQuantile } from './distributions.ts'
import { CONFIDENCE_LEVEL, type Interval } from './intervals.ts'
import { mean } from './means.ts'

/** Scores of people for some answers, and of a judge for all of them. Labels are a simple random sample. */
export interface ScoredAnswers {
  /** The scores of people. */
  readonly labels: readonly number[]
  /** The scores of the judge for the same answers. */
  readonly judged: readonly number[]
  /** The scores of the judge for answers without a label. */
  readonly judged_only: readonly number[]
  /** How many labels count as one, since those of one test are not independent. Default: 1. */
  readonly design?: number | undefined
}

/** A mean score as people would give it, estimated with a judge. */
export interface PredictionPoweredMean {
  /** How much the judge counts, from 0 to 1. */
  readonly weight: number
  readonly value: number
  readonly standard_error: number
  readonly interval: Interval
}

/**
 * The mean by PPI++ (Angelopoulos, Duchi and Zrnic 2023). Where all scores are 0 or 1, one label of each disagreement is
 * added to the variances, which would be 0 for a judge that agreed with every label. Undefined below two labels.
 */
export function predictionPoweredMean(scores: ScoredAnswers): PredictionPoweredMean | undefined {
  const { labels, judged, judged_only, design = 1 } = scores
  assertKeyForEach(labels, judged)
  const independent = labels.length / design
  if (labels.length < 2 || independent < 2) return undefined
  for (const values of [labels, judged]) assertNumbers(values)
  const isRate = [...labels, ...judged, ...judged_only].every(value => value === 0 || value === 1)
  const people = isRate ? [...labels, 1, 0] : labels
  const judge = isRate ? [...judged, 0, 1] : judged
  const weight = weightOf({ people, judge }, scores)
  const residuals = people.map((score, index) => score - weight * (judge[index] ?? 0))
  const ofJudge = weight === 0 ? 0 : (weight ** 2 * varianceOf(judged_only)) / judged_only.length
  const standard_error = Math.sqrt(ofJudge + (varianceOf(residuals) * design) / people.length)
  const value =
    (weight === 0 ? 0 : weight * mean(judged_only)) + mean(labels.map((score, i) => score - weight * (judged[i] ?? 0)))
  const half = studentQuantile((1 + CONFIDENCE_LEVEL) / 2, independent - 1) * standard_error
  return {
    weight,
    value,
    standard_error,
    interval: { low: Math.max(0, value - half), high: Math.min(1, value + half) },
  }
}

/** The weight with the least variance: cov(Y, f) / ((1 + n/N)·var(f)), between 0 and 1. */
function weightOf(
  { people, judge }: { readonly people: readonly number[]; readonly judge: readonly number[] },
  { labels, judged, judged_only }: ScoredAnswers,
): number {
  if (judged_only.length < 2) return 0
  const spread = varianceOf([...judged, ...judged_only])
  if (spread === 0) return 0
  const shared = covarianceOf(people, judge)
  return Math.min(1, Math.max(0, shared / ((1 + labels.length / judged_only.length) * spread)))
}

function varianceOf(values: readonly number[]): number {
  return covarianceOf(values, values)
}

function covarianceOf(values: readonly number[], others: readonly number[]): number {
  if (values.length < 2) return 0
  const [centre, otherCentre] = [mean(values), mean(others)]
  const products = values.map((value, index) => (value - centre) * ((others[index] ?? 0) - otherCentre))
  return products.reduce((sum, product) => sum + product, 0) / (values.length - 1)
}
