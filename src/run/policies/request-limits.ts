import { NoAnswer } from '../../model/answer.ts'
import type { Host } from '../../model/host.ts'
import type { Target } from '../../model/target.ts'
import type { Policy } from '../ask.ts'
import type { OnWait } from './retry.ts'

/** How long a request counts: a minute, and a second for those that take longer on their way than others. */
export const WINDOW_MS = 61_000

export const REQUESTS_REASON = 'requests_per_minute reached'

/** What lets the requests to targets through, not too many in any minute. */
export interface RequestLimits {
  /** Whether it has anything to say about a target. */
  concerns(target: Target): boolean
  /** Waits until a request may be made. */
  enter(target: Target, signal: AbortSignal, waiting: OnWait): Promise<void>
  /** A target has asked for a pause. */
  overloaded(target: Target, retryAfterMs: number | undefined): void
}

/** The limits of one machine: those that targets have themselves. A pause is the business of the pace. */
export class ProcessRequestLimits implements RequestLimits {
  readonly #host: Host
  readonly #made = new Map<string, number[]>()

  constructor(host: Host) {
    this.#host = host
  }

  concerns({ settings }: Target): boolean {
    return settings.requests_per_minute !== undefined
  }

  async enter({ at, name, settings }: Target, signal: AbortSignal, waiting: OnWait): Promise<void> {
    const { requests_per_minute: most = Number.POSITIVE_INFINITY } = settings
    const key = `${at.file} ${name}`
    const made = this.#made.get(key) ?? []
    this.#made.set(key, made)
    while (true) {
      signal.throwIfAborted()
      const [first = 0] = made
      const ms = made.length < most ? 0 : Math.ceil(first + WINDOW_MS - this.#host.clock.elapsed())
      if (ms <= 0) break
      waiting(ms, REQUESTS_REASON)
      await this.#host.clock.sleep(ms, signal)
    }
    made.push(this.#host.clock.elapsed())
    if (made.length > most) made.shift()
  }

  overloaded(): void {}
}

/** Each request waits for its turn, right before it is made. */
export function limitRequests(target: Target, limits: RequestLimits, waiting: OnWait): Policy {
  return ask => async (prompt, stop) => {
    await limits.enter(target, stop.signal, waiting)
    try {
      return await ask(prompt, stop)
    } catch (error) {
      if (error instanceof NoAnswer && error.overloaded) limits.overloaded(target, error.retry_after_ms)
      throw error
    }
  }
}
