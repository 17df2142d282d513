import { type Deferred, madeOf } from '../../../src/lib/schemas/deferred.ts'
import type * as z from '../../../src/lib/zod.ts'

/** What a schema makes of a value without zod. */
export function quick(schema: z.ZodType, value: unknown): unknown {
  return (schema as unknown as Deferred).quick(value)
}

/** What zod makes of it, with keys in the same order. */
export function ofZod(schema: z.ZodType, value: unknown): string | undefined {
  const { success, data } = madeOf(schema).safeParse(value)
  return success ? written(data) : undefined
}

export function written(value: unknown): string {
  return JSON.stringify(value, (_, part) => (part === undefined ? '(undefined)' : part)) ?? '(undefined)'
}
