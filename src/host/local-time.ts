import { twoDigits } from '../lib/two-digits.ts'

/** `2025-12-25 11:56:26`: so long after a time in ISO 8601, on the clock of this place. */
export function localTime(timestamp: string, later_ms: number): string {
  const date = new Date(Date.parse(timestamp) + later_ms)
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(twoDigits).join('-')
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':')}`
}
