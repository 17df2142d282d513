import { type EstimateOptions, estimateMean, type MeanEstimate } from './mean-estimate.ts'
import { studentTwoSidedP } from './student-t.ts'

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
