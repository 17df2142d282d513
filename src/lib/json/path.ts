import { skipBlanks, tokenEnd } from './tokens.ts'

/** `order.items[0].price` as its steps, or undefined when it is not such a path. */
export function parseJsonPath(path: string): readonly (string | number)[] | undefined {
  const steps: (string | number)[] = []
  const step = /(?:^|\.)([^.[\]]+)|\[(\d+)\]/y
  while (step.lastIndex < path.length) {
    const match = step.exec(path)
    if (!match) return undefined
    steps.push(match[1] ?? Number(match[2]))
  }
  return steps.length > 0 ? steps : undefined
}

/** Steps as a path: `order.items[0].price`. */
export function formatJsonPath(steps: readonly PropertyKey[]): string {
  return steps
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${String(step)}`))
    .join('')
}

/**
 * The value at a path, as `{value}` so that a null there differs from nothing there. `[n]` is an item of a list, never a
 * key of a mapping; a key is one of a mapping, or the number of an item.
 */
export function valueAt(root: unknown, steps: readonly (string | number)[]): { value: unknown } | undefined {
  let value = root
  for (const step of steps) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    const isItem = typeof step === 'number'
    if (Array.isArray(value) ? !isItem && !/^\d+$/.test(step) : isItem) return undefined
    value = (value as Record<string | number, unknown>)[step]
  }
  return { value }
}

/** The value at a JSON Pointer (`/items/0/a~1b`), as `{value}` so that a null there differs from nothing there. */
export function valueAtPointer(root: unknown, pointer: string): { readonly value: unknown } | undefined {
  let value = root
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return { value }
}

/** Where a value, or its key, is written in a text that is JSON. The last of equal keys counts, as in `JSON.parse`. */
export function locateInJson(
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
