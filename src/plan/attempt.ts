import type { Check } from '../model/check.ts'
import type { Suite } from '../model/suite.ts'
import type { Target } from '../model/target.ts'
import type { Test } from '../model/test.ts'
import type { TargetContents } from './target-contents.ts'

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
  /** A hash of what answers: the target as it is written, with the content of its files. */
  readonly target_hash: string
  /** A hash of the targets that judge the answer; empty where none does. */
  readonly judges_hash: string
  /** The rerun, from 1, in which it is made again; undefined for one that is made for the first time. */
  readonly rerun?: number | undefined
  /** Whether a rerun added it, because another trial had failed. */
  readonly added?: true | undefined
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
  /** How many of the attempts are planned; the others are of reruns, or recorded before. */
  readonly planned: number
  /** Hashes of the files that the tests name, by their paths. */
  readonly hashes: FileHashes
  readonly judgeOf: JudgeOf
  /** The targets that judge. */
  readonly judges: readonly Target[]
  /** A hash of each target that judges, by its name. */
  readonly judge_hashes: Readonly<Record<string, string>>
  /** How many tests of the suites were selected. */
  readonly selected_tests: number
  /** How many tests the suites have, selected or not. */
  readonly available_tests: number
  /** The files of the targets in use, those that judge among them. */
  readonly contents: TargetContents
}

/** The target that judges a check on the answers of a target. */
export type JudgeOf = (asked: Pick<Attempt, 'suite' | 'target'>, check: Check) => Target | undefined

export type FileHashes = ReadonlyMap<string, string>
