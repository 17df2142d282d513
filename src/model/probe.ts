import type { Answer, ToolCall } from './answer.ts'
import type { CheckFiles } from './check.ts'
import type { TestFacts } from './evaluator.ts'
import type { Issue } from './issue.ts'

/** An answer to try a check with. */
export interface Probe extends Pick<Answer, 'token_usage' | 'cost_usd' | 'duration_ms'> {
  /** Default: empty. */
  readonly text?: string | undefined
  /** Default: none; they are known to be none. */
  readonly calls?: readonly ToolCall[] | undefined
}

/** Answers made from the words of a check. */
export interface ProbeSet {
  readonly probes: readonly Probe[]
  /**
   * Whether these probes, with those that every check is tried with, include an answer that passes and one that fails,
   * if there are any.
   */
  readonly is_complete: boolean
}

/** How `assay check` tries a type of check, without a target. */
export interface CheckProbing<Config> {
  probes?(config: Config, test: TestFacts): ProbeSet
  /** Answers with other values than the expected ones, which the check must not accept. */
  wrong?(config: Config, test: TestFacts): readonly Probe[]
  /** Whether the check asks for tool calls. */
  asksForCalls?(config: Config): boolean
  /** Whether the expected output of a test need not pass: it describes answers, or answers are compared with it. */
  describesAnswers?(config: Config): boolean
  /** What looks wrong in a check and is allowed. */
  doubts?(config: Config, files: CheckFiles): readonly Issue[]
}
