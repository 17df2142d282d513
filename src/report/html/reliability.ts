import { groupBy } from '../../lib/collections.ts'
import { estimatesOf, type PassRate, type Trials } from '../outcome/estimates.ts'
import type { TestOutcome } from '../outcome/test-outcome.ts'

/** How steady a target is over its trials. */
export interface Reliability {
  readonly target: string
  readonly tests: number
  readonly attempts: number
  readonly errors: number
  readonly trials: Trials | undefined
  /** The pass rate without attempts that reruns added; undefined without reruns. */
  readonly without_reruns: PassRate['first']
}

/** The reliability of each target. */
export function reliabilityOf(tests: readonly TestOutcome[]): Reliability[] {
  return [...groupBy(tests, ({ target }) => target)].map(([target, own]) => {
    const { trials, pass_rate } = estimatesOf(own)
    return {
      target,
      tests: own.length,
      attempts: own.reduce((sum, test) => sum + test.attempts, 0),
      errors: own.reduce((sum, test) => sum + test.errors, 0),
      trials,
      without_reruns: pass_rate?.first,
    }
  })
}
