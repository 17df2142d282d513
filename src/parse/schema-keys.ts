import type * as z from 'zod'

/** The keys that a schema knows at a path; where it has several branches, those of the branches that the value can mean. */
export function keysAt(schema: z.ZodType, path: readonly PropertyKey[], value: unknown): string[] {
  const [step, ...rest] = path
  const parts = unwrapped(schema)
  if (step !== undefined)
    return [...new Set(parts.flatMap(part => inner(part, step).flatMap(next => keysAt(next, rest, value))))]
  return [...new Set(parts.filter(part => canMean(part, value)).flatMap(part => Object.keys(shapeOf(part))))]
}

/** Whether no field that is a fixed word, as `role` and `type` are, says otherwise. */
function canMean(schema: z.ZodType, value: unknown): boolean {
  return Object.entries(shapeOf(schema)).every(([key, field]) => {
    const { values } = defOf(field)
    return values === undefined || values.includes((value as Record<string, unknown>)[key])
  })
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
  values?: unknown[]
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
