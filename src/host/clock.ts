import { twoDigits } from '../lib/two-digits.ts'

let lastTime = { ms: 0, text: '' }

/** The time in ISO 8601. Within one millisecond, the same text. */
export function timestamp(): string {
  const ms = Date.now()
  if (ms !== lastTime.ms) lastTime = { ms, text: new Date(ms).toISOString() }
  return lastTime.text
}

/** A time in ISO 8601 on the clock of this place: `2025-12-25 11:56:26`. */
export function localTime(timestamp: string): string {
  const date = new Date(timestamp)
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(twoDigits).join('-')
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':')}`
}
