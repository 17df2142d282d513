import type { Queue } from 'bullmq'
import type { Host } from '../model/host.ts'
import type { WorkerMessage } from './protocol.ts'
import type { RunKeys } from './run-keys.ts'

/** How long it is known how long a run stays. */
const TTL_MAX_AGE_MS = 5000

/** What a worker tells the coordinator of a run. */
export class Outbox {
  readonly queue: Queue<WorkerMessage>
  readonly #keys: RunKeys
  readonly #host: Host
  #left = 0
  #asked = Number.NEGATIVE_INFINITY

  constructor(keys: RunKeys, host: Host) {
    this.#keys = keys
    this.#host = host
    this.queue = keys.mail()
  }

  /** Waits while Redis is away: what could not be delivered is kept until it can. With an id, once. */
  async send(mail: WorkerMessage, id?: string): Promise<void> {
    const sent = await this.queue.add(mail.type, mail, id === undefined ? {} : { jobId: id })
    // It has arrived; that it ends with the run is nothing to wait for on a long way.
    this.#expire(sent.id).catch(() => {})
  }

  async #expire(id: string | undefined): Promise<void> {
    if (this.#host.clock.elapsed() - this.#asked > TTL_MAX_AGE_MS) {
      this.#left = await this.#keys.left()
      this.#asked = this.#host.clock.elapsed()
      await this.#keys.expire([this.queue], [], this.#left)
    }
    if (id !== undefined) await this.#keys.expire([], [this.queue.toKey(id)], this.#left)
  }
}
