import type { Answer } from './answer.ts'
import type { Prompt } from './prompt.ts'
import type { Result } from './result.ts'

/** A recorded attempt: what was asked, and of which target. */
export interface RecordedAttempt {
  readonly request_id: string
  /** Undefined where it is unknown: of an answer that was not judged. */
  readonly suite?: string | undefined
  /** The file of the test, from the root of the run; undefined where it is unknown. */
  readonly file?: string | undefined
  readonly test_id: string
  readonly trial: number
  /** The rerun in which it was made again. */
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

/** Answers of an earlier time: of a run, or in logs. */
export interface Recordings {
  /** What was answered to a request, by any target, in any trial. */
  to(prompt: Prompt): readonly Recording[] | Promise<readonly Recording[]>
  /** The ids of all tests that have an answer. */
  readonly test_ids: ReadonlySet<string>
}

export function isAnswered(attempt: Recording | RecordedError): attempt is Recording {
  return 'answer' in attempt
}
