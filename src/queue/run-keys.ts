import type { Queue } from 'bullmq'
import { parseJson } from '../lib/json/parse-json.ts'
import { lazily } from '../lib/lazily.ts'
import * as z from '../lib/zod.ts'
import type { Connection } from './connection.ts'
import { type Announcement, announcementSchema, type Job } from './protocol.ts'
import { Script } from './script.ts'

/** The key of the set of run names. */
const RUNS = 'assay:runs'

/** The channel on which changes of runs are announced. */
const CHANGES = 'assay:changes'

/** How long the keys of a run live after the last heartbeat of its coordinator. */
export const EXPIRY_MS = 24 * 60 * 60 * 1000

/** How long keys live that are written after the end of the run. */
export const LATE_EXPIRY_MS = 60 * 1000

/** An announcement by a different version. */
export interface ForeignAnnouncement {
  readonly version: string | undefined
}

const foreignSchema = lazily(() => z.looseObject({ version: z.string() }))

const SCAN_COUNT = 1000

const EXPIRE = new Script("for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, ARGV[1]) end")

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
  queue(name: string): Queue<Job> {
    const { bullmq, redis } = this.#connection
    const queue = new bullmq.Queue<Job>(name, { connection: redis, prefix: this.prefix, skipMetasUpdate: true })
    // The connection reports its own errors.
    queue.on('error', () => {})
    return queue as unknown as Queue<Job>
  }

  /** The stream of messages to the coordinator. */
  get mail(): string {
    return this.key('mail')
  }

  /** The set of attempts whose result was delivered. */
  get delivered(): string {
    return this.key('delivered')
  }

  /** The announcement. */
  get about(): string {
    return this.key('about')
  }

  key(name: string): string {
    return `${this.prefix}:${name}`
  }

  async announce(announcement: Announcement): Promise<void> {
    const { redis } = this.#connection
    await redis.set(this.about, JSON.stringify(announcement), 'PX', EXPIRY_MS)
    if (announcement.is_over) await this.forget()
    else await Promise.all([redis.sadd(RUNS, this.run), redis.pexpire(RUNS, EXPIRY_MS)])
    await redis.publish(CHANGES, this.run)
  }

  /** Reads the announcement, or undefined if the run is not announced. Other versions may use a different format. */
  async announcement(): Promise<Announcement | ForeignAnnouncement | undefined> {
    const text = await this.#connection.redis.get(this.about)
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
    const ms = await this.#connection.redis.pttl(this.about)
    return ms > 0 ? ms : LATE_EXPIRY_MS
  }

  /** Sets the expiry of the keys of queues, and of other keys. Repeated, since BullMQ creates keys again without one. */
  async expire(queues: readonly Queue[], others: readonly string[], ms: number): Promise<void> {
    const own = queues.flatMap(({ keys }) =>
      Object.entries(keys).flatMap(([name, key]) => (name === '' || name === 'stalled-check' ? [] : [key])),
    )
    await EXPIRE.run(this.#connection.redis, [...own, ...others], [ms])
  }

  /** Removes all keys of the run. */
  async remove(): Promise<void> {
    const { redis } = this.#connection
    await this.forget()
    const stream = redis.scanStream({ match: `${this.prefix}:*`, count: SCAN_COUNT })
    for await (const keys of stream) if (keys.length > 0) await redis.unlink(...(keys as string[]))
  }

  /** Calls `onChange` when a run is announced or ends. Calls may be missing after a lost connection. */
  static async watch(connection: Connection, onChange: () => void): Promise<void> {
    connection.blocking.on('message', onChange)
    await connection.blocking.subscribe(CHANGES)
  }

  /** The names of all runs in Redis. */
  static async all({ redis }: Connection): Promise<string[]> {
    return (await redis.smembers(RUNS)).sort()
  }
}
