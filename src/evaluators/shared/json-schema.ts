import type { Ajv as AjvInstance, ErrorObject } from 'ajv'
import { isMapping } from '../../lib/is-mapping.ts'

export interface SchemaProblem {
  /** Where in the schema. */
  readonly path: readonly string[]
  readonly message: string
}

/** Why a value cannot serve as a JSON Schema, or undefined when it can. */
export async function jsonSchemaProblem(schema: unknown): Promise<SchemaProblem | undefined> {
  if (typeof schema !== 'boolean' && !isMapping(schema)) return { path: [], message: 'a JSON Schema is a mapping' }
  const ajv = await validatorFor(schema)
  try {
    if (!ajv.validateSchema(schema)) return problemOf(ajv.errors?.[0])
    ajv.compile(schema)
    return undefined
  } catch (error) {
    const { message } = error as Error
    const isDraft = message.startsWith('no schema with key or ref') && '$schema' in Object(schema)
    return isDraft
      ? { path: ['$schema'], message: 'this draft is not known: use draft-07, 2019-09 or 2020-12' }
      : { path: [], message }
  }
}

type Matches = (pattern: string, flags: string, text: string) => boolean

/** What is wrong with a value, in words; nothing where it is valid. */
export type SchemaValidator = (value: unknown) => string[]

/** How many mistakes of one value are named. */
const MOST_NAMED = 10

/** `matches` says whether a pattern of the schema is found in a text. */
export async function schemaValidator(schema: unknown, matches: Matches): Promise<SchemaValidator> {
  const validate = (await validatorFor(schema, matches)).compile(schema as object)
  return value => {
    if (validate(value)) return []
    return (validate.errors ?? []).slice(0, MOST_NAMED).map(({ instancePath, message, params }) => {
      return `${instancePath === '' ? 'the value' : instancePath} ${message ?? 'is not valid'}${detail(params)}`
    })
  }
}

/** Which property, or which values, a message is about. */
function detail({ additionalProperty, allowedValues, allowedValue }: Record<string, unknown>): string {
  if (additionalProperty !== undefined) return `: ${JSON.stringify(additionalProperty)}`
  const allowed = allowedValues ?? allowedValue
  return allowed === undefined ? '' : `: ${JSON.stringify(allowed)}`
}

function problemOf(error: ErrorObject | null | undefined): SchemaProblem {
  const path = (error?.instancePath ?? '')
    .split('/')
    .slice(1)
    .map(step => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  const subject = path.at(-1) === undefined ? 'it' : `\`${path.at(-1)}\``
  return { path, message: `${subject} ${error?.message ?? 'is not valid'}` }
}

/** One that knows the draft which the schema names, draft-07 where it names none. `format` says nothing about validity. */
async function validatorFor(schema: unknown, matches?: Matches): Promise<AjvInstance> {
  const draft = String((schema as { $schema?: unknown }).$schema ?? '')
  const code = matches && { regExp: patternsBy(matches) }
  const options = {
    strict: false,
    validateFormats: false,
    logger: false,
    allErrors: true,
    ...(code ? { code } : {}),
  } as const
  if (draft.includes('2020-12')) return new (await import('ajv/dist/2020.js')).Ajv2020(options)
  if (draft.includes('2019-09')) return new (await import('ajv/dist/2019.js')).Ajv2019(options)
  return new (await import('ajv')).Ajv(options)
}

/** Patterns of a schema, looked for by ours. */
function patternsBy(matches: Matches) {
  const regExp = (pattern: string, flags: string) => ({ test: (text: string) => matches(pattern, flags, text) })
  return Object.assign(regExp, { code: '' })
}
