import { isMapping } from '../../../lib/objects.ts'
import type { Part } from '../../../model/location.ts'

type SchemaPath = readonly (string | number)[]

/** A mapping inside a schema that is a schema, and its path. */
export interface Subschema {
  readonly schema: Readonly<Record<string, unknown>>
  readonly path: SchemaPath
}

/** Yields a schema and every schema in it, outer ones first. */
export function* subschemas(schema: unknown, path: SchemaPath = []): Generator<Subschema> {
  if (!isMapping(schema)) return
  yield { schema, path }
  for (const [keyword, value] of Object.entries(schema)) {
    if (ONE.has(keyword)) yield* subschemas(value, [...path, keyword])
    if (LISTS.has(keyword) && Array.isArray(value)) yield* each(value.entries(), [...path, keyword])
    if (MAPPINGS.has(keyword) && isMapping(value)) yield* each(Object.entries(value), [...path, keyword])
  }
}

function* each(parts: Iterable<[string | number, unknown]>, path: SchemaPath): Generator<Subschema> {
  for (const [name, part] of parts) yield* subschemas(part, [...path, name])
}

/** Keywords whose value is a schema. */
const ONE: ReadonlySet<string> = new Set([
  ...['items', 'additionalItems', 'contains', 'unevaluatedItems', 'additionalProperties', 'unevaluatedProperties'],
  ...['propertyNames', 'not', 'if', 'then', 'else', 'contentSchema'],
])

/** Keywords whose value is a list of schemas. */
const LISTS: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'])

/** Keywords whose value has schemas by name. */
const MAPPINGS: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'dependentSchemas', 'dependencies', '$defs', 'definitions'],
])

/** A problem of a JSON Schema, and its path. */
export interface SchemaProblem {
  readonly path: SchemaPath
  readonly part?: Part
  readonly message: string
  readonly hint?: string
}
