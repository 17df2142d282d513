import type { EvaluatorResult, RubricItem } from './evaluator-result.ts'

/** The grade of a check: a score from 0 to 1, and what speaks for and against the answer. */
export interface Grade {
  readonly score: number
  readonly hits: readonly string[]
  readonly misses: readonly string[]
  /** What speaks against the answer if the check is negated. Default: the hits. */
  readonly negated_misses?: readonly string[]
  /** What the check looks at does not exist, so that it is missed, also if it is negated. */
  readonly absent?: true
  readonly reasoning?: string | undefined
  readonly details?: unknown
  /** Whether the skill was used, for a check of that. */
  readonly triggered?: boolean
  /** The judgement of each rubric. */
  readonly items?: readonly RubricItem[]
  /** Each judgement, if there are several. */
  readonly votes?: EvaluatorResult['votes']
  /** The comparison with another answer. */
  readonly pair?: EvaluatorResult['pair']
  /** Results of the checks inside this one. */
  readonly evaluator_results?: readonly EvaluatorResult[]
}

/** A check could not be judged. This is an error, never a score of 0 or a pass. */
export class Unjudged extends Error {
  override readonly name = 'Unjudged'
  readonly code: UnjudgedCode
  /** Results of the checks inside this one. */
  readonly evaluator_results: readonly EvaluatorResult[] | undefined

  /** Further details to record, such as an unreadable reply. */
  readonly details: unknown

  constructor(
    code: UnjudgedCode,
    message: string,
    facts: { readonly evaluator_results?: readonly EvaluatorResult[]; readonly details?: unknown } = {},
  ) {
    super(message)
    this.code = code
    this.evaluator_results = facts.evaluator_results
    this.details = facts.details
  }
}

export type UnjudgedCode =
  | 'regex-too-slow'
  | 'too-deep'
  | 'too-long'
  | 'inexact-number'
  | 'not-reported'
  | 'no-transcript'
  | 'no-workspace'
  | 'workspace-gone'
  | 'no-mocks'
  | 'diff-cut'
  | 'file-too-large'
  | 'ambiguous-date'
  | 'file-missing'
  | 'judge-missing'
  | 'no-other-answer'
  | 'empty-prompt'
  | 'judge-failed'
  | 'judge-timeout'
  | 'judge-output'
  | 'judge-no-answer'
  | 'judge-reply'
  | 'workspace-changed'
  | 'file-unreadable'
  | 'program-missing'
  | 'output-too-large'
