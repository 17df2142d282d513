import { lazily } from '../lib/lazily.ts'
import { printableLine } from '../lib/text/escape.ts'
import * as z from '../lib/zod.ts'
import { outputMessageSchema, tokenUsageSchema } from './answer.ts'
import { changesSchema } from './changes.ts'
import { evaluatorResultSchema } from './evaluator-result.ts'
import { mockCallSchema, mockStateSchema } from './mock-call.ts'
import { traceSummarySchema } from './trace-summary.ts'

export const SCHEMA_VERSION = 1

const score = lazily(() => z.number().min(0).max(1))
const texts = lazily(() => z.array(z.string()))
export const verdictSchema = lazily(() => z.enum(['pass', 'borderline', 'fail', 'error']))

const errorSchema = lazily(() =>
  z
    .strictObject({
      code: z.string().describe('Code of the error.'),
      stage: z.enum(['answer', 'grade']).describe('The stage that failed: the answer or the grade.'),
      message: z.string().describe('What happened.'),
      never_reached: z.literal(true).optional().describe('The agent was never reached: a rerun replaces the attempt.'),
    })
    .describe('Why there is no score.'),
)

const judgeUsageSchema = lazily(() =>
  tokenUsageSchema()
    .extend({
      calls: z.int().min(0).describe('Number of judge calls.'),
      cost_usd: z.number().min(0).optional().describe('Known cost in US dollars.'),
    })
    .describe('Usage of judge models, separate from the target.'),
)

/** What identifies an attempt. */
const identityFields = lazily(() => ({
  schema_version: z.literal(SCHEMA_VERSION).describe('Version of this format.'),
  run_id: z.string().describe('Id of the run.'),
  index: z.int().min(0).describe('Position in the plan, from 0.'),
  attempt_id: z.string().describe('Identifies test, target and trial by their content.'),
  test_hash: z.string().optional().describe('Identifies the test by its prompt and its checks.'),
  shared_hash: z
    .string()
    .optional()
    .describe('Identifies the test with its own input and variables, if what was asked is one of several variants.'),
  target_hash: z.string().optional().describe('Identifies the target by its fields and its files.'),
  input_hash: z.string().optional().describe('Identifies the input messages, with the content of their files.'),
  checks_hash: z.string().optional().describe('Identifies the checks, with the content of their files.'),
  judges_hash: z.string().optional().describe('Identifies the targets that judge; absent if no model judges.'),
}))

/** The test, as it was planned on its target. */
const testFields = lazily(() => ({
  suite: z.string().describe('Name of the suite.'),
  file: z.string().describe('File of the test, relative to the root of the run.'),
  line: z.int().describe('Line of the test.'),
  test_id: z.string().describe('Id of the test.'),
  conversation_id: z.string().optional(),
  description: z.string().optional(),
  criteria: z.string().optional(),
  note: z.string().optional(),
  tags: texts().describe('Tags of the test and its suite.'),
  metadata: z.record(z.string(), z.unknown()).describe('Metadata of the test.'),
  input: z.array(z.unknown()).describe('The input messages; files by path and content hash.'),
  expected_output: z.unknown().optional(),
  target: z.string().describe('Name of the target.'),
  control: z.literal(true).optional().describe('The target is the control arm: its failures do not fail the gate.'),
  control_of: z
    .union([z.string(), z.array(z.string()).readonly()])
    .optional()
    .describe('The only target, or targets, that the control arm is compared with.'),
  expected_failure: z
    .string()
    .optional()
    .describe('Why the test is known to fail: a failure does not fail the gate, and a pass does.'),
  quarantine: z
    .strictObject({ reason: z.string(), until: z.string() })
    .optional()
    .describe('The test is in quarantine: it counts in no figure and fails no gate.'),
}))

/** What the target answered. */
const answerFields = lazily(() => ({
  answer: z.string().nullable().describe('The answer as text.'),
  answer_number: z
    .int()
    .min(1)
    .optional()
    .describe('Number of the judged answer among those of the attempt in `answers.jsonl`, from 1.'),
  cached: z.literal(true).optional().describe('The answer came from the cache.'),
  failed_calls: z.int().min(1).optional().describe('Number of failed calls before this answer.'),
  output_messages: z.array(outputMessageSchema()).optional().describe('The transcript, if the target gave one.'),
  finish_reason: z.string().optional(),
  trace_summary: traceSummarySchema().optional(),
  token_usage: tokenUsageSchema().optional(),
  cost_usd: z.number().min(0).optional(),
  duration_ms: z.number().min(0).optional().describe('Duration of the answer in milliseconds.'),
  elapsed_ms: z
    .number()
    .min(0)
    .optional()
    .describe('Duration of an attempt without an answer, with retries and waits, in milliseconds.'),
}))

/** What only reports have, about the run. */
const reportFields = lazily(() => ({
  partial: z.string().optional().describe('Only in reports: the part of the suites that was run, if not all.'),
  report_results: z.int().min(1).optional().describe('Only in reports: number of results in the report.'),
  not_made: z.int().min(1).optional().describe('Only in reports: how many attempts of the run have no result.'),
  git_commit: z.string().optional().describe('Only in reports: the commit of the run, if it has only one.'),
  git_branch: z.string().optional().describe('Only in reports: the branch of the run.'),
  git_dirty: z.boolean().optional().describe('Only in reports: whether the run had uncommitted changes.'),
  label: z.string().optional().describe('Only in reports: the label of the run.'),
  provenance: z.string().optional().describe('Only in reports: where the run comes from, as text.'),
}))

/** The result of an attempt: a line of `results.jsonl`. */
export const resultSchema = lazily(() =>
  z
    .strictObject({
      ...identityFields(),
      ...testFields(),
      provider: z.string().describe('Provider of the target.'),
      model: z.string().optional().describe('The model that answered.'),
      trial: z.int().min(1).describe('Number of the trial, from 1.'),
      rerun: z.int().min(1).optional().describe('Number of the rerun that made the attempt; absent for the first run.'),
      added: z
        .literal(true)
        .optional()
        .describe('The rerun added the attempt, because another trial of the test had failed.'),
      timestamp: z.string().describe('Start of the attempt.'),
      score: score().nullable().describe('From 0 to 1; null on an error.'),
      verdict: verdictSchema().describe('pass, borderline, fail or error.'),
      hits: texts().describe('The hits of all checks.'),
      misses: texts().describe('The misses of all checks.'),
      ...answerFields(),
      judge_usage: judgeUsageSchema().optional(),
      judge_scores: z
        .array(score())
        .optional()
        .describe('The score by each of several gradings with `--judge-repeats`; the first one counts.'),
      threshold: z
        .number()
        .gt(0)
        .max(1)
        .optional()
        .describe('Lowest score that passes, if the test, its suite or the command line sets one.'),
      trigger_threshold: z
        .number()
        .min(0)
        .max(1)
        .optional()
        .describe('Minimum share of trials for a skill to count as used, if the suite sets one.'),
      workspace_path: z
        .string()
        .optional()
        .describe('Workspace of the target, if it had one. It is removed after a pass.'),
      changes: changesSchema().optional(),
      mock_calls: z.array(mockCallSchema()).optional().describe('The calls to mocked tools, in order.'),
      state: mockStateSchema().optional(),
      evaluator_results: z.array(evaluatorResultSchema()).describe('The result of each check.'),
      error: errorSchema().optional(),
      worker: z.string().optional().describe('The worker that made the attempt, in a run with a queue.'),
      ...reportFields(),
    })
    .describe('One judged attempt.'),
)

export type Result = z.output<ReturnType<typeof resultSchema>>
export type JudgeUsage = z.output<ReturnType<typeof judgeUsageSchema>>

/** Names an attempt for people: `greets on default trial 2`. */
export function attemptName(attempt: Pick<Result, 'test_id' | 'target' | 'control' | 'trial'>): string {
  const { test_id, target, control, trial } = attempt
  return `${printableLine(test_id)} on ${armName(target, control)}${trial > 1 ? ` trial ${trial}` : ''}`
}

/** Names a target for people, with a mark if it is the control arm: `without-skill (control)`. */
export function armName(target: string, isControl = false): string {
  return `${printableLine(target)}${isControl ? ' (control)' : ''}`
}
