import { join } from 'node:path'
import { parseJson } from '../../lib/json/parse-json.ts'
import { lazily } from '../../lib/lazily.ts'
import { Semaphore } from '../../lib/semaphore.ts'
import { shortHash } from '../../lib/sha256.ts'
import * as z from '../../lib/zod.ts'
import type { Host } from '../../model/host.ts'
import type { Target } from '../../model/target.ts'
import { REQUESTS_REASON, type RequestLimits, WINDOW_MS } from './request-limits.ts'
import type { OnWait } from './retry.ts'

/** The folder with the counts, below `.assay/cache`: git ignores it. */
export function requestsFolder(settingsFolder: string): string {
  return join(settingsFolder, 'cache', 'requests')
}

/** Content of a file: the times of requests, in milliseconds since 1970. */
const timesSchema = lazily(() => z.array(z.number()))

/** How long to wait for the lock of another process. */
const BUSY_MS = 10

/** Limits the requests of all runs on this machine together: they count them in files of one folder. */
export class MachineRequestLimits implements RequestLimits {
  readonly #folder: string
  readonly #host: Host
  /** Serializes access to a file within this process. */
  readonly #semaphores = new Map<string, Semaphore>()

  constructor(folder: string, host: Host) {
    this.#folder = folder
    this.#host = host
  }

  concerns({ settings }: Target): boolean {
    return settings.requests_per_minute !== undefined
  }

  async enter({ at, name, base = name, settings }: Target, signal: AbortSignal, waiting: OnWait): Promise<void> {
    const { requests_per_minute: most = Number.POSITIVE_INFINITY } = settings
    // The same for all runs with one targets file; hashed, because names may be long.
    const path = join(this.#folder, `${shortHash(`${at.file}\n${base}`)}.json`)
    const semaphore = this.#semaphores.get(path) ?? new Semaphore(1)
    this.#semaphores.set(path, semaphore)
    while (true) {
      signal.throwIfAborted()
      const ms = await semaphore.run(() => this.#reserve(path, most, signal))
      if (ms <= 0) return
      waiting(ms, REQUESTS_REASON)
      await this.#host.clock.sleep(ms, signal)
    }
  }

  overloaded(): void {}

  /** Counts a request if it is allowed now; else returns how long to wait. */
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
   * Reads the times in a file. A damaged file counts as full, and a future time (the clock was set back) as now. Both are
   * written back, so that they expire.
   */
  async #read(path: string, most: number, now: number): Promise<number[]> {
    if ((await this.#host.files.stat(path)) === undefined) return []
    const text = new TextDecoder().decode(await this.#host.files.read(path))
    const times = timesSchema().safeParse(parseJson(text)).data
    if (times?.every(time => time <= now)) return times
    const corrected = times?.map(time => Math.min(time, now)) ?? Array.from({ length: most }, () => now)
    await this.#host.files.write(path, JSON.stringify(corrected))
    return corrected
  }
}
