const RESERVED = new Map<string, null | boolean>([
  ...['null', 'Null', 'NULL'].map(word => [word, null] as const),
  ...['true', 'True', 'TRUE'].map(word => [word, true] as const),
  ...['false', 'False', 'FALSE'].map(word => [word, false] as const),
])
const LONGEST_RESERVED = 5

/** Whether a word without quotes is not a string. */
export function isReservedWord(word: string): boolean {
  return word.length <= LONGEST_RESERVED && RESERVED.has(word)
}

const NUMBER = /^(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/
/** A character that no number contains, however it is written. */
const NOT_OF_NUMBERS = /[^\da-fxo._+-]/i
/** Other texts that are neither numbers nor marked as something else. */
const BEGINS_AS_TEXT = /^[A-Za-z_($/^\\=;\u{a0}-\u{10ffff}]/u

/** Returns the value of a scalar that is written on one line without quotes; undefined if js-yaml has to decide. */
export function plainValue(written: string): string | number | boolean | null | undefined {
  const code = written.charCodeAt(0)
  if (code >= ZERO && code <= NINE) {
    if (NUMBER.test(written)) return Number(written)
    return NOT_OF_NUMBERS.test(written) ? written : undefined
  }
  if (isReservedWord(written)) return RESERVED.get(written)
  return BEGINS_AS_TEXT.test(written) ? written : undefined
}

/** Returns where a scalar without quotes ends on its line; -1 if there is the end of a key in it. */
export function plainEnd(text: string, start: number): number {
  let end = start
  for (let offset = start; offset < text.length; offset++) {
    const code = text.charCodeAt(offset)
    if (code === NEWLINE || (code === HASH && end < offset)) break
    if (code === SPACE) continue
    if (code === COLON && isEndOfWord(text, offset + 1)) return -1
    end = offset + 1
  }
  return end
}

/** Whether a word that ends before an offset is not continued. */
export function isEndOfWord(text: string, offset: number): boolean {
  const code = text.charCodeAt(offset)
  return code === SPACE || code === NEWLINE || offset >= text.length
}

const NEWLINE = 0x0a
const SPACE = 0x20
const HASH = 0x23
const ZERO = 0x30
const NINE = 0x39
const COLON = 0x3a
