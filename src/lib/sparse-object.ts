import * as z from 'zod'
import { lazily } from './lazily.ts'

/** The fields of an object, each with what makes its schema. */
export type FieldMakers = Readonly<Record<string, () => z.ZodType>>

type Shape<Makers extends FieldMakers> = { -readonly [Key in keyof Makers]: ReturnType<Makers[Key]> }

/** The schemas of all fields. */
export function madeFields<Makers extends FieldMakers>(makers: Makers): Shape<Makers> {
  return Object.fromEntries(Object.entries(makers).map(([key, make]) => [key, make()])) as Shape<Makers>
}

/** A value with different keys each time uses the whole schema instead. */
const MOST_SUBSETS = 100

/** A strict object of many fields, of which a value has few: making a schema takes longer than using it once. */
export class SparseObject<Makers extends FieldMakers> {
  readonly keys: readonly string[]
  /** The schema with all fields. */
  readonly whole: () => z.ZodObject<Shape<Makers>, z.core.$strict>
  readonly #makers: Makers
  readonly #required: readonly string[]
  readonly #subsets = new Map<string, z.ZodObject<Shape<Makers>, z.core.$strict>>()
  readonly #made: Record<string, z.ZodType> = {}

  /** All fields that are not `required` must be optional. */
  constructor(makers: Makers, required: readonly (keyof Makers & string)[]) {
    this.keys = Object.keys(makers)
    this.whole = lazily(() => this.#subset(this.keys))
    this.#makers = makers
    this.#required = required
  }

  /** The schema with the required fields and those of a value. A value that it rejects needs the whole one for its errors. */
  for(value: Readonly<Record<string, unknown>>): z.ZodObject<Shape<Makers>, z.core.$strict> {
    const keys = this.keys.filter(key => Object.hasOwn(value, key) || this.#required.includes(key))
    const name = keys.join()
    const known = this.#subsets.get(name)
    if (known) return known
    if (this.#subsets.size === MOST_SUBSETS) return this.whole()
    const made = this.#subset(keys)
    this.#subsets.set(name, made)
    return made
  }

  #subset(keys: readonly string[]): z.ZodObject<Shape<Makers>, z.core.$strict> {
    for (const key of keys) this.#made[key] ??= this.#makers[key]?.() as z.ZodType
    const shape = Object.fromEntries(keys.map(key => [key, this.#made[key]]))
    return z.strictObject(shape as Shape<Makers>)
  }
}
