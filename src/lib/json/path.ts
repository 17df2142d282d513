import { skipBlanks, tokenEnd } from './tokens.ts'

/** Parses a path such as `order.items[0].price` into its steps; undefined for anything else. */
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

/** Formats steps as a path: `order.items[0].price`. */
export function formatJsonPath(steps: readonly PropertyKey[]): string {
  return steps
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${String(step)}`))
    .join('')
}

/**
 * Returns the value at a path as `{value}`, which tells null from missing. `[n]` selects from lists only; a key selects
 * from mappings, or from a list by number.
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

/** Returns the value at a JSON Pointer (`/items/0/a~1b`) as `{value}`, which tells null from missing. */
export function valueAtPointer(root: unknown, pointer: string): { readonly value: unknown } | undefined {
  let value = root
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return { value }
}

/** Locates a value or its key in valid JSON text. The last of equal keys counts, as in `JSON.parse`. */
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
  /** The offset of its key; in a list, that of its value. */
  readonly key: number
  readonly start: number
}

/** The members of the mapping or list at an offset. */
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
