import type { Job as BullJob, Queue, Worker } from 'bullmq'
import type { Semaphore } from '../lib/semaphore.ts'
import { NotRun } from '../run/ask.ts'
import { AttemptRunner } from './attempt-runner.ts'
import type { Connection } from './connection.ts'
import { type Announcement, type Job, jobSchema } from './protocol.ts'
import type { RunKeys } from './run-keys.ts'
import { SharedRequests } from './shared-requests.ts'
import { Outbox } from './worker-messages.ts'
import type { WorkerOptions } from './worker-options.ts'

/** How often a job may be given out again after its worker was lost. */
const MAX_STALLS = 2

/** After how many refusals in a row a worker believes that it can do nothing of what waits. */
const MAX_REFUSALS = 20

/** How long a queue is left alone after an attempt in it was refused, ever longer. */
const MIN_PAUSE_MS = 100
const MAX_PAUSE_MS = 5000

/** How long a queue is left alone where every place is taken. */
const FULL_PAUSE_MS = 250

/** How often the keys of queues are told when to end. */
const EXPIRE_MS = 5000

/** How long a queue is waited at before it is looked at again. */
const DRAIN_SECONDS = 1

/** The work on one run: at a queue for each target. */
export class RunWorker {
  readonly #keys: RunKeys
  readonly #connection: Connection
  readonly #options: WorkerOptions
  readonly #turns: Semaphore
  readonly #mailbox: Outbox
  readonly #maker: AttemptRunner
  readonly #queues: readonly Queue<Job>[]
  readonly #workers: readonly Worker<Job>[]
  readonly #idle = new Set<Worker<Job>>()
  readonly #told = new Set<string>()
  /** What ends the jobs that are being done: others have those whose lease was lost. */
  readonly #held = new Map<string, AbortController>()
  #refusals = 0
  #lastExpire = 0

  constructor(
    keys: RunKeys,
    announcement: Announcement,
    connection: Connection,
    options: WorkerOptions,
    turns: Semaphore,
  ) {
    this.#keys = keys
    this.#connection = connection
    this.#options = options
    this.#turns = turns
    this.#mailbox = new Outbox(keys, options.host)
    const requests = new SharedRequests(connection, keys, options.host)
    this.#maker = new AttemptRunner(announcement, options, this.#mailbox, requests)
    this.#queues = announcement.queues.map(({ name }) => keys.queue(name))
    this.#workers = this.#queues.map(({ name }) => this.#workerAt(name))
    this.#shareOut()
  }

  #workerAt(queue: string): Worker<Job> {
    const { bullmq, redis } = this.#connection
    const { lease_ms, name, workers } = this.#options
    const process = (job: BullJob<Job>, token?: string) =>
      this.#turns.isFull
        ? this.#leaveToOthers(worker, job, token)
        : this.#turns.take(() => this.#process(worker, job, token))
    const worker: Worker<Job> = new bullmq.Worker<Job>(queue, process, {
      connection: redis,
      prefix: this.#keys.prefix,
      name,
      concurrency: workers,
      lockDuration: lease_ms,
      stalledInterval: lease_ms / 2,
      maxStalledCount: MAX_STALLS,
      drainDelay: DRAIN_SECONDS,
      runRetryDelay: 500,
    })
    // What the connection says is said by the connection; a lost lease shows at the coordinator.
    worker.on('error', () => {})
    worker.on('lockRenewalFailed', ids => {
      for (const id of ids) this.#held.get(id)?.abort(new NotRun('stopped'))
    })
    worker.on('drained', () => {
      this.#idle.add(worker)
      this.#shareOut()
    })
    worker.on('active', () => {
      if (this.#idle.delete(worker)) this.#shareOut()
    })
    return worker
  }

  /** The places of this worker, among the queues that have something. */
  #shareOut(): void {
    const busy = Math.max(1, this.#workers.length - this.#idle.size)
    for (const worker of this.#workers) worker.concurrency = Math.ceil(this.#options.workers / busy)
  }

  /** Every place is taken, by other targets or other runs: somebody else may have one. */
  async #leaveToOthers(worker: Worker<Job>, job: BullJob<Job>, token: string | undefined): Promise<never> {
    await this.#pause(worker, FULL_PAUSE_MS)
    await job.moveToWait(token)
    throw new this.#connection.bullmq.WaitingError()
  }

  async #process(worker: Worker<Job>, job: BullJob<Job>, token: string | undefined): Promise<void> {
    const { bullmq } = this.#connection
    const { success, data } = jobSchema.safeParse(job.data)
    if (!success) throw new bullmq.UnrecoverableError('it is not a job of Assay')
    const stop = this.#options.host.clock.createAbortController()
    const id = job.id ?? ''
    this.#held.set(id, stop)
    try {
      await this.#makeAll(data, job, stop)
      this.#refusals = 0
    } catch (error) {
      if (error instanceof NotRun) {
        await job.moveToWait(token)
        throw new bullmq.WaitingError()
      }
      throw await this.#refuse((error as Error).message, worker)
    } finally {
      this.#held.delete(id)
    }
  }

  async #makeAll({ attempts }: Job, job: BullJob<Job>, stop: AbortController): Promise<void> {
    // Whoever takes it over goes on where another ended.
    const made = typeof job.progress === 'number' ? job.progress : 0
    for (const [place, ref] of attempts.entries()) {
      if (place < made) continue
      await this.#maker.make(ref, stop.signal)
      if (attempts.length > 1) await job.updateProgress(place + 1)
    }
  }

  /** Says so once, and leaves the queue to others for a while. The job goes to its end. */
  async #refuse(reason: string, worker: Worker<Job>): Promise<Error> {
    const { name, say, checkout } = this.#options
    await this.#pause(worker, Math.min(MIN_PAUSE_MS * 2 ** this.#refusals++, MAX_PAUSE_MS))
    const mail = checkout.redacted({ type: 'refused', worker: name, reason } as const)
    if (!this.#told.has(reason)) {
      this.#told.add(reason)
      say(`Left to others: ${reason}`)
      await this.#mailbox.send(mail).catch(() => this.#told.delete(reason))
    }
    return new Error(mail.reason)
  }

  /** Takes nothing from a queue for a while. */
  async #pause(worker: Worker<Job>, ms: number): Promise<void> {
    await worker.pause(true)
    this.#options.host.clock.setTimer(ms, () => {
      if (!this.#maker.isStopped && !this.#left) worker.resume().catch(() => {})
    })
  }

  /** Keeps the keys of a run from staying for ever, which its coordinator may not live to do. */
  async look(): Promise<void> {
    const now = this.#options.host.clock.elapsed()
    if (now - this.#lastExpire < EXPIRE_MS) return
    this.#lastExpire = now
    await this.#keys.expire([this.#mailbox.queue, ...this.#queues], [], await this.#keys.left())
  }

  /** Whether there is something to do; `left`: only what this worker cannot do. */
  async state(): Promise<'busy' | 'empty' | 'left'> {
    let waiting = 0
    for (const queue of this.#queues) {
      const counts = await queue.getJobCounts('active', 'waiting')
      if (counts['active']) return 'busy'
      waiting += counts['waiting'] ?? 0
    }
    if (waiting === 0) return 'empty'
    return this.#refusals > Math.min(waiting, MAX_REFUSALS) ? 'left' : 'busy'
  }

  /** Ends what is being made, and gives it back. */
  giveBack(): void {
    this.leave().catch(() => {})
    this.#maker.stop()
  }

  /** The run is over: nobody waits for what is being made. */
  async callOff(): Promise<void> {
    this.giveBack()
    await this.leave()
  }

  #left: Promise<void> | undefined

  /** Takes nothing new, and finishes what has begun. */
  async leave(): Promise<void> {
    this.#left ??= this.#close()
    await this.#left
  }

  async #close(): Promise<void> {
    await Promise.all(this.#workers.map(worker => worker.close()))
    // Closing may have made keys anew which the coordinator has removed.
    await this.#keys.expire([this.#mailbox.queue, ...this.#queues], [], await this.#keys.left())
    // The connection is for other runs too, and stays.
    await Promise.all([this.#mailbox.queue, ...this.#queues].map(queue => queue.close()))
  }
}
