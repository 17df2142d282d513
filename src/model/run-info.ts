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
  allow_flaky: z.boolean().optional(),
  log_dir: z.string().optional(),
  trigger_threshold: z.number().min(0).max(1).optional(),
})

const rerunSchema = z
  .strictObject({
    started: z.string().describe('When the rerun began.'),
    added: z.array(z.string()).describe('Identities of the attempts that it adds: another trial of tests that failed.'),
    replaced: z.array(z.string()).describe('Identities of the attempts that it makes again in their place.'),
  })
  .describe('What `--rerun-failed` makes again.')

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
    target_files: z
      .array(z.strictObject({ target: z.string(), file: z.string(), sha256: z.string() }))
      .optional()
      .describe('The files that make the targets behave as they do.'),
    judges: z
      .array(z.record(z.string(), z.unknown()))
      .optional()
      .describe('The targets that judge, as they are written; absent where no model judges.'),
    judge_hashes: z
      .record(z.string(), z.string())
      .optional()
      .describe('Identifies each target that judges, as it is written and by its files.'),
    source: z.string().optional().describe('The run whose answers were judged again.'),
    imported: z
      .boolean()
      .optional()
      .describe('Whether it was merged from runs outside of `.assay/runs`; absent where it was not.'),
    options: z
      .record(z.string(), z.unknown())
      .refine(options => optionsSchema.safeParse(options).success, 'cannot be asked for')
      .describe('What was asked for.'),
    shard: z.strictObject({ index: z.int().min(1), of: z.int() }).optional(),
    plan_id: z.string().describe('The same for all shards of one plan.'),
    total: z.int().describe('How many attempts all shards have together, with those that a graded run never made.'),
    tests: z.int().describe('How many tests on targets are run here.'),
    total_tests: z.int().describe('How many tests on targets all shards have together.'),
    selected_tests: z.int().optional().describe('How many tests of the suites were selected.'),
    available_tests: z.int().optional().describe('How many tests the suites have, selected or not.'),
    attempts: z.array(z.tuple([z.int(), z.string()])).describe('Place in the plan and identity of each attempt.'),
    planned_attempts: z
      .int()
      .optional()
      .describe('How many of them the plan has; the others are of reruns and of earlier, higher trials. Absent: all.'),
    reruns: z.array(rerunSchema).optional().describe('Which attempts were made again; absent where none was.'),
    changed: z
      .array(z.string())
      .optional()
      .describe('Programs of targets that were edited while the run was going on; absent where none was.'),
    written: z
      .array(z.string())
      .optional()
      .describe('Other files of targets that changed meanwhile: the agent writes to them, and they do not count.'),
    stopped: z
      .enum(['signal', 'budget', 'fail-fast', 'records'])
      .optional()
      .describe('Why the run ended before all attempts were made; absent after it was completed, or killed.'),
  })
  .refine(isPossible, 'contradicts itself')
  .describe('What was run.')

export type RunInfo = z.output<typeof runInfoSchema>
export type Rerun = z.output<typeof rerunSchema>

/** How many of the attempts of a run its plan has. */
export function plannedAttempts({ attempts, planned_attempts = attempts.length }: Numbers): number {
  return planned_attempts
}

/** Attempts that the run does not list: of shards that were never merged in, or that the source of a grading never made. */
export function unlistedAttempts(info: Numbers): number {
  return info.shard ? 0 : info.total - plannedAttempts(info)
}

/** Whether its numbers fit together: a verdict on the whole run depends on them. */
function isPossible(info: Numbers): boolean {
  const { shard, total, tests, total_tests, attempts } = info
  const ids = new Set(attempts.map(([, id]) => id))
  return (
    ids.size === attempts.length &&
    plannedAttempts(info) <= Math.min(total, attempts.length) &&
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
  readonly planned_attempts?: number | undefined
}
