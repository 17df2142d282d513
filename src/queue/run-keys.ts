import type { Queue } from 'bullmq'
import * as z from 'zod'
import { parseJson } from '../lib/json/parse-json.ts'
import type { Connection } from './connection.ts'
import { type Announcement, announcementSchema, type Job, type WorkerMessage } from './protocol.ts'

/** The names of the runs that are in Redis. */
const RUNS = 'assay:runs'

/** How long what a dead run leaves stays, after the last sign of life of its coordinator. */
export const EXPIRY_MS = 24 * 60 * 60 * 1000

/** And what comes when nobody waits for it any more. */
const LATE_EXPIRY_MS = 60 * 1000

/** An announcement that we cannot read. */
export interface ForeignAnnouncement {
  readonly version: string | undefined
}

const foreignSchema = z.looseObject({ version: z.string() })

const SCAN_COUNT = 1000

/** What Redis has of one run: all its keys begin alike. */
export class RunKeys {
  readonly run: string
  readonly prefix: string
  readonly #connection: Connection

  constructor(run: string, connection: Connection) {
    this.run = run
    this.prefix = `assay:${run}`
    this.#connection = connection
  }

  /** A queue of the run; `mail` is the one to the coordinator. */
  queue<Data = Job>(name: string): Queue<Data> {
    const { bullmq, redis } = this.#connection
    const queue = new bullmq.Queue<Data>(name, { connection: redis, prefix: this.prefix, skipMetasUpdate: true })
    // What the connection says is said by the connection.
    queue.on('error', () => {})
    return queue as unknown as Queue<Data>
  }

  mail(): Queue<WorkerMessage> {
    return this.queue<WorkerMessage>('mail')
  }

  /** A key of our own beside those of BullMQ. */
  key(name: string): string {
    return `${this.prefix}:${name}`
  }

  async announce(announcement: Announcement): Promise<void> {
    const { redis } = this.#connection
    await redis.set(this.key('about'), JSON.stringify(announcement), 'PX', EXPIRY_MS)
    if (announcement.is_over) await this.forget()
    else await redis.multi().sadd(RUNS, this.run).pexpire(RUNS, EXPIRY_MS).exec()
  }

  /** Undefined where Redis knows nothing of it. Another version of Assay may announce in another way. */
  async announcement(): Promise<Announcement | ForeignAnnouncement | undefined> {
    const text = await this.#connection.redis.get(this.key('about'))
    if (text === null) return undefined
    const value = parseJson(text)
    return announcementSchema.safeParse(value).data ?? { version: foreignSchema.safeParse(value).data?.version }
  }

  /** Its announcement has expired: nobody will ask for it any more. */
  async forget(): Promise<void> {
    await this.#connection.redis.srem(RUNS, this.run)
  }

  /** How long what Redis has of the run stays: as long as the coordinator has said last. */
  async left(): Promise<number> {
    const ms = await this.#connection.redis.pttl(this.key('about'))
    return ms > 0 ? ms : LATE_EXPIRY_MS
  }

  /** Lets the keys of queues, and of some of their jobs, end with the run: BullMQ makes them anew now and then. */
  async expire(queues: readonly Queue[], jobKeys: readonly string[], ms: number): Promise<void> {
    const pipeline = this.#connection.redis.pipeline()
    for (const { keys } of queues) {
      for (const [name, key] of Object.entries(keys))
        if (name !== '' && name !== 'stalled-check') pipeline.pexpire(key, ms)
    }
    for (const key of jobKeys) pipeline.pexpire(key, ms)
    await pipeline.exec()
  }

  /** Removes everything of the run. */
  async remove(): Promise<void> {
    const { redis } = this.#connection
    await this.forget()
    const stream = redis.scanStream({ match: `${this.prefix}:*`, count: SCAN_COUNT })
    for await (const keys of stream) if (keys.length > 0) await redis.unlink(...(keys as string[]))
  }

  /** The names of the runs that Redis has. */
  static async all({ redis }: Connection): Promise<string[]> {
    return (await redis.smembers(RUNS)).sort()
  }
}
