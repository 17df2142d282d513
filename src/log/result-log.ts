import type { Host } from '../model/host.ts'
import type { Result } from '../model/result.ts'
import type { RunInfo } from '../model/run-info.ts'
import type { LogFolder } from './log-folder.ts'
import { runOfResults } from './run-of-results.ts'

interface LoggedResults {
  readonly host: Host
  readonly cwd: string
  readonly targets: RunInfo['targets']
  /** The record of an attempt. */
  result(attemptId: string): Result | undefined
}

/** Logs the attempts of a run one after another while the run goes on. What cannot be logged does not stop it. */
export class ResultLog {
  readonly #folder: LogFolder
  readonly #run: LoggedResults
  #last: Promise<void> = Promise.resolve()
  /** How many are logged. */
  count = 0
  /** Why no more are logged. */
  problem: Error | undefined

  constructor(folder: LogFolder, run: LoggedResults) {
    this.#folder = folder
    this.#run = run
  }

  /** Only the id waits for its turn: the records may be many. */
  add(attemptId: string): void {
    const ended = this.#run.host.timestamp()
    this.#last = this.#last
      .then(() => this.#log(attemptId, ended))
      .catch(error => {
        this.problem ??= error
      })
  }

  async finished(): Promise<void> {
    await this.#last
  }

  async #log(attemptId: string, ended: string): Promise<void> {
    const result = this.problem ? undefined : this.#run.result(attemptId)
    if (!result) return
    await this.#folder.add(runOfResults([result], { ...this.#run, ended }))
    this.count++
  }
}
