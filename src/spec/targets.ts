import * as z from 'zod'
import type { Origin } from '../model/location.ts'
import type { Provider } from '../model/provider.ts'
import { withHints } from '../model/shape-hints.ts'
import { FOREIGN_SERVICE_KEYS, FOREIGN_TARGET_KEYS } from './foreign-targets.ts'

/** Fields of every target. */
const commonFields = {
  name: z.string().min(1).describe('Name of the target, as suites and the command line use it.'),
  judge_target: z.string().min(1).optional().describe('The target that judges the answers of this one.'),
  workers: z.int().min(1).optional().describe('How many answers may be under way at once.'),
  requests_per_minute: z.int().min(1).optional().describe('How many requests may be made in any minute.'),
  timeout_seconds: z.number().min(1).max(3600).optional().describe('How long one answer may take. Default: 300.'),
  retries: z
    .int()
    .min(0)
    .max(10)
    .optional()
    .describe(
      'How often a failed call is made again. A wait that the service asks for is kept, unless it is longer than the timeout.',
    ),
  price: z
    .strictObject({
      input: z.number().min(0).optional().describe('For input tokens.'),
      output: z.number().min(0).optional().describe('For output tokens.'),
      cached_input: z.number().min(0).optional().describe('For input tokens that come from a cache.'),
    })
    .optional()
    .describe('US dollars per million tokens.'),
  system_prompt: z.string().optional().describe('A system message for every test that has none.'),
  version: z
    .string()
    .min(1)
    .optional()
    .describe('Version of the agent behind the target, any text. Another one makes it another target.'),
  depends_on: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe('Files that make the target behave as it does, as globs. Another content makes it another target.'),
}

/** The path of a provider of one's own. */
export const customProvider = /^(?:(?:\.{0,2}\/|file:).*|.*\.(?:mjs|js|ts))$/s

/** Every way to write a provider's type, ours first. */
export function providerSpellings({ type }: Provider): string[] {
  return [...new Set([type, type.replaceAll('_', '-')])]
}

/** A target of one provider as it is written. */
export function targetSchema(provider: Provider): z.ZodObject {
  const own = provider.config
  const type = z.enum(providerSpellings(provider) as [string, ...string[]]).describe(provider.summary)
  const schema = own.safeExtend({ provider: type, ...commonFields, ...own.shape }).meta(own.meta() ?? {})
  return withHints(schema, { keys: 'base_url' in own.shape ? FOREIGN_SERVICE_KEYS : FOREIGN_TARGET_KEYS })
}

/** A target whose provider is a file of one's own: its other fields are the provider's. */
export const customTargetSchema = z.looseObject({
  provider: z.string().regex(customProvider).describe('Path of a module that exports a provider.'),
  ...commonFields,
})

/** A provider, and how a target of it is written. */
export interface TargetType {
  readonly provider: Provider
  readonly schema: z.ZodObject
}

export function targetTypes(providers: readonly Provider[]): TargetType[] {
  return providers.map(provider => ({ provider, schema: targetSchema(provider) }))
}

/** A targets file as it is written. */
export function targetsSchema(target: z.ZodType) {
  return z
    .strictObject({
      $schema: z.string().optional().describe('The JSON Schema for editors.'),
      targets: z.array(target).min(1).describe('The targets.'),
    })
    .describe('The targets that suites run on.')
}

/** How a target is used, whatever its provider. */
export type TargetSettings = Readonly<Omit<z.output<z.ZodObject<typeof commonFields>>, 'name'>>

/** A target that is ready to be asked. */
export interface Target {
  readonly name: string
  readonly provider: Provider
  /** The provider's own fields, with variables filled in. */
  readonly config: unknown
  readonly settings: TargetSettings
  /** As it stands in the file: variables are not filled in, so no secret of theirs is in it. */
  readonly written: Readonly<Record<string, unknown>>
  /** Absolute path of the folder that relative paths in it start from. */
  readonly home: string
  readonly at: Origin
}

export const COMMON_TARGET_FIELDS = Object.keys(commonFields)

/** Fields that say how a target is used or paid, not what it is: an attempt stays the same when they change. */
export const USAGE_FIELDS: readonly string[] = [
  ...['judge_target', 'workers', 'requests_per_minute', 'timeout_seconds', 'retries', 'price', 'api_key'],
]
