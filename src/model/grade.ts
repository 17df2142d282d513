import type { EvaluatorResult, RubricItem } from './result.ts'

/** What a check found: a score in 0..1, and what speaks for and against. */
export interface Grade {
  readonly score: number
  readonly hits: readonly string[]
  readonly misses: readonly string[]
  /** What speaks against the answer where the check is negated. Default: the hits. */
  readonly negated_misses?: readonly string[]
  readonly reasoning?: string | undefined
  readonly details?: unknown
  /** For a check of whether a skill is used: whether it was. */
  readonly triggered?: boolean
  /** What was found of each rubric. */
  readonly items?: readonly RubricItem[]
  /** What the checks inside this one found. */
  readonly evaluator_results?: readonly EvaluatorResult[]
}

/** A check that could not be judged. It is never a score of 0, and never a pass. */
export class Unjudged extends Error {
  override readonly name = 'Unjudged'
  readonly code: UnjudgedCode
  /** What the checks inside this one found. */
  readonly evaluator_results: readonly EvaluatorResult[] | undefined

  /** Anything else that is to be recorded, such as a reply that could not be read. */
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
  | 'inexact-number'
  | 'not-reported'
  | 'no-transcript'
  | 'ambiguous-date'
  | 'file-missing'
  | 'judge-missing'
  | 'empty-prompt'
  | 'judge-failed'
  | 'judge-timeout'
  | 'judge-output'
  | 'judge-no-answer'
  | 'judge-reply'
