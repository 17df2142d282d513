import { twoDigits } from './two-digits.ts'

/** How a date is written, such as `DD/MM/YYYY`, as something that reads it. */
export interface DateFormat {
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
export function dateFormat(format: string): DateFormat | undefined {
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
