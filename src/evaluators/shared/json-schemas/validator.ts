import type { Ajv, ErrorObject, Options } from 'ajv'
import { findInexactIntegers } from '../../../lib/json/exact-json.ts'
import { valueAtPointer } from '../../../lib/json/path.ts'
import { formatJson } from '../../../lib/json/stringify.ts'
import { dialectOf } from './dialects.ts'
import { ExactKeywords } from './exact-keywords.ts'
import { subschemas } from './subschemas.ts'

type Matches = (pattern: string, flags: string, text: string) => boolean

/** Describes the problems of a JSON text; empty if it is valid. */
export type SchemaValidator = (json: string) => string[]

/** Maximum number of problems that are reported. */
const MOST_NAMED = 10

/** Creates a validator for a valid schema. `matches` runs patterns. */
export async function schemaValidator(schema: unknown, matches: Matches): Promise<SchemaValidator> {
  const { formats } = await import('./formats.ts')
  const { _ } = await import('ajv')
  const exact = new ExactKeywords()
  const ajv = await ajvFor(schema, {
    formats: formats(matches, exact.requireExact),
    meta: namesMetaSchema(schema),
    validateSchema: false,
    code: { regExp: patternsBy(matches), process: withoutInherited },
  })
  const validate = exact.addTo(ajv, _).compile(schema as object)
  return json => {
    exact.lost = new Map(findInexactIntegers(json).map(({ written }) => [Number(written), written]))
    const value = JSON.parse(json)
    if (validate(value)) return []
    return (validate.errors ?? []).slice(0, MOST_NAMED).map(error => describeMiss(error, value))
  }
}

/** Creates an instance for the dialect of a schema. It accepts unknown keywords: `jsonSchemaProblems` finds them. */
export async function ajvFor(schema: unknown, options: Options): Promise<Ajv> {
  const all: Options = { strict: false, logger: false, allErrors: true, ownProperties: true, ...options }
  return newAjv(dialectOf(schema)?.name, all)
}

async function newAjv(dialect: string | undefined, options: Options): Promise<Ajv> {
  if (dialect === 'draft-07') return new (await import('ajv')).Ajv(options)
  if (dialect === '2019-09') return new (await import('ajv/dist/2019.js')).Ajv2019(options)
  return new (await import('ajv/dist/2020.js')).Ajv2020(options)
}

/** Whether a schema refers to a meta-schema, which is slow to load. */
export function namesMetaSchema(schema: unknown): boolean {
  return [...subschemas(schema)].some(part => /^https?:\/\/json-schema\.org\//.test(String(part.schema.$ref)))
}

/** Patches generated code so that `constructor` does not count as an evaluated property. */
function withoutInherited(code: string): string {
  return code.replaceAll(/(\bprops\d+ = (?:props\d+ \|\| )?)\{\}/g, '$1Object.create(null)')
}

/** Runs the patterns of a schema with `matches`. */
function patternsBy(matches: Matches) {
  const regExp = (pattern: string, flags: string) => ({ test: (text: string) => matches(pattern, flags, text) })
  return Object.assign(regExp, { code: '' })
}

/** Describes a validation error: `/price must be number, found "12"`. */
function describeMiss({ instancePath, keyword, message, params }: ErrorObject, value: unknown): string {
  const name = instancePath === '' ? 'the value' : instancePath
  const said = `${name} ${message ?? 'is not valid'}${describeDetail(params)}`
  const found = valueAtPointer(value, instancePath)
  return IS_ABOUT_KEYS.has(keyword) || !found ? said : `${said}, found ${formatJson(found.value, 100)}`
}

/** Keywords whose message names the key, so that the value is not needed. */
const IS_ABOUT_KEYS = new Set(['required', 'additionalProperties', 'unevaluatedProperties', 'dependentRequired'])

/** Names the property or the values that a message is about. */
export function describeDetail({
  additionalProperty,
  unevaluatedProperty,
  allowedValues,
  allowedValue,
}: Record<string, unknown>) {
  const property = additionalProperty ?? unevaluatedProperty
  if (property !== undefined) return `: ${formatJson(property)}`
  const allowed = allowedValues ?? allowedValue
  return allowed === undefined ? '' : `: ${formatJson(allowed)}`
}
