import { type DateFormat, dateFormat } from './date-format.ts'

/**
 * The calendar days, as `2025-12-31`, that a text may mean: none where it is no date, several where its form leaves it
 * open. It is read in the formats given, else as ISO 8601; without any, in those that are common.
 */
export function calendarDays(text: string, formats: readonly string[] = []): string[] {
  const trimmed = text.trim()
  const given = daysOf(trimmed, formats, [2000])
  if (given.length > 0) return given
  const [, year, month, day] = ISO.exec(trimmed) ?? []
  if (year !== undefined) return daysOf(`${year}-${month}-${day}`, ['YYYY-MM-DD'], [2000])
  return formats.length > 0 ? [] : daysOf(trimmed, COMMON, [1900, 2000])
}

function daysOf(text: string, formats: readonly string[], centuries: readonly number[]): string[] {
  const days = formats.flatMap(format => centuries.flatMap(century => formatOf(format)?.day(text, century) ?? []))
  return [...new Set(days)]
}

/** A day, alone or with a time, which does not count: the day is the one that is written. */
const ISO =
  /^(\d{4})-?(\d{2})-?(\d{2})(?:[T ]\d{2}(?::?\d{2}(?::?\d{2}(?:[.,]\d+)?)?)?\s?(?:Z|[+-]\d{2}(?::?\d{2})?)?)?$/i

const NUMERIC = ['YYYY?M?D', 'D?M?YYYY', 'M?D?YYYY', 'YY?M?D', 'D?M?YY', 'M?D?YY']

/** Those with a year of two digits, and most with a month of digits, may mean several days. */
const COMMON = [
  ...NUMERIC.flatMap(format => ['/', '.', '-'].map(separator => format.replaceAll('?', separator))),
  'D MMMM YYYY',
  'D. MMMM YYYY',
  'D MMM YYYY',
  'D-MMM-YYYY',
  'MMMM D, YYYY',
  'MMMM D YYYY',
  'MMM D, YYYY',
  'MMM D YYYY',
  'YYYY MMMM D',
]

const known = new Map<string, DateFormat | undefined>()

function formatOf(format: string): DateFormat | undefined {
  if (!known.has(format)) known.set(format, dateFormat(format))
  return known.get(format)
}
