import type { Host } from '../../src/model/host.ts'

/** The part of a host that tells time, on a clock that advances only while a test waits. */
export interface VirtualHost {
  readonly host: Host
  /** The current time in milliseconds. */
  readonly time: number
  /** The number of pending timers and sleeps. */
  readonly sleepers: number
  /** Runs pending callbacks without advancing the clock. */
  calm(): Promise<void>
  /** Advances the clock. */
  pass(ms: number): Promise<void>
  /** Advances the clock until the promise settles; throws if nothing would ever settle it. */
  settled<Value>(promise: Promise<Value>): Promise<PromiseSettledResult<Value>>
}

export function virtualHost(random: () => number = () => 0.5): VirtualHost {
  const sleepers = new Set<{ readonly at: number; wake(): void }>()
  let time = 0
  const clock = {
    now: () => Date.UTC(2026, 0) + time,
    elapsed: () => time,
    setTimer: (ms: number, call: () => void) => {
      const wake = () => {
        sleepers.delete(sleeper)
        call()
      }
      const sleeper = { at: time + ms, wake }
      sleepers.add(sleeper)
      return () => void sleepers.delete(sleeper)
    },
    yieldToEvents: () => calm(),
    createAbortController: () => new AbortController(),
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>(resolve => {
        if (signal?.aborted) return resolve()
        const wake = () => {
          sleepers.delete(sleeper)
          signal?.removeEventListener('abort', wake)
          resolve()
        }
        const sleeper = { at: time + ms, wake }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', wake)
      }),
  }
  const calm = () => new Promise<void>(resolve => setImmediate(resolve))
  const next = () => [...sleepers].sort((a, b) => a.at - b.at)[0]
  const wakeNext = async () => {
    const sleeper = next()
    if (!sleeper) throw new Error('no timer is pending: this would wait forever')
    time = Math.max(time, sleeper.at)
    sleeper.wake()
    await calm()
  }
  return {
    host: { clock, random } as unknown as Host,
    get time() {
      return time
    },
    get sleepers() {
      return sleepers.size
    },
    calm,
    async pass(ms) {
      const end = time + ms
      await calm()
      while ((next()?.at ?? Number.POSITIVE_INFINITY) <= end) await wakeNext()
      time = end
    },
    async settled(promise) {
      let outcome: PromiseSettledResult<Awaited<typeof promise>> | undefined
      Promise.allSettled([promise]).then(([only]) => {
        outcome = only
      })
      await calm()
      while (!outcome) await wakeNext()
      return outcome
    },
  }
}
