import { setMaxListeners } from 'node:events'
import { twoDigits } from '../lib/dates.ts'

let lastTime = { ms: 0, text: '' }

/** The current time in ISO 8601. Reuses the text within a millisecond. */
export function timestamp(): string {
  const ms = Date.now()
  if (ms !== lastTime.ms) lastTime = { ms, text: new Date(ms).toISOString() }
  return lastTime.text
}

/** Converts an ISO 8601 time to the local time zone: `2025-12-25 11:56:26`. */
export function localTime(timestamp: string): string {
  const date = new Date(timestamp)
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(twoDigits).join('-')
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':')}`
}

/** The longest delay of Node's timers; they fire at once for a longer one. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

export function setTimer(ms: number, call: () => void): () => void {
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
    const callOff = setTimer(ms, done)
    signal?.addEventListener('abort', done)
  })
}

export function yieldToEvents(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}

export function createAbortController(): AbortController {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  return controller
}
