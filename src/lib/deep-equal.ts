import { isMapping } from './is-mapping.ts'

/** Whether two values of JSON are the same, whatever the order of their keys. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => deepEqual(item, b[index]))
  }
  if (!isMapping(a) || !isMapping(b)) return a === b
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every(key => Object.hasOwn(b, key) && deepEqual(a[key], b[key]))
}
