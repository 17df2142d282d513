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
  /** An answer that `isFree` may be written with the next results: if it is lost, it is given again. */
  addAnswer(record: AnswerRecord, isFree: boolean): void
  /** Writes all of them or none. Returns the lines as they were written. */
  addResults(results: readonly Result[]): readonly string[]
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

  add({ attempt_id, request_id, test_id, target, trial }: PromptIds, given: Answer, isFree = false): Answer {
    // The last line of the file may be incomplete.
    if (this.problem) throw new NotRun('stopped')
    const timestamp = this.#host.clock.timestamp()
    const answer = withFields(given, { answer_number: this.#records.answersTo(attempt_id) + 1 })
    try {
      this.#records.addAnswer({ attempt_id, request_id, test_id, target, trial, timestamp, answer }, isFree)
      return answer
    } catch (error) {
      if (isNotJson(error)) throw new NoAnswer('bad-response', `the answer cannot be recorded: ${error.message}`)
      this.fail(error as Error)
      throw new NotRun('stopped')
    }
  }

  /** Records results in one write. If one of them cannot be written as JSON, they are recorded one by one. */
  addResults(results: readonly Result[]): void {
    if (this.problem) return
    const { workspaces, onResult } = this.#parts
    const recorded = results.map(result => workspaces.recorded(result))
    const lines = recorded.length > 1 ? this.#writeTogether(recorded) : undefined
    if (this.problem) return
    for (const [index, result] of recorded.entries()) {
      const written = lines ? { result, line: lines[index] as string } : this.#write(result)
      if (!written) return
      onResult?.(written.result, written.line)
      workspaces.settle(results[index] as Result)
    }
  }

  /** Stops the run: records cannot be written. */
  fail(problem: Error): void {
    this.problem ??= problem
    this.#parts.stop.stop('records')
  }

  /** Returns the lines as they were written; undefined if nothing was. */
  #writeTogether(results: readonly Result[]): readonly string[] | undefined {
    try {
      return this.#records.addResults(results)
    } catch (error) {
      // After an error of the disk, the last line of the file may be incomplete: nothing is written behind it.
      if (!isNotJson(error)) this.fail(error as Error)
      return undefined
    }
  }

  /** Returns the result as it was written, or undefined if the records cannot be written. */
  #write(result: Result): { readonly result: Result; readonly line: string } | undefined {
    try {
      const [line = ''] = this.#records.addResults([result])
      return { result, line }
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
