// Zod, as our schemas use it: its types, and the functions that make schemas. What these return has the type of a schema of
// zod, and becomes one when it is needed (`schemas/deferred.ts`).
import * as zod from 'zod'
import { Deferred, madeOf, type Part, quickOf } from './schemas/deferred.ts'
import { DeferredObject, madeShape, type Shape } from './schemas/deferred-object.ts'
import { anyOf, listOf, NO, onDemand, oneOf, type Quick, recordOf, tupleOf, unsure } from './schemas/quick.ts'

export type * from 'zod'
export { globalRegistry, registry } from 'zod'

const text: Quick = value => (typeof value === 'string' ? value : NO)
const finite: Quick = value => (Number.isFinite(value) ? value : NO)
const whole: Quick = value => (Number.isSafeInteger(value) ? value : NO)
const truth: Quick = value => (typeof value === 'boolean' ? value : NO)
const nothing: Quick = value => (value === null ? value : NO)
const anything: Quick = value => value

export const string = (() => new Deferred(() => zod.string(), { quick: text })) as unknown as () => zod.ZodString

export const number = (() => new Deferred(() => zod.number(), { quick: finite })) as unknown as () => zod.ZodNumber

export const int = (() => new Deferred(() => zod.int(), { quick: whole })) as unknown as () => zod.ZodInt

export const boolean = (() => new Deferred(() => zod.boolean(), { quick: truth })) as unknown as () => zod.ZodBoolean

export const unknown = (() => new Deferred(() => zod.unknown(), { quick: anything })) as unknown as () => zod.ZodUnknown

export const any = (() => new Deferred(() => zod.any(), { quick: anything })) as unknown as () => zod.ZodAny

const nullSchema = (() => new Deferred(() => zod.null(), { quick: nothing })) as unknown as () => zod.ZodNull

export { nullSchema as null }

/** A time in ISO 8601. */
export const datetime = ((options: zod.core.$ZodISODateTimeParams) =>
  new Deferred(() => zod.iso.datetime(options))) as unknown as typeof zod.iso.datetime

/** A day, `YYYY-MM-DD`. Without the keyword `format` of JSON Schema, which many validators do not know. */
export const day = ((message: string) =>
  new Deferred(() => zod.string().regex(zod.regexes.date, message))) as unknown as (message: string) => zod.ZodString

/** The messages of a schema. */
type Messages = { error?: string }

export const literal = ((value: zod.core.util.Literal | readonly zod.core.util.Literal[], messages?: Messages) => {
  const values = [value].flat()
  return new Deferred(() => zod.literal(values, messages), { quick: oneOf(values) })
}) as unknown as typeof zod.literal

const enumSchema = ((values: readonly string[], messages?: Messages) =>
  new Deferred(() => zod.enum(values, messages), { quick: oneOf(values) })) as unknown as typeof zod.enum

export { enumSchema as enum }

export const array = ((element: Part, messages?: Messages) => {
  const quick = listOf(quickOf(element))
  return new Deferred(() => zod.array(madeOf(element), messages), { quick })
}) as unknown as typeof zod.array

export const tuple = ((elements: readonly [Part, ...Part[]], rest?: Part) => {
  const made = () => elements.map(madeOf) as [zod.ZodType, ...zod.ZodType[]]
  if (rest) return new Deferred(() => zod.tuple(made(), madeOf(rest)))
  return new Deferred(() => zod.tuple(made()), { quick: tupleOf(elements.map(quickOf)) })
}) as unknown as typeof zod.tuple

export const record = ((key: Part, value: Part, messages?: Messages) => {
  const quick = quickOf(key) === text ? recordOf(quickOf(value)) : unsure
  return new Deferred(() => zod.record(madeOf(key) as zod.ZodString, madeOf(value), messages), { quick })
}) as unknown as typeof zod.record

export const union = ((options: readonly Part[], messages?: Messages) => {
  const quick = anyOf(options.map(quickOf))
  return new Deferred(() => zod.union(options.map(madeOf), messages), { quick })
}) as unknown as typeof zod.union

export const discriminatedUnion = ((key: string, options: readonly Part[], messages?: Messages) => {
  const made = () => options.map(madeOf) as unknown as [zod.ZodObject]
  const quick = anyOf(options.map(quickOf))
  return new Deferred(() => zod.discriminatedUnion(key, made(), messages), { quick })
}) as unknown as typeof zod.discriminatedUnion

export const object = ((shape: Shape = {}, messages?: Messages) =>
  new DeferredObject(() => zod.object(madeShape(shape), messages), {
    shape,
    others: 'drop',
  })) as unknown as typeof zod.object

export const strictObject = ((shape: Shape, messages?: Messages) => {
  const make = () => zod.strictObject(madeShape(shape), messages)
  return new DeferredObject(make, { shape, others: 'reject' })
}) as unknown as typeof zod.strictObject

export const looseObject = ((shape: Shape, messages?: Messages) => {
  const make = () => zod.looseObject(madeShape(shape), messages)
  return new DeferredObject(make, { shape, others: 'keep' })
}) as unknown as typeof zod.looseObject

export const lazy = ((schema: () => Part) => {
  const quick = onDemand(() => quickOf(schema()))
  return new Deferred(() => zod.lazy(() => madeOf(schema())), { quick })
}) as unknown as typeof zod.lazy

export const toJSONSchema = ((schema: Part, options: zod.core.ToJSONSchemaParams) =>
  zod.toJSONSchema(madeOf(schema), options)) as typeof zod.toJSONSchema
