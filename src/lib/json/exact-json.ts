import { skipBlanks, tokenEnd } from './tokens.ts'

/** An integer in JSON text that a number cannot hold exactly. */
export interface InexactInteger {
  readonly offset: number
  readonly written: string
}

/** Longer integers exceed every number, and are slow to parse. */
const LONGEST = 5000

/** Finds the integers in valid JSON text that a number cannot hold exactly, such as 2^53 + 1. */
export function findInexactIntegers(text: string): InexactInteger[] {
  const found: InexactInteger[] = []
  // A number holds every shorter integer.
  if (!/[\d.]{16}/.test(text)) return found
  for (let offset = skipBlanks(text, 0); offset < text.length; ) {
    const end = tokenEnd(text, offset)
    if (typeof end !== 'number') return found
    const written = text.slice(offset, end)
    if (isLost(written)) found.push({ offset, written })
    offset = skipBlanks(text, end)
  }
  return found
}

/** Parses an integer that a number cannot hold exactly; undefined for any other number. Decimals are rounded as usual. */
export function inexactInteger(written: string): bigint | undefined {
  const integer = integerOf(written)
  const number = Number(written)
  return integer !== undefined && Number.isFinite(number) && integer === BigInt(number) ? undefined : integer
}

function isLost(written: string): boolean {
  return (written.length > LONGEST && /^-?\d+$/.test(written)) || inexactInteger(written) !== undefined
}

/** Parses an integer of 16 digits or more, also `9007199254740993.0` and `9.007199254740993e15`. */
function integerOf(written: string): bigint | undefined {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/.exec(written) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  if (digits.length < 16 || written.length > LONGEST) return undefined
  const exponent = Number(power) - fraction.length
  if (exponent >= 0) return BigInt(`${sign}${digits}${'0'.repeat(exponent)}`)
  const isWhole = /^0*$/.test(digits.slice(exponent))
  return isWhole && digits.length > -exponent ? BigInt(`${sign}${digits.slice(0, exponent)}`) : undefined
}

/** Parses JSON with a BigInt for each integer that a number cannot hold; undefined for invalid JSON. */
export function parseExactJson(text: string): unknown {
  const lost = findInexactIntegers(text)
  let mark = 'integer '
  while (lost.length > 0 && text.includes(mark)) mark += '-'
  try {
    return lost.length === 0 ? JSON.parse(text) : withIntegers(JSON.parse(marked(text, lost, mark)), mark)
  } catch {
    return undefined
  }
}

/** Replaces each inexact integer in the text by a marked string. */
function marked(text: string, lost: readonly InexactInteger[], mark: string): string {
  const parts: string[] = []
  let last = 0
  for (const { offset, written } of lost) {
    if (written.length > LONGEST) continue
    parts.push(text.slice(last, offset), JSON.stringify(mark + written))
    last = offset + written.length
  }
  return parts.join('') + text.slice(last)
}

/** Replaces the marked strings by BigInts. Iterative, because values may be nested deeply. */
function withIntegers(value: unknown, mark: string): unknown {
  const root = { value }
  const open: Record<string, unknown>[] = [root]
  for (let holder = open.pop(); holder; holder = open.pop()) {
    for (const [key, part] of Object.entries(holder)) {
      if (typeof part === 'string' && part.startsWith(mark)) holder[key] = integerOf(part.slice(mark.length))
      else if (typeof part === 'object' && part !== null) open.push(part as Record<string, unknown>)
    }
  }
  return root.value
}

/** Serializes a value that may contain BigInts; `textOf` maps its strings. */
export function exactJson(value: unknown, { indent = 0, textOf = (text: string) => text } = {}): string {
  const mark = '\u0000integer '
  const written = (_: string, part: unknown) => {
    if (typeof part === 'bigint') return mark + part
    return typeof part === 'string' ? textOf(part) : part
  }
  return JSON.stringify(value, written, indent).replaceAll(/"\\u0000integer (-?\d+)"/g, '$1')
}
