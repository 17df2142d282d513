import { isMapping } from '../../lib/objects.ts'
import type { Diagnostics } from '../diagnostics.ts'
import type { SourceNode } from '../yaml/source-node.ts'
import type { Fields } from './normalize-keys.ts'

/** Replaces numbers and booleans under the given keys with their text in the file. */
export function keepVerbatim(fields: Fields, keys: readonly string[], at: SourceNode): Fields {
  const bare = keys.filter(key => hasBareScalar(fields[key]))
  if (bare.length === 0) return fields
  return { ...fields, ...Object.fromEntries(bare.map(key => [key, verbatimValue(fields[key], at.child(key))])) }
}

/** Whether a value is a number or a boolean, or a list with one. */
export function hasBareScalar(value: unknown): boolean {
  return Array.isArray(value) ? value.some(isBareScalar) : isBareScalar(value)
}

function isBareScalar(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'boolean'
}

function verbatimValue(value: unknown, at: SourceNode): unknown {
  if (Array.isArray(value)) return value.map((item, index) => verbatimValue(item, at.child(index)))
  return isBareScalar(value) ? (at.written() ?? String(value)) : value
}

const INTEGER = /^[-+]?(?:\d+|0x[\da-f]+|0o[0-7]+)$/i

/** Reports integers beyond 2^53, which cannot be represented exactly. */
export function reportLongIntegers(value: unknown, at: SourceNode, diagnostics: Diagnostics): void {
  if (at.hasLongDigits()) reportIntegersIn(value, at, diagnostics)
}

function reportIntegersIn(value: unknown, at: SourceNode, diagnostics: Diagnostics): void {
  if (typeof value === 'number') reportLongInteger(value, at, diagnostics)
  else if (Array.isArray(value))
    for (const [index, item] of value.entries()) reportIntegersIn(item, at.child(index), diagnostics)
  else if (isMapping(value))
    for (const key of Object.keys(value)) reportIntegersIn(value[key], at.child(key), diagnostics)
}

function reportLongInteger(value: number, at: SourceNode, diagnostics: Diagnostics): void {
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return
  const written = at.written() ?? ''
  if (!INTEGER.test(written)) return
  const message = `${written} is beyond 2^53, where integers are not exact: it is read as ${BigInt(value)}`
  diagnostics.add({ code: 'long-integer', at, message, hint: 'put it in quotes and compare it as text' })
}
