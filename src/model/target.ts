import { canonicalJson } from '../lib/json/stringify.ts'
import { lazily } from '../lib/lazily.ts'
import { shortHash } from '../lib/sha256.ts'
import * as z from '../lib/zod.ts'
import type { Origin } from './location.ts'
import type { Provider } from './provider.ts'

/** A loaded target, ready for prompts. */
export interface Target {
  readonly name: string
  /** For a variant on a target: the name of the target, which has its limits for all variants together. */
  readonly base?: string | undefined
  readonly provider: Provider
  /** The provider's own fields, with variables filled in. */
  readonly config: unknown
  readonly settings: TargetSettings
  /** Names of its skills; undefined if it may have others. */
  readonly skills?: readonly string[] | undefined
  /** MCP servers of plugins that only other targets of the suite have: mocks of them do not exist for this one. */
  readonly absent_servers?: readonly string[] | undefined
  /** The target as written, with variables in place of secrets. */
  readonly written: Readonly<Record<string, unknown>>
  /** Absolute path of the folder that relative paths start from. */
  readonly home: string
  readonly at: Origin
}

/** Makes a target in place of the one of that name in the targets file. */
export type StandIn = (name: string, at: Origin) => Target

/** The part of a target that decides which checks apply to it. */
export type GradedTarget = Pick<Target, 'name' | 'base' | 'skills'>

/** Settings of a target that do not depend on its provider. */
export type TargetSettings = Readonly<Omit<z.output<z.ZodObject<ReturnType<typeof targetFields>>>, 'name' | 'extends'>>

/** The common fields of targets. */
export const targetFields = lazily(() => ({
  name: z.string().min(1).describe('Name of the target, as used in suites and on the command line.'),
  extends: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Target of the same file whose keys this one has too, except for `name`. A key that is written here replaces the inherited one, and `null` removes it.',
    ),
  judge_target: z.string().min(1).optional().describe('Target that judges the answers of this target.'),
  workers: z.int().min(1).optional().describe('Maximum number of concurrent answers.'),
  requests_per_minute: z.int().min(1).optional().describe('Maximum number of requests per minute.'),
  timeout_seconds: z
    .number()
    .min(1)
    .max(3600)
    .optional()
    .describe('Time limit for one answer, in seconds. Default: 300.'),
  retries: z
    .int()
    .min(0)
    .max(10)
    .optional()
    .describe(
      'Maximum number of retries of a failed call. A wait that the service requests is respected, unless it is longer than the timeout.',
    ),
  price: z
    .strictObject({
      input: z.number().min(0).optional().describe('Price of input tokens.'),
      output: z.number().min(0).optional().describe('Price of output tokens.'),
      cached_input: z.number().min(0).optional().describe('Price of cached input tokens.'),
    })
    .optional()
    .describe('Prices in US dollars per million tokens.'),
  system_prompt: z.string().optional().describe('System message for tests that do not have one.'),
  version: z
    .string()
    .min(1)
    .optional()
    .describe('Version of the agent behind the target, as any text. A changed version makes it a different target.'),
  depends_on: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe(
      'Globs of files that determine the behaviour of the target. Changed content makes it a different target.',
    ),
}))

/** Fields about use and price, which are not part of the identity of a target. */
export const USAGE_FIELDS: readonly string[] = [
  ...['judge_target', 'workers', 'requests_per_minute', 'timeout_seconds', 'retries', 'price', 'api_key'],
]

/** Hashes of the fields that are part of the identity of a target, to tell which of them changed. */
export function fieldHashes(written: Target['written']): Record<string, string> {
  const fields = Object.entries(written).filter(([key]) => key !== 'name' && !USAGE_FIELDS.includes(key))
  return Object.fromEntries(fields.map(([key, value]) => [key, shortHash(canonicalJson(value))]))
}
