import * as z from 'zod'
import type { FieldMakers, SparseObject } from '../../lib/sparse-object.ts'
import type { Origin } from '../../model/location.ts'
import type { Diagnostics } from '../diagnostics.ts'
import { shapeDiagnostics } from './shape-diagnostics.ts'

const NONE: ReadonlySet<string> = new Set()

/** Parses a mapping with the schemas of its fields, as `checkShape` does. */
export function checkSparse<Makers extends FieldMakers>(
  object: SparseObject<Makers>,
  fields: Readonly<Record<string, unknown>>,
  at: Origin,
  diagnostics: Diagnostics,
  suggested: ReadonlySet<string> = NONE,
): z.output<ReturnType<SparseObject<Makers>['whole']>> | undefined {
  const result = parse(object.for(fields), fields)
  return result.success ? result.data : checkShape(object.whole(), fields, at, diagnostics, suggested)
}

/**
 * Parses a value with a schema and reports every issue; returns undefined if there are any.
 * Keys in `suggested` are not reported as missing: a misspelt key resembles them.
 */
export function checkShape<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  at: Origin,
  diagnostics: Diagnostics,
  suggested: ReadonlySet<string> = NONE,
): z.output<Schema> | undefined {
  const result = parse(schema, value)
  if (result.success) return result.data
  for (const { path, ...diagnostic } of shapeDiagnostics(result.error.issues, schema)) {
    const isReported = diagnostic.code === 'missing-key' && path.length === 1 && suggested.has(String(path[0]))
    if (!isReported) diagnostics.add({ ...diagnostic, at: at.child(...path) })
  }
  return undefined
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown) {
  const best = quickest(schema)
  // Before that, zod must not generate code either, which it does with the first use.
  return best.safeParse(value, { reportInput: true, jitless: best === schema })
}

/** Number of uses after which compiling a schema, which takes a millisecond or more, pays off. */
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
