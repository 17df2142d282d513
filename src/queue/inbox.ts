import type { Redis } from 'ioredis'
import { parseJson } from '../lib/json/parse-json.ts'
import type { Connection } from './connection.ts'
import { type WorkerMessage, workerMessageSchema } from './protocol.ts'
import type { RunKeys } from './run-keys.ts'

/** How many messages are read at once. Each may contain a long answer. */
const READ_MESSAGES = 50

/** A message of a worker; undefined if it is invalid. */
interface ReceivedMessage {
  readonly id: string
  readonly message: WorkerMessage | undefined
}

/** The coordinator's end of the mail: reads the messages of workers. */
export class Inbox {
  readonly #keys: RunKeys
  /** A connection of its own: reading blocks it. */
  readonly #redis: Redis

  constructor(keys: RunKeys, connection: Connection) {
    this.#keys = keys
    this.#redis = connection.blocking
  }

  /** Returns the next messages, oldest first, and waits for one up to `wait_ms`. They stay until they are removed. */
  async receive(wait_ms?: number): Promise<ReceivedMessage[]> {
    const streams = ['STREAMS', this.#keys.mail, '0'] as const
    const reply =
      wait_ms === undefined
        ? await this.#redis.xread('COUNT', READ_MESSAGES, ...streams)
        : await this.#redis.xread('COUNT', READ_MESSAGES, 'BLOCK', wait_ms, ...streams)
    const entries = reply?.[0]?.[1] ?? []
    return entries.map(([id, [, text = '']]) => ({
      id,
      message: workerMessageSchema().safeParse(parseJson(text)).data,
    }))
  }

  async remove(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.#redis.xdel(this.#keys.mail, ...ids)
  }

  async isEmpty(): Promise<boolean> {
    return (await this.#redis.xlen(this.#keys.mail)) === 0
  }

  /** The ids of the attempts whose result workers have delivered. */
  async delivered(): Promise<ReadonlySet<string>> {
    return new Set(await this.#redis.smembers(this.#keys.delivered))
  }

  /** Lets workers deliver again results that were discarded. */
  async forgetDelivered(): Promise<void> {
    await this.#redis.del(this.#keys.delivered)
  }
}
