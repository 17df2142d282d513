import { withFields } from '../lib/objects.ts'
import { type Answer, type AnswerRecord, NoAnswer } from '../model/answer.ts'
import type { Host } from '../model/host.ts'
import type { Result } from '../model/result.ts'
import { NotRun } from './ask.ts'
import type { AnswerStore, PromptIds } from './policies/answer-store.ts'
import type { RunStop } from './run-stop.ts'
import type { WorkspaceCleanup } from './workspace-cleanup.ts'

/** Where the records of a run are written. */
export interface RecordStore {
  /** An answer that is not graded yet. */
  answerTo(attemptId: string): Answer | undefined
  /** The number of answers recorded for an attempt. */
  answersTo(attemptId: string): number
  addAnswer(record: AnswerRecord): void
  /** Returns the line as it was written. */
  addResult(result: Result): string
}

interface RecorderParts {
  readonly stop: RunStop
  readonly workspaces: WorkspaceCleanup
  /** `line` is the record as it was written. */
  onResult?(result: Result, line: string): void
}

/** Records answers and results, and stops the run if that fails. */
export class RunRecorder implements AnswerStore {
  readonly #records: RecordStore
  readonly #parts: RecorderParts
  readonly #host: Host
  /** Why no more records can be written. */
  problem: Error | undefined

  constructor(records: RecordStore, parts: RecorderParts, host: Host) {
    this.#records = records
    this.#parts = parts
    this.#host = host
  }

  get(attemptId: string): Answer | undefined {
    return this.#records.answerTo(attemptId)
  }

  add({ attempt_id, request_id, test_id, target, trial }: PromptIds, given: Answer): Answer {
    // The last line of the file may be incomplete.
    if (this.problem) throw new NotRun('stopped')
    const timestamp = this.#host.clock.timestamp()
    const answer = withFields(given, { answer_number: this.#records.answersTo(attempt_id) + 1 })
    try {
      this.#records.addAnswer({ attempt_id, request_id, test_id, target, trial, timestamp, answer })
      return answer
    } catch (error) {
      if (isNotJson(error)) throw new NoAnswer('bad-response', `the answer cannot be recorded: ${error.message}`)
      this.fail(error as Error)
      throw new NotRun('stopped')
    }
  }

  addResult(result: Result): void {
    if (this.problem) return
    const { workspaces, onResult } = this.#parts
    const written = this.#write(workspaces.recorded(result))
    if (!written) return
    onResult?.(written.result, written.line)
    workspaces.settle(result)
  }

  /** Stops the run: records cannot be written. */
  fail(problem: Error): void {
    this.problem ??= problem
    this.#parts.stop.stop('records')
  }

  /** Returns the result as it was written, or undefined if the records cannot be written. */
  #write(result: Result): { readonly result: Result; readonly line: string } | undefined {
    try {
      return { result, line: this.#records.addResult(result) }
    } catch (error) {
      if (isNotJson(error) && result.error?.code !== 'bug') return this.#write(withoutContents(result, error))
      this.fail(error as Error)
      return undefined
    }
  }
}

/** Whether a value cannot be written as JSON (too deep, too long, circular), as opposed to an error of the disk. */
function isNotJson(error: unknown): error is Error {
  return (error instanceof RangeError || error instanceof TypeError) && !('code' in error)
}

/** The `bug` result that replaces an unwritable one, without answer and grades. */
function withoutContents(result: Result, { message }: Error): Result {
  const { output_messages, trace_summary, ...rest } = result
  return {
    ...rest,
    score: null,
    verdict: 'error',
    hits: [],
    misses: [],
    answer: null,
    evaluator_results: [],
    error: { code: 'bug', stage: 'grade', message: `the result cannot be recorded: ${message}` },
  }
}
