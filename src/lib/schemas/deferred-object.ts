import type * as zod from 'zod'
import { Deferred, madeOf, type Part } from './deferred.ts'
import { type Field, mappingOf, type OtherKeys, onDemand, type Quick, unsure } from './quick.ts'

export type Shape = Readonly<Record<string, Part>>

/** What is known of the schema of an object without zod. */
interface KnownObject {
  readonly shape: Shape
  readonly others: OtherKeys
  /** Adds the rules for the object as a whole. */
  readonly rule?: (quick: Quick) => Quick
}

/** The schema of an object that zod makes when it is needed. */
export class DeferredObject extends Deferred {
  readonly #known: KnownObject

  constructor(make: () => zod.ZodType, known: KnownObject) {
    const { shape, others, rule = (quick: Quick) => quick } = known
    super(make, { quick: onDemand(() => rule(mappingOf(fieldsOf(shape), others))) })
    this.#known = known
  }

  get shape(): Shape {
    return this.#known.shape
  }

  override like(edit: (schema: zod.ZodType) => zod.ZodType): Deferred {
    return new DeferredObject(() => edit(this.made()), this.#known)
  }

  protected override checked(edit: (schema: zod.ZodType) => zod.ZodType, add: (quick: Quick) => Quick): Deferred {
    const { rule = (quick: Quick) => quick } = this.#known
    return new DeferredObject(() => edit(this.made()), { ...this.#known, rule: quick => add(rule(quick)) })
  }

  extend(more: Shape): Deferred {
    return this.#reshaped(schema => schema.extend(madeShape(more)), { ...this.shape, ...more })
  }

  pick(keys: Readonly<Record<string, true>>): Deferred {
    return this.#reshaped(
      schema => schema.pick(keys),
      this.#fields(key => Object.hasOwn(keys, key)),
    )
  }

  omit(keys: Readonly<Record<string, true>>): Deferred {
    return this.#reshaped(
      schema => schema.omit(keys),
      this.#fields(key => !Object.hasOwn(keys, key)),
    )
  }

  #fields(isWanted: (key: string) => boolean): Shape {
    return Object.fromEntries(Object.entries(this.shape).filter(([key]) => isWanted(key)))
  }

  /** With other fields. What zod does with the rules of the object then depends on the fields. */
  #reshaped(edit: (schema: zod.ZodObject) => zod.ZodObject, shape: Shape): Deferred {
    const make = () => edit(this.made() as zod.ZodObject)
    return this.#known.rule ? new Deferred(make) : new DeferredObject(make, { ...this.#known, shape })
  }

  /** With more fields, under the same rules. */
  safeExtend(more: Shape): Deferred {
    const make = () => (this.made() as zod.ZodObject).safeExtend(madeShape(more))
    return new DeferredObject(make, { ...this.#known, shape: { ...this.shape, ...more } })
  }
}

/** The fields as schemas of zod. A schema that contains itself has a getter for that field. */
export function madeShape(shape: Shape): Record<string, zod.ZodType> {
  const made: Record<string, zod.ZodType> = {}
  for (const [key, { get }] of Object.entries(Object.getOwnPropertyDescriptors(shape))) {
    const field = () => madeOf(shape[key] as Part)
    const content = get ? { get: field } : { value: field() }
    Object.defineProperty(made, key, { enumerable: true, configurable: true, ...content })
  }
  return made
}

const UNKNOWN: Field = { quick: unsure, isOmittable: false }

function fieldsOf(shape: Shape): Record<string, Field> {
  const fields = Object.entries(shape).map(([key, part]) => [key, part instanceof Deferred ? part : UNKNOWN])
  return Object.fromEntries(fields)
}
