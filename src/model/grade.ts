/** What a check found: a score in 0..1, and what speaks for and against. */
export interface Grade {
  readonly score: number
  readonly hits: readonly string[]
  readonly misses: readonly string[]
  readonly reasoning?: string
  readonly details?: unknown
}

/** A check that could not be judged. It is never a score of 0, and never a pass. */
export class Unjudged extends Error {
  override readonly name = 'Unjudged'
  readonly code: UnjudgedCode

  constructor(code: UnjudgedCode, message: string) {
    super(message)
    this.code = code
  }
}

export type UnjudgedCode = 'regex-too-slow' | 'too-deep'
