import type { z } from 'zod'

/** An object in which one of the keys stands, and only one; said to zod and to the JSON Schema alike. */
export function exactlyOne<Schema extends z.ZodObject>(schema: Schema, ...keys: string[]): Schema {
  const names = keys.map(key => `\`${key}\``)
  return schema
    .superRefine((value, context) => {
      const present = keys.filter(key => (value as Record<string, unknown>)[key] !== undefined)
      if (present.length === 1) return
      const message =
        present.length === 0 ? `one of ${names.join(', ')} is missing` : `${names.join(' and ')} exclude each other`
      const code = present.length === 0 ? 'missing-key' : 'two-spellings'
      context.addIssue({
        code: 'custom',
        message,
        params: { code, part: 'key', oneOf: keys },
        path: present.slice(1, 2),
      })
    })
    .meta({ oneOf: keys.map(key => ({ required: [key] })) })
}

/** An object in which at least one of the keys stands. */
export function atLeastOne<Schema extends z.ZodObject>(schema: Schema, ...keys: string[]): Schema {
  return schema
    .refine(value => keys.some(key => (value as Record<string, unknown>)[key] !== undefined), {
      error: `nothing to check: give at least one of ${keys.map(key => `\`${key}\``).join(', ')}`,
      params: { code: 'missing-key', oneOf: keys },
    })
    .meta({ anyOf: keys.map(key => ({ required: [key] })) })
}
