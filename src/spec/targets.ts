import { lazily } from '../lib/lazily.ts'
import { withHints, withMetaOf } from '../lib/schema-rules.ts'
import * as z from '../lib/zod.ts'
import type { Provider } from '../model/provider.ts'
import { targetFields } from '../model/target.ts'
import { FOREIGN_SERVICE_KEYS, FOREIGN_TARGET_KEYS } from './foreign-keys.ts'

/** Paths of custom providers. */
export const CUSTOM_PROVIDER = /^(?:(?:\.{0,2}\/|file:).*|.*\.(?:mjs|js|ts))$/s

/** Returns the accepted spellings of a provider, the preferred one first. */
export function providerSpellings({ type }: Provider): string[] {
  return [...new Set([type, type.replaceAll('_', '-')])]
}

/** Schema of a target of one provider. */
export function targetSchema(provider: Provider): z.ZodObject {
  const own = provider.config()
  const type = z.enum(providerSpellings(provider) as [string, ...string[]]).describe(provider.summary)
  const schema = withMetaOf(own.safeExtend({ provider: type, ...targetFields(), ...own.shape }), own)
  return withHints(schema, { keys: 'base_url' in own.shape ? FOREIGN_SERVICE_KEYS : FOREIGN_TARGET_KEYS })
}

/** Schema of a target with a custom provider, which defines the other fields. */
export const customTargetSchema = lazily(() =>
  z.looseObject({
    provider: z.string().regex(CUSTOM_PROVIDER).describe('Path of a module that exports a provider.'),
    ...targetFields(),
  }),
)

/** Schema of a target that extends another one, which may define any field. */
export const extendingTargetSchema = lazily(() =>
  z.looseObject({
    ...nullable({ provider: z.string().describe('Provider of the target.'), ...targetFields() }),
    name: targetFields().name,
    extends: targetFields()
      .extends.unwrap()
      .describe(targetFields().extends.description ?? ''),
  }),
)

function nullable(fields: Readonly<Record<string, z.ZodType>>): Record<string, z.ZodType> {
  const entries = Object.entries(fields).map(([key, field]) => {
    return [key, field.nullish().describe(field.description ?? '')] as const
  })
  return Object.fromEntries(entries)
}

/** A provider with the schema of its targets. */
export interface TargetType {
  readonly provider: Provider
  schema(): z.ZodObject
}

export function targetTypes(providers: readonly Provider[]): TargetType[] {
  return providers.map(provider => ({ provider, schema: lazily(() => targetSchema(provider)) }))
}

/** Fields that make a difference worth measuring. */
const ABLATABLE = ['skills', 'plugins', 'system_prompt', 'mcp_servers', 'workspace']

/** Returns the fields that a target can be compared without: those that some provider has. */
export function ablatableFields(types: readonly TargetType[]): string[] {
  return ABLATABLE.filter(field => types.some(({ schema }) => Object.hasOwn(schema().shape, field)))
}

/** Schema of a targets file. */
export function targetsSchema(target: z.ZodType) {
  return z
    .strictObject({
      $schema: z.string().optional().describe('Path or URL of the JSON Schema, for editors.'),
      targets: z.array(target).min(1).describe('List of targets.'),
    })
    .describe('Targets that suites run on.')
}

export const commonTargetFields = lazily(() => Object.keys(targetFields()))
