import { formatDollars, formatDuration } from '../../lib/text/format.ts'
import { formatScore } from '../../model/verdict.ts'

/** Formats numbers, with a dash for unknown values. */
export const format = {
  score: (score: number | null | undefined) => orDash(score, value => formatScore(value)),
  time: (ms: number | null | undefined) => orDash(ms, formatDuration),
  cost: (usd: number | null | undefined) => orDash(usd, formatDollars),
  count: (count: number | null | undefined) => orDash(count, value => value.toLocaleString('en-US')),
}

function orDash(value: number | null | undefined, text: (value: number) => string): string {
  return value === null || value === undefined ? '–' : text(value)
}

/** Formats a recorded timestamp: `2026-11-15 09:30 UTC`. */
export function formatTimestamp(timestamp: string): string {
  const [, day, minute] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(timestamp) ?? []
  return day === undefined ? timestamp : `${day} ${minute} UTC`
}
