import type { Fields } from './keys.ts'
import type { SourceNode } from './source-node.ts'

/** The fields, with numbers and booleans under certain keys as the text that stands in the file. */
export function withVerbatim(fields: Fields, keys: readonly string[], at: SourceNode): Fields {
  const bare = keys.filter(key => [fields[key]].flat().some(isBareScalar))
  if (bare.length === 0) return fields
  return { ...fields, ...Object.fromEntries(bare.map(key => [key, asWritten(fields[key], at.child(key))])) }
}

function isBareScalar(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'boolean'
}

function asWritten(value: unknown, at: SourceNode): unknown {
  if (Array.isArray(value)) return value.map((item, index) => asWritten(item, at.child(index)))
  return isBareScalar(value) ? (at.written() ?? String(value)) : value
}
