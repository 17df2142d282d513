/**
 * Returns the calendar days, as `2025-12-31`, that a text can mean: none if it is not a date, several if it is
 * ambiguous. Tries the given formats, then ISO 8601, and common formats if none are given.
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

/**
 * A day, alone or with a time, which is ignored: the day counts as written. The fraction is limited, because V8 throws at
 * the end of a repetition of millions of digits.
 */
const ISO =
  /^(\d{4})-?(\d{2})-?(\d{2})(?:[T ]\d{2}(?::?\d{2}(?::?\d{2}(?:[.,]\d{1,30})?)?)?\s?(?:Z|[+-]\d{2}(?::?\d{2})?)?)?$/i

const NUMERIC = ['YYYY?M?D', 'D?M?YYYY', 'M?D?YYYY', 'YY?M?D', 'D?M?YY', 'M?D?YY']

/** Formats with a two-digit year, and most with a numeric month, are ambiguous. */
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
  if (!known.has(format)) known.set(format, parseDateFormat(format))
  return known.get(format)
}

/** A parser for a date format such as `DD/MM/YYYY`. */
interface DateFormat {
  /** Returns the day as `2025-12-31`; undefined for another format, or a day that does not exist. */
  day(text: string, century?: number): string | undefined
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const NAMES =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?'

/** The parts of a format; month names are English. */
const TOKENS: Readonly<Record<string, string>> = {
  YYYY: '(?<year>\\d{4})',
  YY: '(?<year>\\d{2})',
  MMMM: `(?<month>${NAMES})`,
  MMM: `(?<month>${NAMES})\\.?`,
  MM: '(?<month>\\d{2})',
  M: '(?<month>\\d{1,2})',
  DD: '(?<day>\\d{2})',
  D: '(?<day>\\d{1,2})(?:st|nd|rd|th)?',
  HH: '\\d{2}',
  H: '\\d{1,2}',
  mm: '\\d{2}',
  ss: '\\d{2}',
  T: 'T',
}

/** Parses a format; undefined unless it has a year, a month and a day, each once, and no other letters. */
export function parseDateFormat(format: string): DateFormat | undefined {
  const parts = format.match(/Y+|M+|D+|H+|m+|s+|\s+|[^\s]/g) ?? []
  if (parts.some(part => /\p{L}/u.test(part) && !Object.hasOwn(TOKENS, part))) return undefined
  const named = parts.flatMap(part => /\?<(\w+)>/.exec(TOKENS[part] ?? '')?.[1] ?? [])
  if (named.sort().join() !== 'day,month,year') return undefined
  const source = parts.map(part => TOKENS[part] ?? (/\s/.test(part) ? '\\s+' : part.replace(/[^\w]/, '\\$&'))).join('')
  const pattern = new RegExp(`^${source}$`, 'i')
  return {
    day(text, century = 2000) {
      const { year = '', month = '', day = '' } = pattern.exec(text)?.groups ?? {}
      if (year === '') return undefined
      const named = MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1
      return dayOf(Number(year) + (year.length === 2 ? century : 0), named || Number(month), Number(day))
    },
  }
}

/** Formats a day as `2025-12-31`; undefined for one that does not exist. */
function dayOf(year: number, month: number, day: number): string | undefined {
  const last = month === 2 && isLeap(year) ? 29 : (LENGTHS[month - 1] ?? 0)
  if (day < 1 || day > last) return undefined
  return [String(year).padStart(4, '0'), twoDigits(month), twoDigits(day)].join('-')
}

const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
}

/** Milliseconds since 1970 of an ISO 8601 time; undefined for any other text. */
export function millisecondsOf(timestamp: string): number | undefined {
  // biome-ignore lint/style/noRestrictedGlobals: this reads a given time, not the clock
  const ms = Date.parse(timestamp)
  return Number.isNaN(ms) ? undefined : ms
}

/** `07`. */
export function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}
