import * as z from 'zod'
import { SCHEMA_VERSION } from './result.ts'

const texts = z.array(z.string()).optional()

/** What was asked for. A resume asks for it again, so what it goes by must be of its kind; anything else is only there to be read. */
const optionsSchema = z.looseObject({
  paths: texts,
  eval_patterns: texts,
  targets_file: z.string().optional(),
  targets: texts,
  judge: z.string().optional(),
  defaults: z.looseObject({ targets: texts, judge: z.string().optional() }).optional(),
  test_ids: texts,
  tags: texts,
  trials: z.int().min(1).optional(),
  fail_on: z.enum(['fail', 'borderline']).optional(),
  min_pass_rate: z.number().min(0).max(1).optional(),
})

/** What was run: `run.json` of a run's folder. */
export const runInfoSchema = z
  .strictObject({
    schema_version: z.literal(SCHEMA_VERSION).describe('Version of this format.'),
    run_id: z.string(),
    started: z.string().describe('When the run began.'),
    assay_version: z.string(),
    node_version: z.string(),
    platform: z.string(),
    root: z.string().describe('The folder that the paths in the records start from.'),
    git_commit: z.string().optional(),
    previous: z.string().optional().describe('The last run before this one.'),
    suites: z.array(z.strictObject({ name: z.string(), file: z.string(), sha256: z.string() })),
    targets: z.array(z.record(z.string(), z.unknown())).describe('The targets as they are written, without secrets.'),
    judges: z
      .array(z.record(z.string(), z.unknown()))
      .optional()
      .describe('The targets that judge, as they are written; absent where no model judges.'),
    source: z.string().optional().describe('The run whose answers were judged again.'),
    options: z
      .record(z.string(), z.unknown())
      .refine(options => optionsSchema.safeParse(options).success, 'cannot be asked for')
      .describe('What was asked for.'),
    shard: z.strictObject({ index: z.int().min(1), of: z.int() }).optional(),
    plan_id: z.string().describe('The same for all shards of one plan.'),
    total: z.int().describe('How many attempts all shards have together.'),
    tests: z.int().describe('How many tests on targets are run here.'),
    total_tests: z.int().describe('How many tests on targets all shards have together.'),
    attempts: z.array(z.tuple([z.int(), z.string()])).describe('Place in the plan and identity of each attempt.'),
  })
  .refine(isPossible, 'contradicts itself')
  .describe('What was run.')

export type RunInfo = z.output<typeof runInfoSchema>

/** Whether its numbers fit together: a verdict on the whole run depends on them. */
function isPossible({ shard, total, tests, total_tests, attempts }: Numbers): boolean {
  const ids = new Set(attempts.map(([, id]) => id))
  return (
    ids.size === attempts.length &&
    attempts.length <= total &&
    tests <= total_tests &&
    (shard === undefined || shard.index <= shard.of)
  )
}

interface Numbers {
  readonly shard?: { readonly index: number; readonly of: number } | undefined
  readonly total: number
  readonly tests: number
  readonly total_tests: number
  readonly attempts: readonly (readonly [number, string])[]
}
