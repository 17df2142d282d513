import type { Part } from '../../../model/location.ts'
import type { SchemaPath } from './subschemas.ts'

/** What is wrong with a JSON Schema, and where in it. */
export interface SchemaProblem {
  readonly path: SchemaPath
  readonly part?: Part
  readonly message: string
  readonly hint?: string
}
