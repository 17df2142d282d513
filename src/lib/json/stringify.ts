import { isNestedWithin } from '../objects.ts'
import { singleLine, truncate } from '../text/quote.ts'
import { unicodeEscape } from '../text/unicode.ts'
import { exactJson } from './exact-json.ts'

const DEEPEST = 100

/** Formats a value for messages, on one line: `{"amount": 40}`. Line breaks in strings become visible marks. */
export function formatJson(value: unknown, longest = 200): string {
  if (!isNestedWithin(value, DEEPEST)) return 'a deeply nested value'
  if (value === undefined) return 'nothing'
  const text = exactJson(value, { indent: 1, textOf: singleLine })
    .replace(/,\n\s*/g, ', ')
    .replace(/([{[])\n\s*/g, '$1')
    .replace(/\n\s*([}\]])/g, '$1')
  return truncate(text, longest)
}

/** Serializes with sorted keys and without undefined values: equal values give equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(inOrder(value)) ?? 'null'
}

/** Sorts the keys of mappings; returns the same value when they are sorted already, which is the usual case. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || isInOrder(value)) return value
  if (Array.isArray(value)) return value.map(inOrder)
  const keys = Object.keys(value).sort()
  const partOf = (key: string) => inOrder((value as Record<string, unknown>)[key])
  // Assigning this key would set the prototype.
  if (keys.includes('__proto__')) return Object.fromEntries(keys.map(key => [key, partOf(key)]))
  const sorted: Record<string, unknown> = {}
  for (const key of keys) sorted[key] = partOf(key)
  return sorted
}

function isInOrder(value: object): boolean {
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object' && item !== null && !isInOrder(item)) return false
    return true
  }
  let last = ''
  for (const key in value) {
    if (key < last) return false
    last = key
    const part = (value as Record<string, unknown>)[key]
    if (typeof part === 'object' && part !== null && !isInOrder(part)) return false
  }
  return true
}

/** Serializes to ASCII, which reads the same in every encoding. */
export function asciiJson(value: unknown): string {
  return `${toAscii(JSON.stringify(value, null, 2))}\n`
}

/** Serializes to ASCII on one line, with spaces as in Python's `json.dumps`. */
export function asciiJsonLine(value: unknown): string {
  // Line breaks in strings are escaped: these are between values.
  const line = JSON.stringify(value, null, 1)
    .replace(/([[{])\n */g, '$1')
    .replace(/\n *([\]}])/g, '$1')
    .replace(/\n */g, ' ')
  return toAscii(line)
}

function toAscii(json: string): string {
  return json.replace(/[\u007f-\uffff]/g, unicodeEscape)
}
