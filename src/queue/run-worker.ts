import type { Job as BullJob, Queue, Worker } from 'bullmq'
import type { Semaphore } from '../lib/semaphore.ts'
import { addJobs, jobId } from './add-jobs.ts'
import type { Connection } from './connection.ts'
import { JobProcessor, type JobSource } from './job-processor.ts'
import { Outbox } from './outbox.ts'
import type { Announcement, Job } from './protocol.ts'
import type { RunKeys } from './run-keys.ts'
import { SharedRequests } from './shared-requests.ts'
import type { WorkerOptions } from './worker-options.ts'

/** How often a job is given to another worker after its worker was lost. */
const MAX_STALLS = 2

/** After how many refusals in a row a worker assumes that it can run none of the waiting jobs. */
const MAX_REFUSALS = 20

/** How long a queue is paused if this worker has no free slot. */
const FULL_PAUSE_MS = 250

/** How often the expiry of the queue keys is renewed. */
const EXPIRE_MS = 5000

/** How long BullMQ blocks on an empty queue. */
const DRAIN_SECONDS = 1

/** The part of a worker for one run: takes jobs from the queues of its targets. */
export class RunWorker {
  readonly #keys: RunKeys
  readonly #connection: Connection
  readonly #options: WorkerOptions
  readonly #slots: Semaphore
  readonly #processor: JobProcessor
  readonly #queues: readonly Queue<Job>[]
  readonly #workers: readonly Worker<Job>[]
  readonly #idle = new Set<Worker<Job>>()
  #lastExpire = 0
  #closing: Promise<void> | undefined

  constructor(
    keys: RunKeys,
    announcement: Announcement,
    connection: Connection,
    options: WorkerOptions,
    slots: Semaphore,
  ) {
    this.#keys = keys
    this.#connection = connection
    this.#options = options
    this.#slots = slots
    const outbox = new Outbox(keys, connection)
    const requests = new SharedRequests(connection, keys, options.host)
    this.#processor = new JobProcessor(announcement, connection, options, outbox, requests)
    this.#queues = announcement.queues.map(({ name }) => keys.queue(name))
    this.#workers = this.#queues.map(queue => this.#openWorker(queue))
    this.#shareSlots()
  }

  #openWorker(queue: Queue<Job>): Worker<Job> {
    const { bullmq, redis } = this.#connection
    const { lease_ms, name, workers } = this.#options
    const source: JobSource = {
      pause: ms => this.#pause(worker, ms),
      add: jobs => this.#addNext(queue, jobs),
    }
    const process = (job: BullJob<Job>, token?: string) =>
      this.#slots.isFull
        ? this.#returnJob(worker, job, token)
        : this.#slots.run(() => this.#processor.process(job, token, source))
    const worker: Worker<Job> = new bullmq.Worker<Job>(queue.name, process, {
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
    // The connection reports its own errors; the coordinator sees a lost lease.
    worker.on('error', () => {})
    worker.on('lockRenewalFailed', ids => this.#processor.cancel(ids))
    worker.on('drained', () => {
      this.#idle.add(worker)
      this.#shareSlots()
    })
    worker.on('active', () => {
      if (this.#idle.delete(worker)) this.#shareSlots()
    })
    return worker
  }

  /** Divides the slots of this worker among the queues that have jobs. */
  #shareSlots(): void {
    const busy = Math.max(1, this.#workers.length - this.#idle.size)
    for (const worker of this.#workers) worker.concurrency = Math.ceil(this.#options.workers / busy)
  }

  /** Returns a job to its queue: all slots are taken by other targets or runs, and another worker may have one. */
  async #returnJob(worker: Worker<Job>, job: BullJob<Job>, token: string | undefined): Promise<never> {
    await this.#pause(worker, FULL_PAUSE_MS)
    await job.moveToWait(token)
    throw new this.#connection.bullmq.WaitingError()
  }

  async #addNext(queue: Queue<Job>, jobs: readonly Job[]): Promise<void> {
    const added = jobs.map(data => ({ id: jobId(data), data }))
    await addJobs(queue, added, this.#keys, { expiry_ms: await this.#keys.lifetimeMs(), isNext: true })
  }

  /** Takes no jobs from a queue for a while. */
  async #pause(worker: Worker<Job>, ms: number): Promise<void> {
    await worker.pause(true)
    this.#options.host.clock.setTimer(ms, () => {
      if (!this.#processor.isStopped && !this.#closing) worker.resume().catch(() => {})
    })
  }

  /** Renews the expiry of the queue keys, in case the coordinator is gone. */
  async renewExpiry(): Promise<void> {
    const now = this.#options.host.clock.elapsed()
    if (now - this.#lastExpire < EXPIRE_MS) return
    this.#lastExpire = now
    await this.#expireKeys()
  }

  /** Whether jobs are left; `left`: only jobs that this worker cannot run. */
  async state(): Promise<'busy' | 'empty' | 'left'> {
    let waiting = 0
    for (const queue of this.#queues) {
      const counts = await queue.getJobCounts('active', 'waiting')
      if (counts['active']) return 'busy'
      waiting += counts['waiting'] ?? 0
    }
    if (waiting === 0) return 'empty'
    return this.#processor.refusals > Math.min(waiting, MAX_REFUSALS) ? 'left' : 'busy'
  }

  /** Stops all running attempts and returns their jobs to the queue. */
  giveBack(): void {
    this.finish().catch(() => {})
    this.#processor.stop()
  }

  /** Stops everything: the run is over. */
  async cancel(): Promise<void> {
    this.giveBack()
    await this.finish()
  }

  /** Takes no new jobs, and finishes those that are running. */
  async finish(): Promise<void> {
    this.#closing ??= this.#close()
    await this.#closing
  }

  async #close(): Promise<void> {
    await Promise.all(this.#workers.map(worker => worker.close()))
    // Closing may have created keys again that the coordinator has removed.
    await this.#expireKeys()
    // The connection stays open for other runs.
    await Promise.all(this.#queues.map(queue => queue.close()))
  }

  async #expireKeys(): Promise<void> {
    await this.#keys.expire(this.#queues, [], await this.#keys.lifetimeMs())
  }
}
