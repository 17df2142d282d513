import type { Attempt } from './attempt.ts'
import type { Check } from './check.ts'
import type { Target } from './target.ts'

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

/** The files that make targets behave as they do: with another content, a target is another one. Empty where none of those that it names exists. */
export type TargetContents = ReadonlyMap<Target, readonly TargetFile[]>

/** A file that makes a target behave as it does, with the hash of its content. */
export interface TargetFile {
  readonly path: string
  readonly hash: string
}
