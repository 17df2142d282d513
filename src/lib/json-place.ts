import { skipBlanks, tokenEnd } from './json-tokens.ts'

/** Where a value, or its key, is written in a text that is JSON. The last of equal keys counts, as in `JSON.parse`. */
export function jsonPlace(
  text: string,
  path: readonly (string | number)[],
  part: 'key' | 'value' = 'value',
): { readonly offset: number; readonly length: number } {
  let start = skipBlanks(text, 0)
  let key = start
  for (const step of path) {
    const member = members(text, start).findLast(({ name }) => name === step)
    if (!member) break
    start = member.start
    key = member.key
  }
  const offset = part === 'key' ? key : start
  return { offset, length: endOfToken(text, offset) - offset }
}

interface Member {
  readonly name: string | number
  /** Where its key is written; in a list, where its value is. */
  readonly key: number
  readonly start: number
}

/** What a mapping or a list holds that begins at an offset. */
function members(text: string, start: number): Member[] {
  const isList = text[start] === '['
  const found: Member[] = []
  let offset = skipBlanks(text, start + 1)
  while (offset < text.length && !']}'.includes(text.charAt(offset))) {
    const key = offset
    const end = endOfToken(text, key)
    if (!isList) offset = skipBlanks(text, skipBlanks(text, end) + 1)
    found.push({ name: isList ? found.length : JSON.parse(text.slice(key, end)), key, start: offset })
    offset = skipBlanks(text, endOfValue(text, offset))
    if (text[offset] === ',') offset = skipBlanks(text, offset + 1)
  }
  return found
}

function endOfValue(text: string, start: number): number {
  let depth = 0
  let offset = start
  do {
    const token = text.charAt(offset)
    if ('[{'.includes(token)) depth++
    if (']}'.includes(token)) depth--
    offset = endOfToken(text, offset)
    if (depth > 0) offset = skipBlanks(text, offset)
  } while (depth > 0 && offset < text.length)
  return offset
}

function endOfToken(text: string, offset: number): number {
  const end = tokenEnd(text, offset)
  return typeof end === 'number' ? end : offset + 1
}
