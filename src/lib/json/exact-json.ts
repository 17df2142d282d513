import { skipBlanks, tokenEnd } from './tokens.ts'

/** Where an integer is written that no number holds exactly. */
export interface InexactInteger {
  readonly offset: number
  readonly written: string
}

/** Longer integers are beyond every number, and take long to read. */
const LONGEST = 5000

/** The integers in a text that is JSON which a number does not hold exactly, such as 2^53 + 1. */
export function findInexactIntegers(text: string): InexactInteger[] {
  const found: InexactInteger[] = []
  // Shorter ones are held exactly.
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

/** The integer that is written, where a number does not hold it. Decimals, and numbers of few digits, are rounded as everywhere. */
export function inexactInteger(written: string): bigint | undefined {
  const integer = integerOf(written)
  const number = Number(written)
  return integer !== undefined && Number.isFinite(number) && integer === BigInt(number) ? undefined : integer
}

function isLost(written: string): boolean {
  return (written.length > LONGEST && /^-?\d+$/.test(written)) || inexactInteger(written) !== undefined
}

/** The integer that is written with 16 digits or more, also as `9007199254740993.0` or `9.007199254740993e15`. */
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

/** The value of a text that is JSON, in which an integer that no number holds is a BigInt; undefined for one that is none. */
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

/** The text with a string in place of each lost integer. */
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

/** The value with the integers in place of the marked strings. Not by recursion: it may be nested without end. */
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

/** A value with BigInts in it as JSON; `textOf` changes its texts. */
export function exactJson(value: unknown, { indent = 0, textOf = (text: string) => text } = {}): string {
  const mark = '\u0000integer '
  const written = (_: string, part: unknown) => {
    if (typeof part === 'bigint') return mark + part
    return typeof part === 'string' ? textOf(part) : part
  }
  return JSON.stringify(value, written, indent).replaceAll(/"\\u0000integer (-?\d+)"/g, '$1')
}
