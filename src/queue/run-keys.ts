import type { Queue } from 'bullmq'
import * as z from 'zod'
import { parseJson } from '../lib/json/parse-json.ts'
import { lazily } from '../lib/lazily.ts'
import type { Connection } from './connection.ts'
import { type Announcement, announcementSchema, type Job, type WorkerMessage } from './protocol.ts'

/** The key of the set of run names. */
const RUNS = 'assay:runs'

/** How long the keys of a run live after the last heartbeat of its coordinator. */
export const EXPIRY_MS = 24 * 60 * 60 * 1000

/** How long keys live that are written after the end of the run. */
const LATE_EXPIRY_MS = 60 * 1000

/** An announcement by a different version. */
export interface ForeignAnnouncement {
  readonly version: string | undefined
}

const foreignSchema = lazily(() => z.looseObject({ version: z.string() }))

const SCAN_COUNT = 1000

/** The keys of one run in Redis. All have the same prefix. */
export class RunKeys {
  readonly run: string
  readonly prefix: string
  readonly #connection: Connection

  constructor(run: string, connection: Connection) {
    this.run = run
    this.prefix = `assay:${run}`
    this.#connection = connection
  }

  /** Opens a queue of the run. */
  queue<Data = Job>(name: string): Queue<Data> {
    const { bullmq, redis } = this.#connection
    const queue = new bullmq.Queue<Data>(name, { connection: redis, prefix: this.prefix, skipMetasUpdate: true })
    // The connection reports its own errors.
    queue.on('error', () => {})
    return queue as unknown as Queue<Data>
  }

  /** Opens the queue of messages to the coordinator. */
  messages(): Queue<WorkerMessage> {
    return this.queue<WorkerMessage>('mail')
  }

  /** A key that is not one of BullMQ's. */
  key(name: string): string {
    return `${this.prefix}:${name}`
  }

  async announce(announcement: Announcement): Promise<void> {
    const { redis } = this.#connection
    await redis.set(this.key('about'), JSON.stringify(announcement), 'PX', EXPIRY_MS)
    if (announcement.is_over) await this.forget()
    else await redis.multi().sadd(RUNS, this.run).pexpire(RUNS, EXPIRY_MS).exec()
  }

  /** Reads the announcement, or undefined if the run is not announced. Other versions may use a different format. */
  async announcement(): Promise<Announcement | ForeignAnnouncement | undefined> {
    const text = await this.#connection.redis.get(this.key('about'))
    if (text === null) return undefined
    const value = parseJson(text)
    return announcementSchema().safeParse(value).data ?? { version: foreignSchema().safeParse(value).data?.version }
  }

  /** Removes the run from the set of runs. */
  async forget(): Promise<void> {
    await this.#connection.redis.srem(RUNS, this.run)
  }

  /** The remaining lifetime of the run, as last set by its coordinator. */
  async lifetimeMs(): Promise<number> {
    const ms = await this.#connection.redis.pttl(this.key('about'))
    return ms > 0 ? ms : LATE_EXPIRY_MS
  }

  /** Sets the expiry of the keys of queues and jobs. Repeated, since BullMQ creates keys again without one. */
  async expire(queues: readonly Queue[], jobKeys: readonly string[], ms: number): Promise<void> {
    const pipeline = this.#connection.redis.pipeline()
    for (const { keys } of queues) {
      for (const [name, key] of Object.entries(keys))
        if (name !== '' && name !== 'stalled-check') pipeline.pexpire(key, ms)
    }
    for (const key of jobKeys) pipeline.pexpire(key, ms)
    await pipeline.exec()
  }

  /** Removes all keys of the run. */
  async remove(): Promise<void> {
    const { redis } = this.#connection
    await this.forget()
    const stream = redis.scanStream({ match: `${this.prefix}:*`, count: SCAN_COUNT })
    for await (const keys of stream) if (keys.length > 0) await redis.unlink(...(keys as string[]))
  }

  /** The names of all runs in Redis. */
  static async all({ redis }: Connection): Promise<string[]> {
    return (await redis.smembers(RUNS)).sort()
  }
}
