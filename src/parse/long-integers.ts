import { isMapping } from '../lib/is-mapping.ts'
import type { Mistakes } from './mistakes.ts'
import type { SourceNode } from './source-node.ts'

const INTEGER = /^[-+]?(?:\d+|0x[\da-f]+|0o[0-7]+)$/i

/** Reports integers that are read as another number: beyond 2^53, not each has a number of its own. */
export function reportLongIntegers(value: unknown, at: SourceNode, mistakes: Mistakes): void {
  if (at.hasLongDigits()) report(value, at, mistakes)
}

function report(value: unknown, at: SourceNode, mistakes: Mistakes): void {
  if (typeof value === 'number') reportNumber(value, at, mistakes)
  else if (Array.isArray(value)) for (const [index, item] of value.entries()) report(item, at.child(index), mistakes)
  else if (isMapping(value)) for (const key of Object.keys(value)) report(value[key], at.child(key), mistakes)
}

function reportNumber(value: number, at: SourceNode, mistakes: Mistakes): void {
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return
  const written = at.written() ?? ''
  if (!INTEGER.test(written)) return
  const message = `${written} is beyond 2^53: it is read as ${BigInt(value)}, as are other integers near it`
  mistakes.add({ code: 'long-integer', at, message, hint: 'put it in quotes, and compare it as text' })
}
