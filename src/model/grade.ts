import type { EvaluatorResult } from './result.ts'

/** What a check found: a score in 0..1, and what speaks for and against. */
export interface Grade {
  readonly score: number
  readonly hits: readonly string[]
  readonly misses: readonly string[]
  readonly reasoning?: string | undefined
  readonly details?: unknown
  /** What the checks inside this one found. */
  readonly evaluator_results?: readonly EvaluatorResult[]
}

/** A check that could not be judged. It is never a score of 0, and never a pass. */
export class Unjudged extends Error {
  override readonly name = 'Unjudged'
  readonly code: UnjudgedCode
  /** What the checks inside this one found. */
  readonly evaluator_results: readonly EvaluatorResult[] | undefined

  constructor(code: UnjudgedCode, message: string, evaluator_results?: readonly EvaluatorResult[]) {
    super(message)
    this.code = code
    this.evaluator_results = evaluator_results
  }
}

export type UnjudgedCode =
  | 'regex-too-slow'
  | 'too-deep'
  | 'not-reported'
  | 'no-transcript'
  | 'ambiguous-date'
  | 'file-missing'
  | 'judge-missing'
  | 'judge-failed'
  | 'judge-timeout'
  | 'judge-output'
