import type { Ajv, ErrorObject } from 'ajv'
import { valueAtPointer } from '../../../lib/json/path.ts'
import { isMapping, isNestedWithin } from '../../../lib/objects.ts'
import { quoteCode } from '../../../lib/text/quote.ts'
import { DIALECTS, type Dialect, dialectOf } from './dialects.ts'
import { keywordProblems } from './keyword-problems.ts'
import { type SchemaProblem, type Subschema, subschemas } from './subschemas.ts'
import { ajvFor, describeDetail, namesMetaSchema } from './validator.ts'

/** Maximum depth of a schema. */
const DEEPEST = 200

/** Problems of a value as a JSON Schema. */
export async function jsonSchemaProblems(schema: unknown): Promise<SchemaProblem[]> {
  if (typeof schema !== 'boolean' && !isMapping(schema))
    return [{ path: [], message: 'a JSON Schema must be a mapping' }]
  if (!isNestedWithin(schema, DEEPEST)) return [{ path: [], message: 'it is nested too deeply' }]
  const dialect = dialectOf(schema)
  if (!dialect) return [unsupportedDialect(Object(schema).$schema)]
  const found = [...(await shapeProblems(schema, dialect)), ...(await keywordProblems(schema, dialect))]
  return found.length > 0 ? found : await referenceProblems(schema)
}

function unsupportedDialect(named: unknown): SchemaProblem {
  const addresses = DIALECTS.map(({ address }) => address)
  const hint = `use ${addresses.slice(0, -1).join(', ')} or ${addresses.at(-1)}`
  return { path: ['$schema'], message: `unsupported dialect ${quoteCode(named)}`, hint }
}

/** One instance per dialect, because loading a meta-schema is slow. */
const checkers = new Map<Dialect, Promise<Ajv>>()

/** Problems under the meta-schema of the dialect, one per location. */
async function shapeProblems(schema: unknown, dialect: Dialect): Promise<SchemaProblem[]> {
  const checker = checkers.get(dialect) ?? ajvFor({ $schema: dialect.address }, { validateFormats: false })
  checkers.set(dialect, checker)
  const ajv = await checker
  if (ajv.validateSchema(schema as object)) return []
  const places = new Map<string, ErrorObject>()
  for (const error of ajv.errors ?? []) if (!places.has(error.instancePath)) places.set(error.instancePath, error)
  return [...places.values()]
    .filter(error => !isAbove(error, [...places.keys()]))
    .map(error => problemOf(error, schema))
}

/** Whether an error only repeats one at a deeper location. */
function isAbove({ instancePath }: ErrorObject, places: readonly string[]): boolean {
  return places.some(place => place.startsWith(`${instancePath}/`))
}

function problemOf({ instancePath, message, params }: ErrorObject, schema: unknown): SchemaProblem {
  const path: (string | number)[] = []
  let value = schema
  for (const written of instancePath.split('/').slice(1)) {
    const step = written.replaceAll('~1', '/').replaceAll('~0', '~')
    path.push(Array.isArray(value) ? Number(step) : step)
    value = Object(value)[step]
  }
  const keyword = path.findLast(step => typeof step === 'string')
  const subject = keyword === undefined ? 'it' : `\`${keyword}\``
  return { path, message: `${subject} ${message ?? 'is not valid'}${describeDetail(params)}` }
}

/** References that cannot be resolved, or that are circular. */
async function referenceProblems(schema: unknown): Promise<SchemaProblem[]> {
  const circles = [...subschemas(schema)].filter(part => isCircle(part, schema))
  if (circles.length > 0)
    return circles.map(({ path, schema: { $ref } }) => {
      return { path: [...path, '$ref'], message: `${quoteCode(String($ref))} is a circular reference` }
    })
  const ajv = await ajvFor(schema, { validateFormats: false, validateSchema: false, meta: namesMetaSchema(schema) })
  try {
    ajv.compile(schema as object)
    return []
  } catch (error) {
    const { message, missingRef } = error as Error & { missingRef?: string }
    if (missingRef === undefined) return [{ path: [], message }]
    const refers = ({ schema: { $ref } }: Subschema) => typeof $ref === 'string' && missingRef.endsWith($ref)
    const at = [...subschemas(schema)].find(refers)
    const written = String(at?.schema.$ref ?? missingRef)
    return [{ path: [...(at?.path ?? []), '$ref'], ...lostReference(written) }]
  }
}

/** Whether the references of a schema lead back to it. */
function isCircle({ schema }: Subschema, root: unknown): boolean {
  let part: unknown = schema
  const seen = new Set<unknown>()
  while (isMapping(part) && typeof part.$ref === 'string' && part.$ref.startsWith('#')) {
    if (seen.has(part)) return part === schema
    seen.add(part)
    part = valueAtPointer(root, unescaped(part.$ref.slice(1)))?.value
  }
  return false
}

/** Decodes the fragment of a URI; returns it unchanged if it is not validly encoded. */
function unescaped(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

function lostReference(written: string): Pick<SchemaProblem, 'message' | 'hint'> {
  const message = `${quoteCode(written)} is not in this schema`
  if (written.startsWith('#')) return { message }
  const hint = 'copy it into `$defs` and refer to `#/$defs/NAME`'
  return { message: `${message}, and remote schemas are not loaded`, hint }
}
