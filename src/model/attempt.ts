import type { Suite } from './suite.ts'
import type { Target } from './target.ts'
import type { Test } from './test.ts'

/** One question to one target, to be answered and graded. */
export interface Attempt {
  /** The same for the same test, target and trial; another one when any of them changes. */
  readonly id: string
  /** Its place in the plan, from 0. */
  readonly index: number
  readonly suite: Suite
  readonly test: Test
  readonly target: Target
  /** From 1. */
  readonly trial: number
  /** From 1: which it is of equal tests, in suites of one name. */
  readonly occurrence: number
  /** A hash of what is asked. */
  readonly request_id: string
  /** A hash of what is asked, and of how the answer is graded: the same on every target. */
  readonly test_hash: string
  /** A hash of what answers: the target as it is written, with the content of its files. */
  readonly target_hash: string
  /** A hash of the targets that judge the answer; empty where none does. */
  readonly judges_hash: string
  /** The rerun, from 1, in which it is made again; undefined for one that is made for the first time. */
  readonly rerun?: number | undefined
  /** Whether a rerun added it, because another trial had failed. */
  readonly added?: true | undefined
}

/** How many tests on targets attempts are of. The trials of one stand together in a plan. */
export function countTests(attempts: readonly Pick<Attempt, 'test' | 'target'>[]): number {
  let count = 0
  let last: Pick<Attempt, 'test' | 'target'> | undefined
  for (const attempt of attempts) {
    if (attempt.test !== last?.test || attempt.target !== last.target) count++
    last = attempt
  }
  return count
}
