import { truncate } from '../../lib/text/quote.ts'
import type { Host } from '../../model/host.ts'
import type { LiveStatus } from '../../model/live-status.ts'
import { isStopRequested, removeLiveFiles, writeLiveStatus } from '../../record/live-files.ts'
import type { RunFolder, ToJson } from '../../record/run-folder.ts'
import type { RunStop } from '../../run/run-stop.ts'
import { LiveState, type Spending } from './live-state.ts'
import { observers, type RunObserver } from './run-observer.ts'

/** How often the status is written, and a request to stop is looked for. */
const INTERVAL_MS = 500

interface LiveRunOptions {
  readonly budget: Spending | undefined
  /** Stops the run. */
  readonly stop: RunStop
  /** Converts the status to JSON, with secrets redacted. */
  readonly toJson: ToJson
  readonly observer?: RunObserver | undefined
}

/** Shows `assay view` how far a run is, and stops the run on its request. Failures of this never affect the run. */
export class LiveRun {
  readonly #folder: Pick<RunFolder, 'path'>
  readonly #options: LiveRunOptions
  readonly #host: Host
  readonly #state: LiveState
  /** Observes the run for this too. */
  readonly observer: RunObserver
  #cancel = () => {}
  #looking: Promise<void> | undefined
  #isEnded = false
  #hasFiles = false
  is_stop_requested = false

  constructor(folder: Pick<RunFolder, 'path'>, options: LiveRunOptions, host: Host) {
    this.#folder = folder
    this.#options = options
    this.#host = host
    this.#state = new LiveState(options.budget, host.clock)
    const start: RunObserver = { onStart: ({ resumed }) => this.#start(resumed !== undefined) }
    this.observer = observers(this.#state, start, options.observer ?? {})
  }

  /** Removes the files. The run must still have its lock. */
  async end(): Promise<void> {
    this.#isEnded = true
    this.#cancel()
    await this.#looking
    if (this.#hasFiles) await removeLiveFiles(this.#folder.path, this.#host)
  }

  /** A killed process may have left its files. */
  #start(isResumed: boolean): void {
    this.#hasFiles = isResumed
    this.#wait()
  }

  #wait(): void {
    this.#cancel = this.#host.clock.setTimer(INTERVAL_MS, () => {
      this.#hasFiles = true
      this.#looking = this.#look()
        .catch(() => {})
        .then(() => {
          if (!this.#isEnded) this.#wait()
        })
    })
  }

  async #look(): Promise<void> {
    const { path } = this.#folder
    const { toJson, stop, observer } = this.#options
    if (!this.is_stop_requested && (await isStopRequested(path, this.#host))) {
      this.is_stop_requested = true
      observer?.onMessage?.('Stopping on a request of assay view: finished attempts are kept.')
      stop.stop('signal')
    }
    await writeLiveStatus(path, shortened(toJson(this.#state.status)), this.#host)
  }
}

/** Names and reasons may be of any length. */
const LONGEST_TEXT = 300

/** Shortens the texts of a status once it is redacted: half of a secret is not found. */
function shortened(json: string): string {
  const { running, waiting, ...status }: LiveStatus = JSON.parse(json)
  const short = (text: string) => truncate(text, LONGEST_TEXT)
  return JSON.stringify({
    ...status,
    running: running.map(({ name, ms }) => ({ name: short(name), ms })),
    waiting: waiting.map(wait => ({ ...wait, target: short(wait.target), reason: short(wait.reason) })),
  })
}
