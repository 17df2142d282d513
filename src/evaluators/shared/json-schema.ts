import type { Ajv as AjvInstance, AnySchema } from 'ajv'

/** Why a value cannot serve as a JSON Schema, or undefined when it can. */
export async function jsonSchemaProblem(schema: unknown): Promise<string | undefined> {
  if (typeof schema !== 'boolean' && (typeof schema !== 'object' || schema === null || Array.isArray(schema))) {
    return 'a JSON Schema is a mapping'
  }
  const ajv = await validatorFor(schema)
  try {
    ajv.compile(schema as AnySchema)
    return undefined
  } catch (error) {
    return (error as Error).message.replace(/^schema is invalid: /, '')
  }
}

/** One that knows the draft which the schema names, draft-07 where it names none. `format` says nothing about validity. */
async function validatorFor(schema: unknown): Promise<AjvInstance> {
  const draft = String((schema as { $schema?: unknown }).$schema ?? '')
  const options = { strict: false, validateFormats: false, logger: false } as const
  if (draft.includes('2020-12')) return new (await import('ajv/dist/2020.js')).Ajv2020(options)
  if (draft.includes('2019-09')) return new (await import('ajv/dist/2019.js')).Ajv2019(options)
  return new (await import('ajv')).Ajv(options)
}
