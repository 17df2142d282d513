import type { Answer } from './answer.ts'

export interface Recording {
  readonly request_id: string
  readonly test_id: string
  readonly trial: number
  readonly target: string
  readonly answer: Answer
}

/** The answers of an earlier run. */
export interface Recordings {
  /** What was answered to a request, by any target, in any trial. */
  to(request_id: string): readonly Recording[]
  /** The ids of all tests that have an answer. */
  readonly test_ids: ReadonlySet<string>
}
