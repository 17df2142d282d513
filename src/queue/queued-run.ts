import type { Attempt } from '../model/attempt.ts'
import type { Connection } from './connection.ts'
import { Inbox } from './inbox.ts'
import { type AttemptFilter, type JobOptions, JobQueues } from './job-queues.ts'
import type { Announcement, RunSettings } from './protocol.ts'
import { EXPIRY_MS, RunKeys } from './run-keys.ts'

export interface QueuedRunOptions extends JobOptions {
  readonly run_id: string
  readonly version: string
  readonly asked: RunSettings
}

/** A run in Redis, as its coordinator sees it: announcement, jobs, and messages of workers. */
export class QueuedRun {
  readonly jobs: JobQueues
  readonly inbox: Inbox
  readonly #keys: RunKeys
  readonly #options: QueuedRunOptions

  constructor(attempts: readonly Attempt[], options: QueuedRunOptions, connection: Connection) {
    this.#options = options
    this.#keys = new RunKeys(options.run_id, connection)
    this.jobs = new JobQueues(attempts, this.#keys, options)
    this.inbox = new Inbox(this.#keys, connection)
  }

  /** Queues all outstanding attempts that are in no job and have no result in the mail, and announces the run to workers. */
  async offer(isOutstanding: AttemptFilter): Promise<void> {
    // In this order: an attempt leaves its job after its result is delivered.
    const queued = await this.jobs.queued()
    const delivered = await this.inbox.delivered()
    await this.jobs.add(attempt => isOutstanding(attempt) && !queued.has(attempt.id) && !delivered.has(attempt.id))
    await this.#announce(false)
    await this.expire()
  }

  /** Removes all waiting jobs, also those of an earlier coordinator of the run, whose plan may be different. */
  async takeBack(): Promise<void> {
    const before = await this.#keys.announcement()
    await this.jobs.drain(before && 'queues' in before ? before.queues.map(({ name }) => name) : [])
  }

  /** Whether Redis has the announcement. If not, it has lost its data. */
  async isKnown(): Promise<boolean> {
    return (await this.#keys.announcement()) !== undefined
  }

  /** Whether Redis has neither jobs nor messages. */
  async isEmpty(): Promise<boolean> {
    for (const queue of this.jobs.queues) {
      const counts = await queue.getJobCounts('waiting', 'active', 'failed')
      if (Object.values(counts).some(count => count > 0)) return false
    }
    return this.inbox.isEmpty()
  }

  /** Sets the expiry of all queue keys, some of which BullMQ creates again without one. */
  async expire(): Promise<void> {
    const { mail, delivered } = this.#keys
    await this.#keys.expire(this.jobs.queues, [mail, delivered], EXPIRY_MS)
  }

  /** Extends the lifetime of everything in Redis. */
  async keepAlive(): Promise<void> {
    await this.#announce(false)
    await this.expire()
    await this.jobs.keepAlive()
  }

  /** Tells workers that the run is over. */
  async announceEnd(): Promise<void> {
    await this.#announce(true)
  }

  /** Removes everything from Redis. */
  async remove(): Promise<void> {
    await this.#keys.remove()
  }

  async #announce(is_over: boolean): Promise<void> {
    const { run_id, version, asked } = this.#options
    const announcement: Announcement = { version, run_id, is_over, queues: this.jobs.names, asked }
    await this.#keys.announce(announcement)
  }
}
