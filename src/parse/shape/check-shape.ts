import type * as z from '../../lib/zod.ts'
import type { Origin } from '../../model/location.ts'
import type { Diagnostics } from '../diagnostics.ts'
import { shapeDiagnostics } from './shape-diagnostics.ts'

const NONE: ReadonlySet<string> = new Set()

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
  const result = schema.safeParse(value, { reportInput: true })
  if (result.success) return result.data
  for (const { path, ...diagnostic } of shapeDiagnostics(result.error.issues, schema)) {
    const isReported = diagnostic.code === 'missing-key' && path.length === 1 && suggested.has(String(path[0]))
    if (!isReported) diagnostics.add({ ...diagnostic, at: at.child(...path) })
  }
  return undefined
}
