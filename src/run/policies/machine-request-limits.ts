import { join } from 'node:path'
import * as z from 'zod'
import { parseJson } from '../../lib/json/parse-json.ts'
import { Semaphore } from '../../lib/semaphore.ts'
import { shortHash } from '../../lib/sha256.ts'
import type { Host } from '../../model/host.ts'
import type { Target } from '../../model/target.ts'
import { REQUESTS_REASON, type RequestLimits, WINDOW_MS } from './request-limits.ts'
import type { OnWait } from './retry.ts'

/** The folder of the counts in `.assay`: with the cache, which is kept out of version control. */
export function requestsFolder(settingsFolder: string): string {
  return join(settingsFolder, 'cache', 'requests')
}

/** When requests were made, in milliseconds since 1970: the content of a file. */
const timesSchema = z.array(z.number())

/** How long to wait while another process looks at the same file. */
const BUSY_MS = 10

/** Limits that hold for all runs of this machine together, which count their requests in files of one folder. */
export class MachineRequestLimits implements RequestLimits {
  readonly #folder: string
  readonly #host: Host
  /** In this process, one looks at a file at a time. */
  readonly #turns = new Map<string, Semaphore>()

  constructor(folder: string, host: Host) {
    this.#folder = folder
    this.#host = host
  }

  concerns({ settings }: Target): boolean {
    return settings.requests_per_minute !== undefined
  }

  async enter({ at, name, settings }: Target, signal: AbortSignal, waiting: OnWait): Promise<void> {
    const { requests_per_minute: most = Number.POSITIVE_INFINITY } = settings
    // The same for all that read one targets file; a hash, because names may be long.
    const path = join(this.#folder, `${shortHash(`${at.file}\n${name}`)}.json`)
    const turns = this.#turns.get(path) ?? new Semaphore(1)
    this.#turns.set(path, turns)
    while (true) {
      signal.throwIfAborted()
      const ms = await turns.take(() => this.#reserve(path, most, signal))
      if (ms <= 0) return
      waiting(ms, REQUESTS_REASON)
      await this.#host.clock.sleep(ms, signal)
    }
  }

  overloaded(): void {}

  /** Counts a request that may be made now; else, how long it has to wait. */
  async #reserve(path: string, most: number, signal: AbortSignal): Promise<number> {
    const release = await this.#lock(`${path}.lock`, signal)
    try {
      const now = this.#host.clock.now()
      const made = (await this.#read(path, most, now)).filter(time => time > now - WINDOW_MS)
      if (made.length >= most) return Math.ceil((made[made.length - most] ?? now) + WINDOW_MS - now)
      await this.#host.files.write(path, JSON.stringify([...made, now]))
      return 0
    } finally {
      await release()
    }
  }

  async #lock(path: string, signal: AbortSignal): Promise<() => Promise<void>> {
    await this.#host.files.makeFolder(this.#folder)
    while (true) {
      signal.throwIfAborted()
      const lock = await this.#host.locks.take(path)
      if ('release' in lock) return lock.release
      await this.#host.clock.sleep(BUSY_MS, signal)
    }
  }

  /**
   * The times in a file. A damaged file counts as full, and times to come, since the clock was set back, as now: both
   * are written down, so that they pass.
   */
  async #read(path: string, most: number, now: number): Promise<number[]> {
    if ((await this.#host.files.stat(path)) === undefined) return []
    const text = new TextDecoder().decode(await this.#host.files.read(path))
    const times = timesSchema.safeParse(parseJson(text)).data
    if (times?.every(time => time <= now)) return times
    const corrected = times?.map(time => Math.min(time, now)) ?? Array.from({ length: most }, () => now)
    await this.#host.files.write(path, JSON.stringify(corrected))
    return corrected
  }
}
