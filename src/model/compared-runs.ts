import type { Attempt } from './attempt.ts'
import type { Comparison } from './comparison.ts'

/** A comparison with an earlier run. */
export type RunComparison = Comparison<{ readonly run: string }>

/** Answers of earlier runs that checks compare with. */
export interface ComparedRuns {
  /** A hash of all answers of the run to a test. */
  hashOf(comparison: RunComparison, test: Pick<Attempt, 'suite' | 'test'>): string
  /** The text that the answer of an attempt is compared with, or why it is missing. */
  textFor(comparison: RunComparison, attempt: Attempt): RecordedText
}

export type RecordedText = { readonly text: string } | { readonly problem: string }
