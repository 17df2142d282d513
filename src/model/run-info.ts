import { lazily } from '../lib/lazily.ts'
import * as z from '../lib/zod.ts'
import { carriedSchema } from './baseline.ts'
import { decidingSchema, decisionSchema } from './decision.ts'
import { JUDGE_REPEATS } from './judge-repeats.ts'
import { provenanceFields } from './provenance.ts'
import { SCHEMA_VERSION } from './result.ts'

const texts = lazily(() => z.array(z.string()).optional())

/** The options of a run. A resume uses these, so their types are checked; other keys are only informative. */
const optionsSchema = lazily(() =>
  z.looseObject({
    paths: texts(),
    eval_patterns: texts(),
    targets_file: z.string().optional(),
    targets: texts(),
    control: z.string().optional(),
    ablate: z.string().optional(),
    judge: z.string().optional(),
    judge_repeats: z.int().min(JUDGE_REPEATS.least).max(JUDGE_REPEATS.most).optional(),
    defaults: z.looseObject({ targets: texts(), judge: z.string().optional() }).optional(),
    test_ids: texts(),
    tags: texts(),
    trials: z.int().min(1).optional(),
    threshold: z.number().gt(0).max(1).optional(),
    fail_on: z.enum(['fail', 'borderline']).optional(),
    min_pass_rate: z.number().min(0).max(1).optional(),
    gate: z.enum(['corrected', 'raw']).optional(),
    allow_flaky: z.boolean().optional(),
    fail_on_regression: z.boolean().optional(),
    require_better: z.boolean().optional(),
    margin: z.number().min(0).max(1).optional(),
    log_dir: z.string().optional(),
    trigger_threshold: z.number().min(0).max(1).optional(),
    against: z.string().optional(),
    affected: z.boolean().optional(),
    fail_on_new_failures: z.boolean().optional(),
    deciding: decidingSchema().optional(),
  }),
)

const rerunSchema = lazily(() =>
  z
    .strictObject({
      started: z.string().describe('Start of the rerun.'),
      added: z.array(z.string()).describe('Ids of the added attempts: another trial of each failed test.'),
      replaced: z.array(z.string()).describe('Ids of the replaced attempts.'),
    })
    .describe('A rerun with `--rerun-failed`.'),
)

const armPairSchema = lazily(() =>
  z
    .strictObject({
      target: z.string(),
      control: z.string().describe('The control arm that it is compared with.'),
      differs_in: z.array(z.string()).describe('Fields in which the two targets differ.'),
    })
    .describe('A target with its control arm.'),
)

const skippedSchema = lazily(() =>
  z
    .strictObject({
      suite: z.string(),
      file: z.string(),
      line: z.int(),
      test_id: z.string(),
      tags: z.array(z.string()),
      reason: z.string().describe('Why it was not run.'),
    })
    .describe('A test that was skipped.'),
)

/** Where and when the run was made, and of what. */
const subjectFields = lazily(() => ({
  schema_version: z.literal(SCHEMA_VERSION).describe('Version of this format.'),
  run_id: z.string(),
  started: z.string().describe('Start of the run.'),
  assay_version: z.string(),
  node_version: z.string(),
  platform: z.string(),
  root: z.string().describe('The folder that paths in the records are relative to.'),
  ...provenanceFields(),
  previous: z.string().optional().describe('Id of the previous run.'),
  suites: z.array(z.strictObject({ name: z.string(), file: z.string(), sha256: z.string() })),
  targets: z.array(z.record(z.string(), z.unknown())).describe('The targets as written, without secrets.'),
  arms: z.array(armPairSchema()).optional().describe('Targets with their control arms; absent if there are none.'),
  target_files: z
    .array(z.strictObject({ target: z.string(), file: z.string(), sha256: z.string() }))
    .optional()
    .describe('Files that determine the behaviour of the targets.'),
  test_files: z
    .array(z.strictObject({ file: z.string(), sha256: z.string() }))
    .optional()
    .describe('Files that tests and their checks name.'),
  target_skills: z
    .array(z.strictObject({ target: z.string(), skills: z.array(z.string()) }))
    .optional()
    .describe('Skills of the targets that have no others; absent if no target is known to have only certain ones.'),
  judges: z
    .array(z.record(z.string(), z.unknown()))
    .optional()
    .describe('The targets that judge, as written; absent if no model judges.'),
  judge_hashes: z
    .record(z.string(), z.string())
    .optional()
    .describe('Identifies each target that judges, by its fields and its files.'),
}))

/** What was planned. */
const planFields = lazily(() => ({
  options: z
    .record(z.string(), z.unknown())
    .refine(options => optionsSchema().safeParse(options).success, 'has invalid options')
    .describe('The options of the run.'),
  shard: z.strictObject({ index: z.int().min(1), of: z.int() }).optional(),
  plan_id: z.string().describe('The same for all shards of one plan.'),
  total: z.int().describe('Number of attempts of all shards, including those that the source of a grading never made.'),
  tests: z.int().describe('Number of tests times targets in this run.'),
  total_tests: z.int().describe('Number of tests times targets in all shards.'),
  selected_tests: z.int().optional().describe('Number of selected tests.'),
  available_tests: z.int().optional().describe('Number of tests in the suites, selected or not.'),
  attempts: z.array(z.tuple([z.int(), z.string()])).describe('Position in the plan and id of each attempt.'),
  not_applicable: z
    .array(z.strictObject({ suite: z.string(), file: z.string(), target: z.string(), test_ids: z.array(z.string()) }))
    .optional()
    .describe('Tests of all shards that did not run on a target, because none of their checks applies to it.'),
  skipped: z
    .array(skippedSchema())
    .optional()
    .describe('Selected tests of all shards that were not run; absent if there are none.'),
  planned_attempts: z
    .int()
    .optional()
    .describe(
      'Number of attempts in the plan; the others come from reruns and from earlier runs with more trials. Absent: all.',
    ),
  carried: carriedSchema().optional(),
}))

/** The description of a run: `run.json` in its folder. */
export const runInfoSchema = lazily(() =>
  z
    .strictObject({
      ...subjectFields(),
      source: z.string().optional().describe('The run whose answers were graded again.'),
      imported: z.boolean().optional().describe('True if the run was merged from runs outside of `.assay/runs`.'),
      ...planFields(),
      reruns: z.array(rerunSchema()).optional().describe('The reruns; absent if there were none.'),
      changed: z
        .array(z.string())
        .optional()
        .describe('Programs of targets that were edited during the run; absent if none was.'),
      written: z
        .array(z.string())
        .optional()
        .describe('Other files of targets that changed during the run. The agent writes to them, so they are ignored.'),
      stopped: z
        .enum(['signal', 'budget', 'fail-fast', 'records', 'decided'])
        .optional()
        .describe('Why the run ended early; absent if it was completed or killed.'),
      decisions: z
        .array(decisionSchema())
        .optional()
        .describe('What the run decided; absent if it decides nothing, or was not finished.'),
      late_attempts: z
        .array(z.string())
        .optional()
        .describe('Ids of the attempts that finished after the decision and do not count in it.'),
    })
    .refine(isPossible, 'contradicts itself')
    .describe('The description of a run.'),
)

export type RunInfo = z.output<ReturnType<typeof runInfoSchema>>
export type ArmPair = z.output<ReturnType<typeof armPairSchema>>
export type SkippedRecord = z.output<ReturnType<typeof skippedSchema>>
export type Rerun = z.output<ReturnType<typeof rerunSchema>>

/** The number of attempts in the plan of a run. */
export function plannedAttempts({ attempts, planned_attempts = attempts.length }: Numbers): number {
  return planned_attempts
}

/** The number of attempts that the run does not list: of unmerged shards, or never made by the source of a grading. */
export function unlistedAttempts(info: Numbers): number {
  return info.shard ? 0 : info.total - plannedAttempts(info)
}

/** Whether the numbers of a run are consistent. */
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
