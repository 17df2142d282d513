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
  if (!known.has(format)) known.set(format, parseDateFormat(format))
  return known.get(format)
}

/** How a date is written, such as `DD/MM/YYYY`, as something that reads it. */
interface DateFormat {
  /** The calendar day as `2025-12-31`; undefined for a text of another form, and for a day that does not exist. */
  day(text: string, century?: number): string | undefined
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const NAMES =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?'

/** The parts of a format; the names of months are English. */
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

/** Undefined where it is no format: it needs a year, a month and a day, each once, and knows no other letters. */
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

/** `2025-12-31`, for a day that the calendar has. */
function dayOf(year: number, month: number, day: number): string | undefined {
  const last = month === 2 && isLeap(year) ? 29 : (LENGTHS[month - 1] ?? 0)
  if (day < 1 || day > last) return undefined
  return [String(year).padStart(4, '0'), twoDigits(month), twoDigits(day)].join('-')
}

const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
}

/** `07`. */
export function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}
