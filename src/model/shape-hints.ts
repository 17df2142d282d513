import * as z from 'zod'

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
