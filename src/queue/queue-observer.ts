import type { Host } from '../model/host.ts'
import type { AttemptFilter, QueuedRun } from './queued-run.ts'

/** How often it looks. */
const CHECK_MS = 1000
/** How often a sign of life is given. */
const HEARTBEAT_MS = 10 * 60_000
/** How long nobody may be there before that is said. */
const NO_WORKER_MS = 5000

const WAITING_FOR_WORKER =
  'No worker is there: waiting for one. `assay worker` starts one, on any machine with this checkout.'

/** Keeps a run alive in Redis, and sees what is missing there. */
export class QueueObserver {
  readonly #run: QueuedRun
  readonly #host: Host
  readonly #say: (text: string) => void
  /** Redis may have lost what is not made yet. */
  hasLost = false
  #wasEmpty = false
  #lastLook: number
  #lastLife: number
  /** Since when nobody is there; undefined where somebody is, or where it was said. */
  #lonelySince: number | undefined
  #isSaid = false

  constructor(run: QueuedRun, { say }: { say(text: string): void }, host: Host) {
    this.#run = run
    this.#host = host
    this.#say = say
    this.#lastLook = host.clock.elapsed()
    this.#lastLife = host.clock.elapsed()
  }

  get isTime(): boolean {
    return this.#host.clock.elapsed() - this.#lastLook >= CHECK_MS
  }

  async look(isOutstanding: AttemptFilter): Promise<void> {
    const now = this.#host.clock.elapsed()
    this.#lastLook = now
    if (now - this.#lastLife > HEARTBEAT_MS) {
      this.#lastLife = now
      await this.#run.keepAlive(isOutstanding)
    } else await this.#run.expire()
    await this.#seeLoss()
    await this.#seeWorkers()
  }

  /** Twice in a row: a result may just have been on its way. */
  async #seeLoss(): Promise<void> {
    const isEmpty = !(await this.#run.isKnown()) || (await this.#run.isEmpty())
    if (isEmpty && this.#wasEmpty) this.hasLost = true
    this.#wasEmpty = isEmpty
  }

  async #seeWorkers(): Promise<void> {
    const isAlone = (await this.#run.workers()) === 0
    this.#lonelySince = isAlone ? (this.#lonelySince ?? this.#host.clock.elapsed()) : undefined
    const isLong = this.#lonelySince !== undefined && this.#host.clock.elapsed() - this.#lonelySince >= NO_WORKER_MS
    if (isLong && !this.#isSaid) this.#say(WAITING_FOR_WORKER)
    this.#isSaid = isLong
  }
}
