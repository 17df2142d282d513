import type { Attempt } from './attempt.ts'
import type { Baseline, BaselineTest } from './baseline.ts'

/** Saved results that the tests of a plan are compared with, by content. */
export interface Reference {
  /** What it is called in messages: `baseline main`. */
  readonly name: string
  readonly baseline: Baseline
}

/** Whether a reference has the results of a test on a target, as both are now. */
export interface TestStatus {
  /** The planned trials. */
  readonly attempts: readonly [Attempt, ...Attempt[]]
  /** `current`: nothing that the saved result is made of has changed. */
  readonly state: 'current' | 'changed' | 'new'
  /** The saved result, if there is one. */
  readonly known: BaselineTest | undefined
  /** Why the test is affected; empty for a current one. */
  readonly reasons: readonly string[]
  /** The file in which the test was before, if it was moved. */
  readonly moved_from: string | undefined
}
