import * as z from 'zod'
import type { Origin } from './location.ts'
import type { Provider } from './provider.ts'

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

/** How a target is used, whatever its provider. */
export type TargetSettings = Readonly<Omit<z.output<z.ZodObject<typeof targetFields>>, 'name'>>

/** Fields of every target. */
export const targetFields = {
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

/** Fields that say how a target is used or paid, not what it is: an attempt stays the same when they change. */
export const USAGE_FIELDS: readonly string[] = [
  ...['judge_target', 'workers', 'requests_per_minute', 'timeout_seconds', 'retries', 'price', 'api_key'],
]
