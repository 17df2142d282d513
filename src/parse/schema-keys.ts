import type { z } from 'zod'

/** The keys that a schema knows at a path; those of every branch where it has several. */
export function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  const [step, ...rest] = path
  const parts = unwrapped(schema)
  if (step === undefined) return [...new Set(parts.flatMap(part => Object.keys(shapeOf(part))))]
  return [...new Set(parts.flatMap(part => inner(part, step).flatMap(next => keysAt(next, rest))))]
}

type AnyDef = {
  type: string
  shape?: Record<string, z.ZodType>
  element?: z.ZodType
  valueType?: z.ZodType
  innerType?: z.ZodType
  in?: z.ZodType
  options?: readonly z.ZodType[]
  getter?: () => z.ZodType
}

function defOf(schema: z.ZodType): AnyDef {
  return schema._zod.def as unknown as AnyDef
}

/** The object, list and map schemas behind unions, defaults, pipes and the like. */
function unwrapped(schema: z.ZodType): z.ZodType[] {
  const { type, options, innerType, getter, in: input } = defOf(schema)
  if (type === 'union') return (options ?? []).flatMap(unwrapped)
  const wrapped = innerType ?? (type === 'pipe' ? input : undefined) ?? getter?.()
  return wrapped ? unwrapped(wrapped) : [schema]
}

function shapeOf(schema: z.ZodType): Record<string, z.ZodType> {
  return defOf(schema).shape ?? {}
}

function inner(schema: z.ZodType, step: PropertyKey): z.ZodType[] {
  const { element, valueType } = defOf(schema)
  const next = typeof step === 'number' ? element : (shapeOf(schema)[String(step)] ?? valueType)
  return next ? [next] : []
}
