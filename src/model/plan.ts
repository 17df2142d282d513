import type { Attempt } from './attempt.ts'
import type { Carried } from './baseline.ts'
import type { Check } from './check.ts'
import type { ComparedRuns } from './compared-runs.ts'
import type { ArmPair } from './run-info.ts'
import type { Target } from './target.ts'

/** The attempts of a run. */
export interface Plan {
  /** A hash of all attempts in order, the same for all shards. */
  readonly id: string
  /** Number of attempts in all shards. */
  readonly total: number
  /** Number of tests times targets. */
  readonly total_tests: number
  readonly attempts: readonly Attempt[]
  /** Tests of all shards that do not run on a target, because none of their checks applies to it. */
  readonly not_applicable: readonly NotApplicable[]
  /** Selected tests of all shards that are not run on any target. */
  readonly skipped: readonly SkippedTest[]
  /** The targets that are compared with a control arm, in all shards. */
  readonly arms: readonly ArmPair[]
  /** Results that are carried over, with the attempts that they replace; undefined if all attempts are made. */
  readonly carried?: (Carried & { readonly attempts: readonly Attempt[] }) | undefined
  /** Number of planned attempts; the others come from reruns or records. */
  readonly planned: number
  /** Hashes of the files that tests name, by path. */
  readonly hashes: FileHashes
  readonly judgeOf: JudgeOf
  /** Answers of earlier runs that checks compare with; undefined if none does. */
  readonly compared_runs?: ComparedRuns | undefined
  /** The targets that judge. */
  readonly judges: readonly Target[]
  /** Hashes of the targets that judge, by name. */
  readonly judge_hashes: Readonly<Record<string, string>>
  /** Number of selected tests. */
  readonly selected_tests: number
  /** Number of tests in the suites, selected or not. */
  readonly available_tests: number
  /** The files of the targets in use, including judges. */
  readonly contents: TargetContents
}

/** A test that does not apply to a target. */
export type NotApplicable = Pick<Attempt, 'suite' | 'test' | 'target'>

/** A test that is not run. */
export interface SkippedTest extends Pick<Attempt, 'suite' | 'test'> {
  readonly reason: string
}

/** Finds the target that judges a check on the answers of a target, or the one of its panel with this name. */
export type JudgeOf = (
  attempt: Pick<Attempt, 'suite' | 'target'>,
  check: Check,
  member?: string | undefined,
) => Target | undefined

export type FileHashes = ReadonlyMap<string, string>

/** The files of each target. With other contents, it is another target. */
export type TargetContents = ReadonlyMap<Target, readonly TargetFile[]>

/** A file of a target, with the hash of its content. */
export interface TargetFile {
  readonly path: string
  readonly hash: string
  /** Whether it is a workspace, with one hash for all of its files. */
  readonly is_folder?: true
}
