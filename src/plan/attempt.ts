import type { Check } from '../evaluators/evaluator.ts'
import type { Suite } from '../spec/suite.ts'
import type { Target } from '../spec/targets.ts'
import type { Test } from '../spec/test.ts'

export type { Target }

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
}

/** What a run will do. */
export interface Plan {
  /** The same for the same attempts in the same order, whatever the shard. */
  readonly id: string
  /** How many attempts all shards have together. */
  readonly total: number
  /** How many tests on targets these attempts are of. */
  readonly total_tests: number
  readonly attempts: readonly Attempt[]
  /** Hashes of the files that the tests name, by their paths. */
  readonly hashes: FileHashes
  readonly judgeOf: JudgeOf
  /** The targets that judge. */
  readonly judges: readonly Target[]
}

/** The target that judges a check on the answers of a target. */
export type JudgeOf = (asked: Pick<Attempt, 'suite' | 'target'>, check: Check) => Target | undefined

export type FileHashes = ReadonlyMap<string, string>
