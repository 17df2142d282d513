import { NoAnswer } from '../../model/answer.ts'
import type { Host } from '../../model/host.ts'
import type { Policy } from '../ask.ts'
import type { OnWait } from './retry.ts'

export const PAUSE_REASON = 'the endpoint requested a pause'

/** Limits concurrent calls to an endpoint: halves the limit when it is overloaded, raises it slowly when it answers. */
export class EndpointLimiter {
  readonly #host: Host
  #limit = Number.POSITIVE_INFINITY
  #active = 0
  #closedUntil = 0
  #pauses = 0
  readonly #waiting = new Set<() => void>()

  constructor(host: Host) {
    this.#host = host
  }

  /** Waits for a free slot. Returns the number of pauses so far, synchronously if there is no wait. */
  enter(signal: AbortSignal, waiting: OnWait): number | Promise<number> {
    if (signal.aborted || this.#active >= this.#limit || this.#closedUntil > 0) return this.#wait(signal, waiting)
    this.#active++
    return this.#pauses
  }

  async #wait(signal: AbortSignal, waiting: OnWait): Promise<number> {
    while (true) {
      if (signal.aborted) this.#wakeNext()
      signal.throwIfAborted()
      const closed = this.#closedUntil - this.#host.clock.elapsed()
      if (closed > 0) {
        waiting(Math.round(closed), PAUSE_REASON)
        await this.#host.clock.sleep(closed, signal)
      } else if (this.#active >= this.#limit) await this.#turn(signal)
      else break
    }
    this.#active++
    return this.#pauses
  }

  leave(): void {
    this.#active--
    this.#wakeNext()
  }

  succeeded(): void {
    if (this.#limit === Number.POSITIVE_INFINITY) return
    this.#limit += 1 / this.#limit
    this.#wakeNext()
  }

  /** Halves the limit once for all calls that were running together. */
  overloaded(entered: number, retryAfterMs = 0): void {
    this.#closedUntil = Math.max(this.#closedUntil, this.#host.clock.elapsed() + retryAfterMs)
    if (entered < this.#pauses) return
    this.#pauses++
    this.#limit = Math.max(1, Math.floor(Math.min(this.#limit, this.#active) / 2))
  }

  #wakeNext(): void {
    const [first] = this.#waiting
    first?.()
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise(resolve => {
      const wake = () => {
        this.#waiting.delete(wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      this.#waiting.add(wake)
      signal.addEventListener('abort', wake)
    })
  }
}

/** Applies the limiter of an endpoint to its requests. */
export function limitConcurrency(pace: EndpointLimiter, waiting: OnWait): Policy {
  return ask => async (prompt, stop) => {
    const entering = pace.enter(stop.signal, waiting)
    const entered = typeof entering === 'number' ? entering : await entering
    try {
      const answer = await ask(prompt, stop)
      pace.succeeded()
      return answer
    } catch (error) {
      if (error instanceof NoAnswer && error.overloaded) pace.overloaded(entered, error.retry_after_ms)
      throw error
    } finally {
      pace.leave()
    }
  }
}
