import { canonicalJson } from '../lib/json/stringify.ts'
import { shortHash } from '../lib/sha256.ts'
import type { Host } from '../model/host.ts'
import type { Target } from '../model/target.ts'
import { PAUSE_REASON } from '../run/policies/endpoint-limiter.ts'
import { REQUESTS_REASON, type RequestLimits, WINDOW_MS } from '../run/policies/request-limits.ts'
import type { OnWait } from '../run/policies/retry.ts'
import type { Connection } from './connection.ts'
import type { RunKeys } from './run-keys.ts'
import { Script } from './script.ts'

/** How long a target without a rate limit counts as open after Redis has confirmed it. */
const OPEN_MS = 100

/** How long all workers wait if an overloaded target does not say for how long. */
const PAUSE_MS = 1000

/**
 * Returns how long a request must wait, by the clock of Redis, and whether for a pause. 0: it is counted and may be sent.
 * The limiter of BullMQ counts jobs, which may send several requests, and in fixed instead of sliding minutes.
 */
const ENTER = new Script(`
local closed = redis.call('PTTL', KEYS[2])
if closed > 0 then return {closed, 1} end
local most = tonumber(ARGV[1])
if most == 0 then return {0, 0} end
local window = tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
if redis.call('ZCARD', KEYS[1]) < most then
  redis.call('ZADD', KEYS[1], now, ARGV[3])
  redis.call('PEXPIRE', KEYS[1], window)
  return {0, 0}
end
return {redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2] + window - now, 0}
`)

/** Sets a pause. Never shortens one. */
const PAUSE = new Script(`
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], '', 'PX', ARGV[1]) end
`)

/** Rate limits and pauses that all workers of a run share. */
export class SharedRequests implements RequestLimits {
  readonly #connection: Connection
  readonly #keys: RunKeys
  /** Distinguishes the requests of this worker from those of others, even with the same name. */
  readonly #id: string
  readonly #host: Host
  readonly #names = new WeakMap<Target, string>()
  /** When each target without a rate limit must be looked up again, by its key. */
  readonly #openUntil = new Map<string, number>()
  #count = 0

  constructor(connection: Connection, keys: RunKeys, host: Host) {
    this.#connection = connection
    this.#keys = keys
    this.#id = `${host.clock.now()} ${host.random()}`
    this.#host = host
  }

  concerns(): boolean {
    return true
  }

  async enter(target: Target, signal: AbortSignal, waiting: OnWait): Promise<void> {
    const most = target.settings.requests_per_minute ?? 0
    const name = `${this.#id} ${++this.#count}`
    const [made, closed] = this.#keysOf(target)
    while (true) {
      signal.throwIfAborted()
      const asked = this.#host.clock.elapsed()
      if (asked < (this.#openUntil.get(closed) ?? 0)) return
      const answer = await ENTER.run(this.#connection.redis, [made, closed], [most, WINDOW_MS, name])
      const [ms, isPause] = answer as [number, number]
      if (ms <= 0 && most === 0) this.#openUntil.set(closed, asked + OPEN_MS)
      if (ms <= 0) return
      waiting(ms, isPause ? PAUSE_REASON : REQUESTS_REASON)
      await this.#host.clock.sleep(ms, signal)
    }
  }

  overloaded(target: Target, retryAfterMs = PAUSE_MS): void {
    const [, closed] = this.#keysOf(target)
    const ms = Math.max(1, Math.ceil(retryAfterMs))
    this.#openUntil.delete(closed)
    PAUSE.run(this.#connection.redis, [closed], [ms]).catch(() => {})
  }

  #keysOf(target: Target): readonly [string, string] {
    const name = this.#names.get(target) ?? nameOf(target)
    this.#names.set(target, name)
    return [this.#keys.key(`requests:${name}`), this.#keys.key(`pause:${name}`)]
  }
}

function nameOf({ written, name: own, base = own }: Target): string {
  return shortHash(canonicalJson({ ...written, name: base }))
}
