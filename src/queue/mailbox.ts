import type { Queue } from 'bullmq'
import type { Mail } from './job.ts'
import type { RunKeys } from './run-keys.ts'

/** What a worker tells the coordinator of a run. */
export class Mailbox {
  readonly queue: Queue<Mail>
  readonly #keys: RunKeys

  constructor(keys: RunKeys) {
    this.#keys = keys
    this.queue = keys.mail()
  }

  /** Waits while Redis is away: what could not be delivered is kept until it can. With an id, once. */
  async send(mail: Mail, id?: string): Promise<void> {
    const sent = await this.queue.add(mail.type, mail, id === undefined ? {} : { jobId: id })
    const sentKeys = sent.id === undefined ? [] : [this.queue.toKey(sent.id)]
    await this.#keys.expire([this.queue], sentKeys, await this.#keys.left())
  }
}
