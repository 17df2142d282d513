import { z } from 'zod'
import { SCHEMA_VERSION } from './result.ts'

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
    options: z.record(z.string(), z.unknown()).describe('What was asked for.'),
    shard: z.strictObject({ index: z.int(), of: z.int() }).optional(),
    plan_id: z.string().describe('The same for all shards of one plan.'),
    total: z.int().describe('How many attempts all shards have together.'),
    tests: z.int().describe('How many tests on targets are run here.'),
    total_tests: z.int().describe('How many tests on targets all shards have together.'),
    attempts: z.array(z.tuple([z.int(), z.string()])).describe('Place in the plan and identity of each attempt.'),
  })
  .describe('What was run.')

export type RunInfo = z.output<typeof runInfoSchema>
