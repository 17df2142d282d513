import { parseEvents } from 'js-yaml'
import { findJsonError } from '../../lib/json/parse-json.ts'
import { readYaml } from './read-yaml.ts'
import { MAX_DEPTH } from './yaml-limits.ts'
import type { YamlProblem } from './yaml-problem.ts'
import { YamlTree } from './yaml-tree.ts'

/** Parses a line of JSON. Offsets of problems count from the start of the line. */
export function readJsonLine(text: string): { value: unknown } | { problems: YamlProblem[] } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    const { offset, reason } = findJsonError(text)
    const hint = 'write one JSON object per line'
    return {
      problems: [
        { code: 'json-syntax', span: { start: offset, end: offset + 1 }, message: `invalid JSON: ${reason}`, hint },
      ],
    }
  }
  // JSON.parse silently keeps the last of two equal keys; comparing the number of countColons reveals it.
  if (countKeys(value, MAX_DEPTH) === countColons(text)) return { value }
  // JSON is YAML, and the YAML reader locates each problem.
  return { problems: readYaml(text).problems }
}

/** Locates the values of a line. JSON is YAML, so YAML events serve. */
export function jsonLineTree(text: string): YamlTree {
  try {
    return new YamlTree(text, parseEvents(text, { maxDepth: MAX_DEPTH + 1 }))
  } catch {
    return new YamlTree(text, [])
  }
}

/** Counts the keys of a value at all levels; `NaN` for nesting beyond the limit and for the key `__proto__`. */
function countKeys(value: unknown, depth: number): number {
  if (typeof value !== 'object' || value === null) return 0
  if (depth === 0) return Number.NaN
  let count = 0
  if (Array.isArray(value)) for (const item of value) count += countKeys(item, depth - 1)
  else {
    for (const key in value) {
      if (key === '__proto__') return Number.NaN
      count += 1 + countKeys((value as Record<string, unknown>)[key], depth - 1)
    }
  }
  return count
}

const COLON = 0x3a

/** Counts the countColons outside of strings in valid JSON. */
function countColons(text: string): number {
  let count = 0
  let from = 0
  while (from < text.length) {
    const quote = text.indexOf('"', from)
    const end = quote < 0 ? text.length : quote
    for (let offset = from; offset < end; offset++) if (text.charCodeAt(offset) === COLON) count++
    from = quote < 0 ? end : findStringEnd(text, quote)
  }
  return count
}

/** Returns the offset after the string that begins at `start`. */
function findStringEnd(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1)
  while (isEscaped(text, quote)) quote = text.indexOf('"', quote + 1)
  return quote + 1
}

function isEscaped(text: string, offset: number): boolean {
  let slashes = 0
  while (text[offset - 1 - slashes] === '\\') slashes++
  return slashes % 2 === 1
}
