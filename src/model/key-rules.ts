import type * as z from 'zod'

/** What a rule of a schema may say about a mistake, beyond its message. */
export interface RuleParams {
  readonly code: 'missing-key' | 'two-spellings' | 'out-of-range' | 'bad-arguments'
  readonly hint?: string
  readonly part?: 'key' | 'value'
  /** Keys of which one is missing. */
  readonly oneOf?: readonly string[]
}

/** Typed, so that a code that does not exist does not compile. */
export function mistake(params: RuleParams): { params: RuleParams } {
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
        context.addIssue({ code: 'custom', message, path, ...mistake({ code: 'missing-key', oneOf: keys }) })
      } else if (present.length > 1) {
        const message = `${names.join(' and ')} cannot be used together`
        context.addIssue({ code: 'custom', message, path, ...mistake({ code: 'two-spellings', part: 'key' }) })
      }
    })
    .meta({ oneOf: keys.map(key => ({ required: [key] })) })
}

/** An object in which at least one of the keys stands. */
export function atLeastOne<Schema extends z.ZodObject>(schema: Schema, ...keys: string[]): Schema {
  return schema
    .refine(value => keys.some(key => (value as Record<string, unknown>)[key] !== undefined), {
      error: `nothing to check: give at least one of ${keys.map(key => `\`${key}\``).join(', ')}`,
      ...mistake({ code: 'missing-key', oneOf: keys }),
    })
    .meta({ anyOf: keys.map(key => ({ required: [key] })) })
}
