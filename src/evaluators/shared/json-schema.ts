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
    return { path: [], message: (error as Error).message }
  }
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
async function validatorFor(schema: unknown): Promise<AjvInstance> {
  const draft = String((schema as { $schema?: unknown }).$schema ?? '')
  const options = { strict: false, validateFormats: false, logger: false } as const
  if (draft.includes('2020-12')) return new (await import('ajv/dist/2020.js')).Ajv2020(options)
  if (draft.includes('2019-09')) return new (await import('ajv/dist/2019.js')).Ajv2019(options)
  return new (await import('ajv')).Ajv(options)
}
