import type { Answer } from './answer.ts'
import type { Prompt } from './prompt.ts'
import type { Result } from './result.ts'

/** A recorded attempt. */
export interface RecordedAttempt {
  readonly request_id: string
  /** Undefined if unknown: for an answer that was not judged. */
  readonly suite?: string | undefined
  /** The file of the test, relative to the root of the run; undefined if unknown. */
  readonly file?: string | undefined
  readonly test_id: string
  readonly trial: number
  /** Number of the rerun that made the attempt. */
  readonly rerun?: number | undefined
  readonly target: string
}

/** A recorded attempt with its answer. */
export interface Recording extends RecordedAttempt {
  readonly answer: Answer
}

/** A recorded attempt that ended in an error, without an answer. */
export interface RecordedError extends RecordedAttempt {
  readonly error: NonNullable<Result['error']>
}

/** Recorded answers of a run or of logs. */
export interface Recordings {
  /** The answers to a prompt, of any target and any trial. */
  to(prompt: Prompt): readonly Recording[] | Promise<readonly Recording[]>
  /** The ids of all tests with an answer. */
  readonly test_ids: ReadonlySet<string>
}

export function isAnswered(attempt: Recording | RecordedError): attempt is Recording {
  return 'answer' in attempt
}
