import { setMaxListeners } from 'node:events'

/** What Node's timers can hold; more would be no time at all. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

export function after(ms: number, call: () => void): () => void {
  const timer = setTimeout(call, Math.min(ms, LONGEST_TIMER_MS))
  return () => clearTimeout(timer)
}

export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal?.aborted) return resolve()
    const done = () => {
      callOff()
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const callOff = after(ms, done)
    signal?.addEventListener('abort', done)
  })
}

export function breathe(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}

export function abortController(): AbortController {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  return controller
}
