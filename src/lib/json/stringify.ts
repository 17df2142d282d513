import { isNestedWithin } from '../objects.ts'
import { singleLine, truncate } from '../text/quote.ts'
import { unicodeEscape } from '../text/unicode.ts'
import { exactJson } from './exact-json.ts'

const DEEPEST = 100

/** JSON as people write it on one line, `{"amount": 40}`; line breaks in its texts are shown as marks. */
export function formatJson(value: unknown, longest = 200): string {
  if (!isNestedWithin(value, DEEPEST)) return 'a deeply nested value'
  if (value === undefined) return 'nothing'
  const text = exactJson(value, { indent: 1, textOf: singleLine })
    .replace(/,\n\s*/g, ', ')
    .replace(/([{[])\n\s*/g, '$1')
    .replace(/\n\s*([}\]])/g, '$1')
  return truncate(text, longest)
}

/** JSON that is the same for equal values: keys in order, nothing that is undefined. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(inOrder(value)) ?? 'null'
}

/** The value with the keys of its mappings in order; the same one where they are so already, as mostly. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || isInOrder(value)) return value
  if (Array.isArray(value)) return value.map(inOrder)
  const entries = Object.entries(value).map(([key, part]) => [key, inOrder(part)] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
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

/** JSON that every reader understands, whatever encoding it takes files to have. */
export function asciiJson(value: unknown): string {
  return `${toAscii(JSON.stringify(value, null, 2))}\n`
}

/** The same on one line, with a blank behind each comma and colon, as Python's `json.dumps` writes it. */
export function asciiJsonLine(value: unknown): string {
  // Inside of texts line ends are escaped: these are between the values.
  const line = JSON.stringify(value, null, 1)
    .replace(/([[{])\n */g, '$1')
    .replace(/\n *([\]}])/g, '$1')
    .replace(/\n */g, ' ')
  return toAscii(line)
}

function toAscii(json: string): string {
  return json.replace(/[\u007f-\uffff]/g, unicodeEscape)
}
