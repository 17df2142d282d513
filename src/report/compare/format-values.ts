import { printableLine } from '../../lib/text/escape.ts'
import type { TestName } from './pair-tests.ts'

/** More digits than this are of no use to a reader. */
const MAX_DIGITS = 6

/** `+0.167`, `−0.167`, `−0.0003`: with a minus as long as the plus; only 0 looks like 0, and has no sign. */
export function formatSigned(value: number): string {
  const text = formatNonZero(Math.abs(value), 3)
  if (Number(text) === 0) return text
  return `${value < 0 ? '−' : '+'}${text}`
}

/** At least so many digits, and as many as it takes not to look like 0. */
export function formatNonZero(value: number, least: number): string {
  const digits = digitsUntil(least, count => Number(value.toFixed(count)) !== 0)
  return value.toFixed(digits)
}

/** `1.00 → 0.63`, `1.0000 → 0.9997`: values that differ look different. */
export function formatChange(before: number, after: number): string {
  const digits = digitsUntil(2, count => before.toFixed(count) !== after.toFixed(count))
  return `${before.toFixed(digits)} → ${after.toFixed(digits)}`
}

/** The fewest digits that are enough; the least number of them where none is. */
function digitsUntil(least: number, isEnough: (digits: number) => boolean): number {
  for (let digits = least; digits <= MAX_DIGITS; digits++) if (isEnough(digits)) return digits
  return least
}

/** `p = 0.0012`; never 0, since chance is never excluded. */
export function formatP(p: number): string {
  return p < 0.0001 ? 'p < 0.0001' : `p = ${p < 0.1 ? p.toFixed(4) : p.toFixed(2)}`
}

export function nameText({ suite, test_id }: TestName): string {
  return printableLine(`${suite} ${test_id}`)
}

/** How many tests of a kind are listed. */
const MAX_LISTED = 20

/** A line for each test, with what it is in front. */
export function listText(label: string, lines: readonly string[], paint: (text: string) => string): string {
  const shown = lines.slice(0, MAX_LISTED).map(line => `  ${paint(label.padEnd(8))} ${line}\n`)
  const more = lines.length - shown.length
  return `${shown.join('')}${more > 0 ? `  ${' '.repeat(Math.max(8, label.length))} and ${more} more\n` : ''}`
}
