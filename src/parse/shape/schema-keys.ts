import { hintsOf, type ShapeHints } from '../../lib/schema-rules.ts'
import type * as z from '../../lib/zod.ts'

/** Returns the hints of the schemas at a path, including those of unions and wrappers. */
export function hintsAt(schema: z.ZodType, path: readonly PropertyKey[]): ShapeHints[] {
  const [step, ...rest] = path
  const layers = layersOf(schema)
  if (step === undefined) return layers.flatMap(layer => hintsOf(layer) ?? [])
  return layers.flatMap(layer => inner(layer, step).flatMap(next => hintsAt(next, rest)))
}

/** Returns the keys of the schema at a path. Of a union, only the branches that match the value best count. */
export function keysAt(schema: z.ZodType, path: readonly PropertyKey[], value: unknown): string[] {
  const [step, ...rest] = path
  const parts = unwrapped(schema)
  if (step !== undefined)
    return [...new Set(parts.flatMap(part => inner(part, step).flatMap(next => keysAt(next, rest, value))))]
  const possible = parts.filter(part => canMean(part, value)).map(part => Object.keys(shapeOf(part)))
  const shared = possible.map(keys => keys.filter(key => Object.hasOwn(value as object, key)).length)
  const most = Math.max(...shared)
  return [...new Set(possible.filter((_, index) => shared[index] === most).flat())]
}

/** Whether the literal fields of a schema, such as `role` and `type`, match the value. */
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

/** Returns the object, list and map schemas inside unions, defaults and pipes. */
function unwrapped(schema: z.ZodType): z.ZodType[] {
  return layersOf(schema).filter(layer => insideOf(layer).length === 0)
}

/** Returns a schema and all schemas that it wraps. */
function layersOf(schema: z.ZodType): z.ZodType[] {
  return [schema, ...insideOf(schema).flatMap(layersOf)]
}

function insideOf(schema: z.ZodType): readonly z.ZodType[] {
  const { type, options, innerType, getter, in: input } = defOf(schema)
  if (type === 'union') return options ?? []
  const wrapped = innerType ?? (type === 'pipe' ? input : undefined) ?? getter?.()
  return wrapped ? [wrapped] : []
}

function shapeOf(schema: z.ZodType): Record<string, z.ZodType> {
  return defOf(schema).shape ?? {}
}

function inner(schema: z.ZodType, step: PropertyKey): z.ZodType[] {
  const { element, valueType } = defOf(schema)
  const next = typeof step === 'number' ? element : (shapeOf(schema)[String(step)] ?? valueType)
  return next ? [next] : []
}
