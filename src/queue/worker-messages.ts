import type { Queue } from 'bullmq'
import type { Attempt } from '../model/attempt.ts'
import type { Host } from '../model/host.ts'
import { resultId, type WorkerMessage, workerMessageSchema } from './protocol.ts'
import type { RunKeys } from './run-keys.ts'

/** How long the lifetime of a run is cached. */
const LIFETIME_CACHE_MS = 5000

const MESSAGE_BATCH = 100

/** The worker's end: sends messages to the coordinator of a run. */
export class Outbox {
  readonly queue: Queue<WorkerMessage>
  readonly #keys: RunKeys
  readonly #host: Host
  #lifetimeMs = 0
  #readAt = Number.NEGATIVE_INFINITY

  constructor(keys: RunKeys, host: Host) {
    this.#keys = keys
    this.#host = host
    this.queue = keys.messages()
  }

  /** Sends a message, and waits while Redis is away. A message with an id is delivered once. */
  async send(message: WorkerMessage, id?: string): Promise<void> {
    const sent = await this.queue.add(message.type, message, id === undefined ? {} : { jobId: id })
    // The message has arrived: its expiry need not be awaited.
    this.#expire(sent.id).catch(() => {})
  }

  async #expire(id: string | undefined): Promise<void> {
    if (this.#host.clock.elapsed() - this.#readAt > LIFETIME_CACHE_MS) {
      this.#lifetimeMs = await this.#keys.lifetimeMs()
      this.#readAt = this.#host.clock.elapsed()
      await this.#keys.expire([this.queue], [], this.#lifetimeMs)
    }
    if (id !== undefined) await this.#keys.expire([], [this.queue.toKey(id)], this.#lifetimeMs)
  }
}

/** A message, undefined if it is invalid, and how to remove it once it is handled. */
interface ReceivedMessage {
  readonly message: WorkerMessage | undefined
  remove(): Promise<void>
}

/** The coordinator's end: reads the messages of workers. */
export class Inbox {
  readonly queue: Queue<WorkerMessage>

  constructor(keys: RunKeys) {
    this.queue = keys.messages()
  }

  /** Returns the next messages, oldest first. They stay in the queue until they are removed. */
  async receive(): Promise<ReceivedMessage[]> {
    const jobs = await this.queue.getJobs(['waiting'], 0, MESSAGE_BATCH - 1, true)
    return jobs.filter(Boolean).map(job => ({
      message: workerMessageSchema().safeParse(job.data).data,
      remove: async () => {
        await job.remove()
      },
    }))
  }

  /** Whether the result of an attempt is waiting. */
  async hasResult({ id }: Attempt): Promise<boolean> {
    return (await this.queue.getJob(resultId(id))) !== undefined
  }
}
