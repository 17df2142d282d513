import { inexactInteger } from './json/exact-json.ts'

/** Longer texts are not numbers that people write. */
const LONGEST = 64

/**
 * Parses a number as people write it: `1200.5`, `1,200.50`, `1.200,50`, `1 200`, `$1,200`, `(1,200)`, `12 %`; undefined
 * for anything else. Returns a BigInt for an integer that a number cannot hold exactly.
 */
export function parseNumber(value: unknown): number | bigint | undefined {
  const number = typeof value === 'string' && value.length <= LONGEST ? readText(value) : value
  return typeof number === 'bigint' || (typeof number === 'number' && Number.isFinite(number)) ? number : undefined
}

function readText(text: string): number | bigint | undefined {
  const bare = text.trim().replace('\u2212', '-')
  const [, inBrackets] = /^\(([^+-].*)\)$/s.exec(bare) ?? []
  const number = readSigned(withoutUnit(inBrackets ?? bare))
  // Accounting writes negative numbers in brackets.
  return number === undefined || inBrackets === undefined ? number : -number
}

let currencies: ReadonlySet<string> | undefined

/** Codes of currencies, which take long to look up the first time. */
function isCurrency(code: string): boolean {
  currencies ??= new Set(Intl.supportedValuesOf('currency'))
  return currencies.has(code)
}

/** Removes a currency before or after the number, and a percent sign. A sign may precede the currency. */
function withoutUnit(text: string): string {
  const [, sign = '', before = '', rest = ''] = /^([+-]?)\s*(\p{Sc}|[A-Z]{3})?\s*(.*)$/su.exec(text) ?? []
  const [, number = '', behind = ''] = /^(.*?)\s*(\p{Sc}|%|[A-Z]{3})?$/su.exec(rest) ?? []
  const isUnit = (unit: string) => unit.length < 3 || isCurrency(unit)
  return isUnit(before) && isUnit(behind) ? sign + number : text
}

function readSigned(text: string): number | bigint | undefined {
  const [, sign = '', digits = ''] = /^([+-]?)(.*)$/s.exec(text) ?? []
  const plain = FORMS.find(([form]) => form.test(digits))?.[1](digits)
  if (plain === undefined) return undefined
  const number = inexactInteger(plain) ?? Number(plain)
  return sign === '-' ? -number : number
}

const without = (marks: RegExp) => (digits: string) => digits.replace(marks, '')
const decimalComma = (marks: RegExp) => (digits: string) => digits.replace(marks, '').replace(',', '.')

/** The notations of numbers, each with its conversion to plain digits. The first match counts. */
const FORMS: readonly [form: RegExp, plain: (digits: string) => string][] = [
  [/^(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i, digits => digits],
  // 1,200.50 and 12,00,000; but 0,125 is a decimal comma.
  [/^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/, without(/,/g)],
  [/^[1-9]\d?(?:,\d{2})+,\d{3}(?:\.\d*)?$/, without(/,/g)],
  [/^[1-9]\d{0,2}(?:[ \u00a0\u202f'’_]\d{3})+(?:\.\d*)?$/, without(/[^\d.]/g)],
  [/^[1-9]\d{0,2}(?:[ \u00a0\u202f'’]\d{3})+,\d+$/, decimalComma(/[^\d,]/g)],
  [/^[1-9]\d{0,2}(?:\.\d{3})+,\d+$/, decimalComma(/\./g)],
  [/^[1-9]\d{0,2}(?:\.\d{3}){2,}$/, without(/\./g)],
  [/^\d+,\d+$/, decimalComma(/\./g)],
]

/** Whether a number is an integer multiple of another, in exact decimal arithmetic. */
export function isMultipleOf(value: number, divisor: number): boolean {
  const [a, b] = [decimal(value), decimal(divisor)]
  if (b.digits === 0n) return false
  const exponent = Math.min(a.exponent, b.exponent)
  return scaled(a, exponent) % scaled(b, exponent) === 0n
}

interface Decimal {
  readonly digits: bigint
  readonly exponent: number
}

/** The shortest decimal that reads as this number. */
function decimal(value: number): Decimal {
  const [mantissa = '', exponent = '0'] = String(value).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length }
}

function scaled({ digits, exponent }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to)
}

/** Adds a number to a sum; both may be unknown. */
export function addKnown(sum: number | undefined, value: number | null | undefined): number | undefined {
  return value == null ? sum : (sum ?? 0) + value
}
