import * as z from 'zod'
import type { Origin } from '../../model/location.ts'
import type { Diagnostics } from '../diagnostics.ts'
import { shapeDiagnostics } from './shape-diagnostics.ts'

const NONE: ReadonlySet<string> = new Set()

/**
 * A value under a schema, with defaults filled in and shorthand expanded; undefined after at least one mistake.
 * That a key is missing is not said where a misspelt one means it.
 */
export function checkShape<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  at: Origin,
  mistakes: Diagnostics,
  meant: ReadonlySet<string> = NONE,
): z.output<Schema> | undefined {
  const result = quickest(schema).safeParse(value, { reportInput: true })
  if (result.success) return result.data
  for (const { path, ...mistake } of shapeDiagnostics(result.error.issues, schema)) {
    const said = mistake.code === 'missing-key' && path.length === 1 && meant.has(String(path[0]))
    if (!said) mistakes.add({ ...mistake, at: at.child(...path) })
  }
  return undefined
}

/** A schema is worth compiling, which takes a millisecond or more, once it has been used this often. */
const USES_BEFORE_COMPILING = 50

const SCHEMAS = new WeakMap<z.ZodType, { uses: number; best: z.ZodType }>()

function quickest<Schema extends z.ZodType>(schema: Schema): Schema {
  let entry = SCHEMAS.get(schema)
  if (!entry) {
    entry = { uses: 0, best: schema }
    SCHEMAS.set(schema, entry)
  }
  if (++entry.uses === USES_BEFORE_COMPILING) entry.best = z.compile(schema)
  return entry.best as Schema
}
