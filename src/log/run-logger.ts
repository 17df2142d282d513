import type { Host } from '../model/host.ts'
import type { Result } from '../model/result.ts'
import type { RunInfo } from '../model/run-info.ts'
import type { LogFolder } from './log-folder.ts'
import { type LoggedRun, loggedRunFrom } from './logged-run.ts'

interface LoggedResults {
  readonly host: Host
  readonly cwd: string
  readonly targets: RunInfo['targets']
  /** The record of an attempt. */
  result(attemptId: string): Result | undefined
}

/** An attempt that is not logged yet. Only its id is kept: the records may be large. */
interface Waiting {
  readonly id: string
  /** Its end; undefined for an attempt of an earlier run, which may be logged already. */
  readonly ended: string | undefined
}

/** Limits of one batch: runs, and characters of their messages. */
const MOST_RUNS = 5000
const MOST_CHARACTERS = 16_000_000

/** Pause after a write, as a multiple of its duration: logs grow, and are written as a whole. */
const REST = 4

/** Logs the attempts of a run while it is running. Errors do not stop the run. */
export class RunLogger {
  readonly #folder: LogFolder
  readonly #run: LoggedResults
  readonly #hurry: AbortController
  readonly #waiting: Waiting[] = []
  #working: Promise<void> | undefined
  #isOver = () => false
  /** Attempts of the current batch that were not logged because logging was stopped. */
  #late = 0
  /** Attempts that were logged now, and before. */
  count = 0
  known = 0
  /** Names of their logs. */
  readonly names = new Set<string>()
  /** Why logging ended early. */
  problem: Error | undefined

  constructor(folder: LogFolder, run: LoggedResults) {
    this.#folder = folder
    this.#run = run
    this.#hurry = run.host.clock.createAbortController()
  }

  /** Number of attempts that are not logged. */
  get left(): number {
    return this.#waiting.length + this.#late
  }

  /** Logs an attempt that has just finished. */
  add(attemptId: string): void {
    this.#add([{ id: attemptId, ended: this.#run.host.clock.timestamp() }])
  }

  /** Logs attempts of an earlier run that are not logged yet. */
  addRecorded(attemptIds: readonly string[]): void {
    this.#add(attemptIds.map(id => ({ id, ended: undefined })))
  }

  /** Waits until all attempts are logged, or `isOver` returns true. */
  async finished(isOver: () => boolean = () => false): Promise<void> {
    this.#isOver = isOver
    this.#hurry.abort()
    await this.#working
  }

  #add(attempts: readonly Waiting[]): void {
    for (const attempt of attempts) this.#waiting.push(attempt)
    this.#working ??= this.#logAll()
  }

  async #logAll(): Promise<void> {
    const { host } = this.#run
    while (this.#waiting.length > 0 && !this.problem && !this.#isOver()) {
      const start = host.clock.elapsed()
      await this.#logSome().catch(error => {
        this.problem = error
      })
      await host.clock.sleep(REST * (host.clock.elapsed() - start), this.#hurry.signal)
    }
    this.#working = undefined
  }

  async #logSome(): Promise<void> {
    const { taken, runs, isRecorded } = this.#take()
    const isOver = () => this.#isOver()
    const { written, known } = await this.#folder.addAll(runs, { onlyNew: isRecorded, isOver })
    this.#waiting.splice(0, taken)
    this.#late += runs.length - written.length - known
    this.count += written.length
    this.known += known
    for (const { name } of written) this.names.add(name)
  }

  /** Takes the next batch, either of this run or of an earlier one. */
  #take(): { taken: number; runs: LoggedRun[]; isRecorded: boolean } {
    const runs: LoggedRun[] = []
    const isRecorded = this.#waiting[0]?.ended === undefined
    let characters = 0
    let taken = 0
    for (const { id, ended } of this.#waiting) {
      if ((ended === undefined) !== isRecorded || runs.length >= MOST_RUNS || characters > MOST_CHARACTERS) break
      taken++
      const result = this.#run.result(id)
      if (!result) continue
      const run = loggedRunFrom([result], { ...this.#run, ended })
      runs.push(run)
      for (const { content } of run.messages) characters += content?.length ?? 0
    }
    return { taken, runs, isRecorded }
  }
}
