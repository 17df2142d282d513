import { type Answer, type AnswerRecord, NoAnswer } from '../model/answer.ts'
import type { Host } from '../model/host.ts'
import type { Result } from '../model/result.ts'
import type { Verdict } from '../model/verdict.ts'
import { NotRun, type Stop } from './ask.ts'
import type { AnswerStore, PromptIds } from './policies/answer-store.ts'
import type { RunEvent } from './run-event.ts'

/** Where records are kept. */
export interface RecordStore {
  /** An answer that arrived but was never judged. */
  answerTo(attemptId: string): Answer | undefined
  /** How many answers to an attempt have arrived. */
  answersTo(attemptId: string): number
  addAnswer(record: AnswerRecord): void
  /** Gives the line as it was written. */
  addResult(result: Result): string
}

export interface RunRecorderOptions {
  readonly fail_fast?: boolean | undefined
  /** Whether the folders of tests that pass stay. */
  readonly keep_workspaces?: boolean | undefined
  onEvent?(event: RunEvent): void
  /** `line` is the record as it was written. */
  onResult?(result: Result, line: string): void
}

/** Why attempts were left out. */
export type StopReason = 'signal' | 'budget' | 'fail-fast' | 'records'

/** Keeps what a run makes, and stops it when it must. */
export class RunRecorder implements AnswerStore {
  readonly #records: RecordStore
  readonly #options: RunRecorderOptions
  readonly #host: Host
  readonly #stop = new AbortController()
  readonly #abort: AbortController
  readonly #removals = new Set<Promise<void>>()
  stopped: StopReason | undefined
  /** Why the records could not be written on. */
  problem: Error | undefined

  constructor(records: RecordStore, options: RunRecorderOptions, host: Host) {
    this.#records = records
    this.#options = options
    this.#host = host
    this.#abort = host.clock.createAbortController()
  }

  /** Nothing new starts after this. */
  get stopping(): AbortSignal {
    return this.#stop.signal
  }

  /** What runs is ended by this. */
  get aborting(): Stop {
    return this.#abort
  }

  get(attemptId: string): Answer | undefined {
    return this.#records.answerTo(attemptId)
  }

  add({ attempt_id, request_id, test_id, target, trial }: PromptIds, given: Answer): Answer {
    // A line that could not be finished may stand at the end of the file.
    if (this.problem) throw new NotRun('stopped')
    const timestamp = this.#host.clock.timestamp()
    const answer = { ...given, answer_number: this.#records.answersTo(attempt_id) + 1 }
    try {
      this.#records.addAnswer({ attempt_id, request_id, test_id, target, trial, timestamp, answer })
      return answer
    } catch (error) {
      if (isNotJson(error)) throw new NoAnswer('bad-response', `the answer cannot be recorded: ${error.message}`)
      this.cannotRecord(error as Error)
      throw new NotRun('stopped')
    }
  }

  addResult(made: Result): void {
    if (this.problem) return
    const isPassed = made.workspace_path !== undefined && made.verdict === 'pass'
    const isNeedless = isPassed && !this.#options.keep_workspaces
    const result = isNeedless ? { ...made, workspace_path: undefined } : made
    const kept = this.#keep(result)
    if (!kept) return
    this.#options.onResult?.(kept.result, kept.line)
    if (isNeedless) this.#remove(made.workspace_path)
    // From now on the record names it.
    else if (made.workspace_path !== undefined) this.#host.files.keepTemporaryFolder(made.workspace_path)
  }

  /** The result as it was written; undefined where the records cannot be written. */
  #keep(result: Result): { readonly result: Result; readonly line: string } | undefined {
    try {
      return { result, line: this.#records.addResult(result) }
    } catch (error) {
      if (isNotJson(error) && result.error?.code !== 'bug') return this.#keep(withoutContents(result, error))
      this.cannotRecord(error as Error)
      return undefined
    }
  }

  /** Waits until the workspaces that nobody looks into any more are gone. */
  async cleanedUp(): Promise<void> {
    await Promise.all(this.#removals)
  }

  /** Where a test has passed, nobody looks into its workspace; where its record is not written, a resumed run does. */
  #remove(workspace = ''): void {
    const removal = this.#host.files.removeTemporaryFolder(workspace).then(
      () => {},
      () => {},
    )
    this.#removals.add(removal)
    removal.then(() => this.#removals.delete(removal))
  }

  notify(event: RunEvent): void {
    if (event.type === 'given-up' && event.reason === 'budget') this.stopped ??= 'budget'
    if (event.type === 'finished' && this.#options.fail_fast && isFailure(event.verdict)) this.stop('fail-fast')
    this.#options.onEvent?.(event)
  }

  /** What has begun is finished, unless the user or the disk does not let it. */
  stop(reason: Exclude<StopReason, 'budget'>): void {
    this.stopped ??= reason
    this.#stop.abort()
    if (reason !== 'fail-fast') this.#abort.abort(new NotRun('stopped'))
  }

  cannotRecord(problem: Error): void {
    this.problem ??= problem
    this.stop('records')
  }
}

function isFailure(verdict: Verdict): boolean {
  return verdict === 'fail' || verdict === 'error'
}

/** Whether a value could not be made JSON: nested too deep, too long, or containing itself. No disk is at fault. */
function isNotJson(error: unknown): error is Error {
  return (error instanceof RangeError || error instanceof TypeError) && !('code' in error)
}

/** A result that cannot be written, as an error without what the target and the checks gave. */
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
