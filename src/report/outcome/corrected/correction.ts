import type { Interval } from '../../../lib/statistics/intervals.ts'

/** The pass rate of a target as people would give it, or why it is unknown. */
export type TargetCorrection = { readonly target: string } & Correction

export type Correction =
  | CorrectedPassRate
  /** No model judged: the pass rate is exact. */
  | { readonly kind: 'exact' }
  /** No suite of the target has a calibration. */
  | { readonly kind: 'uncalibrated'; readonly suites: readonly string[] }
  /** Reasons as text, with what to do. */
  | { readonly kind: 'refused'; readonly reasons: readonly string[] }

export interface CorrectedPassRate {
  readonly kind: 'corrected'
  readonly rate: number
  /** Undefined for a single test or cluster. */
  readonly interval: Interval | undefined
  readonly labels: LabelCounts
  /** Whether a verdict that the judge gave has no label: its answers count as half passed, which no gate may rely on. */
  readonly is_guess: boolean
}

/** Where the labels come from that correct a rate. */
export interface LabelCounts {
  /** Labels of answers of the target in this run. */
  readonly of_target: number
  /** Labels of answers of other targets in this run, if the target has none. */
  readonly of_other_targets: number
  readonly of_other_runs: number
}
