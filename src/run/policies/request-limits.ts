import { NoAnswer } from '../../model/answer.ts'
import type { Host } from '../../model/host.ts'
import type { Target } from '../../model/target.ts'
import type { Policy } from '../ask.ts'
import type { OnWait } from './retry.ts'

/** How long a request counts: a minute, plus a second for network delays. */
export const WINDOW_MS = 61_000

export const REQUESTS_REASON = 'requests_per_minute reached'

/** Limits the requests to targets in any minute. */
export interface RequestLimits {
  /** Whether the target has a limit. */
  concerns(target: Target): boolean
  /** Waits until a request is allowed. */
  enter(target: Target, signal: AbortSignal, waiting: OnWait): Promise<void>
  /** Called when a target requests a pause. */
  overloaded(target: Target, retryAfterMs: number | undefined): void
}

/** Limits the requests of this process. Pauses are handled by `EndpointLimiter`. */
export class ProcessRequestLimits implements RequestLimits {
  readonly #host: Host
  readonly #made = new Map<string, number[]>()

  constructor(host: Host) {
    this.#host = host
  }

  concerns({ settings }: Target): boolean {
    return settings.requests_per_minute !== undefined
  }

  async enter({ at, name, base = name, settings }: Target, signal: AbortSignal, waiting: OnWait): Promise<void> {
    const { requests_per_minute: most = Number.POSITIVE_INFINITY } = settings
    const key = `${at.file} ${base}`
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

/** Delays each request until the limit allows it. */
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
