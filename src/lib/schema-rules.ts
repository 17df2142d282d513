import * as z from 'zod'

/** What a rule of a schema may say about a mistake, beyond its message. */
export interface RuleParams {
  readonly code: 'missing-key' | 'two-spellings' | 'out-of-range' | 'bad-arguments'
  readonly hint?: string
  readonly part?: 'key' | 'value'
  /** Keys of which one is missing. */
  readonly oneOf?: readonly string[]
}

/** Typed, so that a code that does not exist does not compile. */
export function ruleParams(params: RuleParams): { params: RuleParams } {
  return { params }
}

/** An object in which one of the keys stands, and only one; said to zod and to the JSON Schema alike. */
export function exactlyOne<Schema extends z.ZodObject>(schema: Schema, ...keys: string[]): Schema {
  const names = keys.map(key => `\`${key}\``)
  return schema
    .superRefine((value, context) => {
      const present = keys.filter(key => (value as Record<string, unknown>)[key] !== undefined)
      const path = present.slice(1, 2)
      if (present.length === 0) {
        const message = `one of ${names.join(', ')} is missing`
        context.addIssue({ code: 'custom', message, path, ...ruleParams({ code: 'missing-key', oneOf: keys }) })
      } else if (present.length > 1) {
        const message = `${names.join(' and ')} cannot be used together`
        context.addIssue({ code: 'custom', message, path, ...ruleParams({ code: 'two-spellings', part: 'key' }) })
      }
    })
    .meta({ oneOf: keys.map(key => ({ required: [key] })) })
}

/** An object in which at least one of the keys stands. */
export function atLeastOne<Schema extends z.ZodObject>(schema: Schema, ...keys: string[]): Schema {
  return schema
    .refine(value => keys.some(key => (value as Record<string, unknown>)[key] !== undefined), {
      error: `nothing to check: give at least one of ${keys.map(key => `\`${key}\``).join(', ')}`,
      ...ruleParams({ code: 'missing-key', oneOf: keys }),
    })
    .meta({ anyOf: keys.map(key => ({ required: [key] })) })
}

/** What to write instead, for what other formats write where a schema stands. */
export interface ShapeHints {
  /** By a key that the schema does not have. */
  readonly keys?: Readonly<Record<string, string>>
  /** For any other key that it does not have. */
  readonly otherKeys?: string
  /** For a value of the wrong type; a missing one is undefined. */
  readonly value?: (found: unknown) => string | undefined
}

const REGISTRY = z.registry<ShapeHints>()

/** The schema with hints. Methods that make another schema of it, such as `describe`, leave them behind: call this last. */
export function withHints<Schema extends z.ZodType>(schema: Schema, hints: ShapeHints): Schema {
  REGISTRY.add(schema, hints)
  return schema
}

export function hintsOf(schema: z.ZodType): ShapeHints | undefined {
  return REGISTRY.get(schema)
}

/** Text with something in it to see. */
export const visibleText = z.string().regex(/\S/, 'must not be blank')
