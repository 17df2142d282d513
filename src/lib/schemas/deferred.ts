import * as zod from 'zod'
import { limited, NO, orDefault, orElse, type Quick, type Rule, refined, ruled, UNSURE, unsure } from './quick.ts'

/** A schema of zod, or one that it makes later. */
export type Part = zod.ZodType | Deferred

/** What is known of a schema without zod. */
interface Known {
  readonly quick?: Quick
  readonly isOmittable?: boolean
  /** What an optional schema is made of. */
  readonly inner?: Deferred
}

/** Number of uses after which compiling a schema, which takes a millisecond or more, pays off. */
const USES_BEFORE_COMPILING = 50

/** Has what a class does not define: that is part of the schema of zod. */
const OfZod = /* @__PURE__ */ (() => {
  function OfZod() {}
  OfZod.prototype = new Proxy({}, { get: (_, name, schema: Deferred) => Reflect.get(schema.made(), name) })
  return OfZod as unknown as new () => object
})()

/**
 * A schema that zod makes only when it is needed: making it takes longer than checking most values. Until then values are
 * checked by `quick`, which knows the usual kinds of schemas, and leaves all errors to zod.
 */
export class Deferred extends OfZod {
  readonly quick: Quick
  /** Whether it may be absent in an object, and then is absent in what the schema of the object returns. */
  readonly isOmittable: boolean
  readonly #known: Known
  readonly #make: () => zod.ZodType
  #made: zod.ZodType | undefined
  #compiled: zod.ZodType | undefined
  #uses = 0

  constructor(make: () => zod.ZodType, known: Known = {}) {
    super()
    this.#make = make
    this.#known = known
    this.quick = known.quick ?? unsure
    this.isOmittable = known.isOmittable ?? false
  }

  /** The schema of zod. */
  made(): zod.ZodType {
    this.#made ??= this.#make()
    return this.#made
  }

  safeParse(value: unknown, context: zod.core.ParseContext<zod.core.$ZodIssue> = {}): zod.ZodSafeParseResult<unknown> {
    const data = this.quick(value)
    if (data !== NO && data !== UNSURE) return { success: true, data }
    if (++this.#uses === USES_BEFORE_COMPILING) this.#compiled = zod.compile(this.made())
    // Before that, zod must not generate code either, which it does with the first use.
    return (this.#compiled ?? this.made()).safeParse(value, { ...context, jitless: !this.#compiled })
  }

  parse(value: unknown): unknown {
    const { success, data, error } = this.safeParse(value)
    if (success) return data
    throw error
  }

  /** A schema that zod makes of this one, and that accepts the same. */
  like(edit: (schema: zod.ZodType) => zod.ZodType): Deferred {
    return new Deferred(() => edit(this.made()), this.#known)
  }

  describe(text: string): Deferred {
    return this.like(schema => schema.describe(text))
  }

  /** Adds metadata; without an argument, returns it. */
  meta(data?: zod.GlobalMeta): Deferred | zod.GlobalMeta | undefined {
    return data ? this.like(schema => schema.meta(data)) : this.made().meta()
  }

  optional(): Deferred {
    return this.#around(schema => schema.optional(), orElse(this.quick, undefined), true)
  }

  nullable(): Deferred {
    return this.#around(schema => schema.nullable(), orElse(this.quick, null), this.isOmittable)
  }

  nullish(): Deferred {
    return this.#around(schema => schema.nullish(), orElse(orElse(this.quick, null), undefined), true)
  }

  default(value: unknown): Deferred {
    return this.#around(schema => schema.default(value), orDefault(this.quick, value), false)
  }

  #around(edit: (schema: zod.ZodType) => zod.ZodType, quick: Quick, isOmittable: boolean): Deferred {
    return new Deferred(() => edit(this.made()), { quick, isOmittable, inner: this })
  }

  unwrap(): Part {
    return this.#known.inner ?? (this.made() as zod.ZodOptional<zod.ZodType>).unwrap()
  }

  transform(rule: Rule): Deferred {
    const quick = ruled(this.quick, rule, 'transform')
    return new Deferred(() => this.made().transform(rule as (value: unknown) => unknown), { quick })
  }

  refine(accepts: (value: never) => unknown, message?: Parameters<zod.ZodType['refine']>[1]): Deferred {
    const edit = (schema: zod.ZodType) => schema.refine(accepts as (value: unknown) => unknown, message)
    return this.checked(edit, quick => refined(quick, accepts))
  }

  superRefine(rule: Rule): Deferred {
    const edit = (schema: zod.ZodType) => schema.superRefine(rule as (value: unknown, problems: object) => void)
    return this.checked(edit, quick => ruled(quick, rule, 'check'))
  }

  min(limit: number, message?: string): Deferred {
    return this.#limited('min', limit, message, size => size >= limit)
  }

  max(limit: number, message?: string): Deferred {
    return this.#limited('max', limit, message, size => size <= limit)
  }

  gt(limit: number, message?: string): Deferred {
    return this.#limited('gt', limit, message, size => size > limit)
  }

  lt(limit: number, message?: string): Deferred {
    return this.#limited('lt', limit, message, size => size < limit)
  }

  /** A limit of a number, or of the length of a text or list. */
  #limited(
    method: 'min' | 'max' | 'gt' | 'lt',
    limit: number,
    message: string | undefined,
    accepts: (size: number) => boolean,
  ): Deferred {
    const edit = (schema: zod.ZodType) => (schema as zod.ZodNumber)[method](limit, message)
    return this.checked(edit, quick => limited(quick, accepts))
  }

  regex(pattern: RegExp, message?: string): Deferred {
    const edit = (schema: zod.ZodType) => (schema as zod.ZodString).regex(pattern, message)
    return this.checked(edit, quick => refined(quick, text => (text as string).search(pattern) >= 0))
  }

  /** With one more check. */
  protected checked(edit: (schema: zod.ZodType) => zod.ZodType, add: (quick: Quick) => Quick): Deferred {
    return new Deferred(() => edit(this.made()), { quick: add(this.quick) })
  }
}

/** A schema that accepts the same, and that is edited when zod has made it. */
export function whenMade<Schema extends zod.ZodType>(schema: Schema, edit: (made: zod.ZodType) => zod.ZodType): Schema {
  const edited = schema instanceof Deferred ? schema.like(edit) : edit(schema)
  return edited as Schema
}

/** The schema of zod behind any schema. */
export function madeOf<Schema extends Part>(schema: Schema): zod.ZodType {
  return schema instanceof Deferred ? schema.made() : schema
}

export function quickOf(schema: Part): Quick {
  return schema instanceof Deferred ? schema.quick : unsure
}
