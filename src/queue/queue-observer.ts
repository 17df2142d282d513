import type { Host } from '../model/host.ts'
import type { QueuedRun } from './queued-run.ts'

const CHECK_MS = 1000

/** How often the lifetime of everything in Redis is extended. */
const HEARTBEAT_MS = 10 * 60_000

/** How long a run is without a worker before that is reported. */
const NO_WORKER_MS = 5000

const WAITING_FOR_WORKER =
  'Waiting for a worker. Start one with `assay worker` on any machine that has a checkout of this repository.'

/** Observes a run in Redis: extends its lifetime, detects lost jobs, and reports that no worker is connected. */
export class QueueObserver {
  readonly #run: QueuedRun
  readonly #host: Host
  readonly #say: (text: string) => void
  /** Whether Redis may have lost jobs. */
  hasLostJobs = false
  #wasEmpty = false
  #lastCheck: number
  #lastHeartbeat: number
  #noWorkerSince: number | undefined
  #isReported = false

  constructor(run: QueuedRun, { say }: { say(text: string): void }, host: Host) {
    this.#run = run
    this.#host = host
    this.#say = say
    this.#lastCheck = host.clock.elapsed()
    this.#lastHeartbeat = host.clock.elapsed()
  }

  /** Whether it is time for the next check. */
  get isDue(): boolean {
    return this.#host.clock.elapsed() - this.#lastCheck >= CHECK_MS
  }

  async check(): Promise<void> {
    const now = this.#host.clock.elapsed()
    this.#lastCheck = now
    if (now - this.#lastHeartbeat > HEARTBEAT_MS) {
      this.#lastHeartbeat = now
      await this.#run.keepAlive()
    } else await this.#run.expire()
    await this.#checkJobs()
    await this.#checkWorkers()
  }

  /** Jobs count as lost after two checks in a row: a result may have been on its way during the first. */
  async #checkJobs(): Promise<void> {
    const isEmpty = !(await this.#run.isKnown()) || (await this.#run.isEmpty())
    if (isEmpty && this.#wasEmpty) {
      this.hasLostJobs = true
      await this.#run.inbox.forgetDelivered()
    }
    this.#wasEmpty = isEmpty
  }

  async #checkWorkers(): Promise<void> {
    const hasNone = (await this.#run.jobs.countWorkers()) === 0
    this.#noWorkerSince = hasNone ? (this.#noWorkerSince ?? this.#host.clock.elapsed()) : undefined
    const isLong = this.#noWorkerSince !== undefined && this.#host.clock.elapsed() - this.#noWorkerSince >= NO_WORKER_MS
    if (isLong && !this.#isReported) this.#say(WAITING_FOR_WORKER)
    this.#isReported = isLong
  }
}
