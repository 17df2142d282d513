import type { Answer } from './answer.ts'
import type { Prompt } from './prompt.ts'

export interface Recording {
  readonly request_id: string
  /** Undefined where nobody knows: of an answer that was not judged. */
  readonly suite?: string | undefined
  readonly test_id: string
  readonly trial: number
  readonly target: string
  readonly answer: Answer
}

/** Answers of an earlier time: of a run, or in logs. */
export interface Recordings {
  /** What was answered to a request, by any target, in any trial. */
  to(prompt: Prompt): readonly Recording[] | Promise<readonly Recording[]>
  /** The ids of all tests that have an answer. */
  readonly test_ids: ReadonlySet<string>
}
