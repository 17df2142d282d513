import { deepEqual, isMapping } from '../objects.ts'
import { formatJson } from './stringify.ts'

/** A path at which two values differ; a side without a value there is absent. */
export interface JsonDifference {
  readonly path: string
  readonly found?: { readonly value: unknown }
  readonly expected?: { readonly value: unknown }
}

/** Deeper values are compared as one. */
const DEEPEST = 20

/** Compares two JSON values leaf by leaf. */
export function jsonDifferences(found: unknown, expected: unknown, path = '', depth = 0): JsonDifference[] {
  const areLists = Array.isArray(found) && Array.isArray(expected)
  if (depth < DEEPEST && (areLists || (isMapping(found) && isMapping(expected)))) {
    const [a, b] = [new Map(Object.entries(found)), new Map(Object.entries(expected))]
    return [...new Set([...b.keys(), ...a.keys()])].flatMap(key => {
      const at = areLists ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`
      if (a.has(key) && b.has(key)) return jsonDifferences(a.get(key), b.get(key), at, depth + 1)
      return [b.has(key) ? { path: at, expected: { value: b.get(key) } } : { path: at, found: { value: a.get(key) } }]
    })
  }
  return deepEqual(found, expected) ? [] : [{ path, found: { value: found }, expected: { value: expected } }]
}

/** The number of differences in a message. */
const MOST_NAMED = 3

/** `customer.id is 7, expected 8; note is missing, expected "x"; and 2 more differences`. */
export function formatDifferences(differences: readonly JsonDifference[]): string {
  const more = differences.length - MOST_NAMED
  return [
    ...differences.slice(0, MOST_NAMED).map(differenceText),
    ...(more > 0 ? [`and ${more} more ${more === 1 ? 'difference' : 'differences'}`] : []),
  ].join('; ')
}

function differenceText({ path, found, expected }: JsonDifference): string {
  const name = path === '' ? 'the value' : path
  if (!expected) return `${name} is ${formatJson(found?.value, 100)}, not expected`
  const wanted = `expected ${formatJson(expected.value, 100)}`
  return found ? `${name} is ${formatJson(found.value, 100)}, ${wanted}` : `${name} is missing, ${wanted}`
}
