import { quoteCode } from '../../lib/text/quote.ts'
import type { Fields } from '../fields.ts'
import type { ImportContext } from '../format.ts'
import { literal } from '../matrix/fill-variables.ts'
import type { Written } from '../written.ts'

/** Fields that all checks share, with the names that AgentV has for them. */
export const SHARED_KEYS = ['type', 'name', 'metric', 'id', 'weight', 'required', 'negate', 'description']

/** A check with the same keys here; others are noted. */
export function withoutKeys(
  written: Written,
  type: string,
  keys: readonly string[],
  notes: ImportContext['notes'],
): Fields {
  const fields = written.entries().filter(([key]) => !SHARED_KEYS.includes(key))
  for (const [key, { at }] of fields)
    if (!keys.includes(key)) notes.leftOut(at, `the key ${quoteCode(key)} of a check`, 'key')
  return {
    type,
    ...literal(
      Object.fromEntries(fields.filter(([key]) => keys.includes(key)).map(([key, { value }]) => [key, value])),
    ),
  }
}
