import { lazily } from './lazily.ts'
import { madeOf, whenMade } from './schemas/deferred.ts'
import * as z from './zod.ts'

/** What a schema rule adds to the message of a problem. */
export interface RuleParams {
  readonly code: 'missing-key' | 'two-spellings' | 'out-of-range' | 'bad-arguments' | 'wrong-type' | 'duplicate-name'
  readonly hint?: string
  readonly part?: 'key' | 'value'
  /** Keys of which one is missing. */
  readonly oneOf?: readonly string[]
}

/** Typed, so that a code that does not exist does not compile. */
export function ruleParams(params: RuleParams): { params: RuleParams } {
  return { params }
}

/** An object with exactly one of the keys, as a rule of zod and of the JSON Schema. */
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

/** An object with at most one of the keys, as a rule of zod and of the JSON Schema. */
export function atMostOne<Schema extends z.ZodObject>(schema: Schema, ...keys: string[]): Schema {
  return schema
    .superRefine((value, context) => {
      const [first, second] = keys.filter(key => (value as Record<string, unknown>)[key] !== undefined)
      if (first === undefined || second === undefined) return
      const message = `\`${first}\` and \`${second}\` cannot be used together`
      const rule = ruleParams({ code: 'two-spellings', part: 'key' })
      context.addIssue({ code: 'custom', message, path: [second], ...rule })
    })
    .meta({ not: { anyOf: pairsOf(keys).map(pair => ({ required: pair })) } })
}

function pairsOf(keys: readonly string[]): string[][] {
  return keys.flatMap((key, index) => keys.slice(index + 1).map(other => [key, other]))
}

/** An object with at least one of the keys. */
export function atLeastOne<Schema extends z.ZodObject>(schema: Schema, ...keys: string[]): Schema {
  return schema
    .refine(value => keys.some(key => (value as Record<string, unknown>)[key] !== undefined), {
      error: `nothing to check: give at least one of ${keys.map(key => `\`${key}\``).join(', ')}`,
      ...ruleParams({ code: 'missing-key', oneOf: keys }),
    })
    .meta({ anyOf: keys.map(key => ({ required: [key] })) })
}

/** Hints for values and keys that other formats use in this place. */
export interface ShapeHints {
  /** By unknown key. */
  readonly keys?: Readonly<Record<string, string>>
  /** For any other unknown key. */
  readonly otherKeys?: string
  /** For a value of the wrong type; a missing one is undefined. */
  readonly value?: (found: unknown) => string | undefined
}

const HINTS = new WeakMap<object, ShapeHints>()

/** Attaches hints to a schema. Call it last: methods that return a new schema, such as `describe`, lose them. */
export function withHints<Schema extends z.ZodType>(schema: Schema, hints: ShapeHints): Schema {
  const hinted = whenMade(schema, made => {
    HINTS.set(made, hints)
    return made
  })
  HINTS.set(hinted, hints)
  return hinted
}

export function hintsOf(schema: z.ZodType): ShapeHints | undefined {
  return HINTS.get(schema)
}

/** With the description and other metadata of another schema. */
export function withMetaOf<Schema extends z.ZodType>(schema: Schema, other: z.ZodType): Schema {
  return whenMade(schema, made => made.meta(madeOf(other).meta() ?? {}))
}

/** A string that is not blank. */
export const visibleText = lazily(() => z.string().regex(/\S/, 'must not be blank'))
