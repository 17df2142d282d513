import { printableLine } from '../../../lib/text/escape.ts'
import type { TestName } from '../pair-tests.ts'

const MAX_DIGITS = 6

/** Formats a signed difference: `+0.167`, `−0.0003`, `0.000`. Only 0 looks like 0. */
export function formatSigned(value: number): string {
  const text = formatNonZero(Math.abs(value), 3)
  if (Number(text) === 0) return text
  return `${value < 0 ? '−' : '+'}${text}`
}

/** Formats with at least `least` digits, and more if the text would look like 0. */
export function formatNonZero(value: number, least: number): string {
  const digits = digitsUntil(least, count => Number(value.toFixed(count)) !== 0)
  return value.toFixed(digits)
}

/** Formats a change with enough digits to show it: `1.00 → 0.63`, `1.0000 → 0.9997`. */
export function formatChange(before: number, after: number): string {
  const digits = digitsUntil(2, count => before.toFixed(count) !== after.toFixed(count))
  return `${before.toFixed(digits)} → ${after.toFixed(digits)}`
}

/** Returns the smallest sufficient number of digits, or `least` if none is sufficient. */
function digitsUntil(least: number, isEnough: (digits: number) => boolean): number {
  for (let digits = least; digits <= MAX_DIGITS; digits++) if (isEnough(digits)) return digits
  return least
}

/** Formats a p value, never as 0: `p = 0.0012`. */
export function formatP(p: number): string {
  return p < 0.0001 ? 'p < 0.0001' : `p = ${p < 0.1 ? p.toFixed(4) : p.toFixed(2)}`
}

export function nameText({ suite, test_id }: TestName): string {
  return printableLine(`${suite} ${test_id}`)
}
