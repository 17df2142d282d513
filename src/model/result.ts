import * as z from 'zod'
import { printableLine } from '../lib/text/escape.ts'
import { type OutputMessage, outputMessageSchema, tokenUsageSchema } from './answer.ts'

export const SCHEMA_VERSION = 1

const score = z.number().min(0).max(1)
const texts = z.array(z.string())
const verdict = z.enum(['pass', 'borderline', 'fail', 'error'])

const errorSchema = z
  .strictObject({
    code: z.string().describe('What happened, in one word.'),
    stage: z.enum(['answer', 'grade']).describe('Whether there was no answer, or no grade.'),
    message: z.string().describe('What happened, in words.'),
    never_reached: z
      .literal(true)
      .optional()
      .describe('The agent was never reached: made again, the attempt is replaced.'),
  })
  .describe('Why there is no score.')

const itemSchema = z
  .strictObject({
    id: z.string(),
    text: z.string().describe('What a good answer does.'),
    satisfied: z.boolean().optional().describe('Whether the answer does it.'),
    score: z.number().min(0).max(10).optional().describe('From 0 to 10, for an item with ranges of scores.'),
    weight: z.number().min(0),
    required: z.boolean().describe('Whether the test fails where it is missed.'),
    required_min_score: z
      .number()
      .min(0)
      .max(10)
      .optional()
      .describe('The lowest score with which it is not missed, for a required item with ranges of scores.'),
    passed: z.boolean().describe('Whether it was not missed.'),
    reasoning: z.string(),
  })
  .describe('What a judge found of one rubric.')

const triggerSchema = z
  .strictObject({
    skill: z.string(),
    should_trigger: z
      .boolean()
      .describe('Whether it should be used. `negate`, of the check and of those around it, is counted in.'),
    triggered: z.boolean().optional().describe('Whether it was used; absent where nobody could tell.'),
  })
  .describe('For a check of whether a skill is used.')

export const evaluatorResultSchema = z
  .strictObject({
    name: z.string().describe('Name of the check, unique within the test.'),
    type: z.string().describe('Type of the check.'),
    text: z.string().describe('The check in words.'),
    score: score.nullable().describe('In 0..1; null when it could not be judged.'),
    weight: z.number().min(0).describe('Its share in the score of the test.'),
    required: z.number().nullable().describe('The mark that it must reach, where there is one.'),
    passed: z.boolean().describe('Whether it reached its mark: the required one, else 0.8.'),
    negate: z.literal(true).optional().describe('Score, hits and misses are turned around.'),
    hits: texts.describe('What speaks for the answer.'),
    misses: texts.describe('What speaks against it.'),
    reasoning: z.string().optional().describe('Why, in the words of a judge.'),
    details: z.unknown().optional().describe('Anything else that the check reports.'),
    error: z.strictObject({ code: z.string(), message: z.string() }).optional().describe('Why it has no score.'),
    trigger: triggerSchema.optional(),
    items: z.array(itemSchema).optional().describe('What a judge found of each rubric.'),
    not_run: z.literal(true).optional().describe('Left out, because a check that comes before it was missed.'),
    file: z.string().optional().describe('Where the check is written, when not in the file of the test.'),
    line: z.int().describe('And in which line.'),
    duration_ms: z.number().min(0).describe('How long it took.'),
    get evaluator_results() {
      return z.array(evaluatorResultSchema).optional().describe('What the checks inside it found.')
    },
  })
  .describe('What one check found.')

export const traceSummarySchema = z
  .strictObject({
    event_count: z.int().describe('Tool calls.'),
    tool_names: texts.describe('The tools, each once, in order.'),
    tool_calls_by_name: z.record(z.string(), z.int()).describe('How often each was called.'),
    error_count: z.int().describe('Calls that failed.'),
    llm_call_count: z.int().describe('Messages of the assistant.'),
  })
  .describe('The transcript in numbers.')

const judgeUsageSchema = tokenUsageSchema
  .extend({
    calls: z.int().min(0).describe('Calls to judges.'),
    cost_usd: z.number().min(0).optional().describe('What they cost, as far as it is known.'),
  })
  .describe('What judges by model used, apart from the target.')

/** One judged attempt: a line of `results.jsonl`. */
export const resultSchema = z
  .strictObject({
    schema_version: z.literal(SCHEMA_VERSION).describe('Version of this format.'),
    run_id: z.string().describe('The run that it belongs to.'),
    index: z.int().min(0).describe('Its place in the plan.'),
    attempt_id: z.string().describe('Identifies test, target and trial by their content.'),
    test_hash: z.string().optional().describe('Identifies the test alone, by what is asked and how it is graded.'),
    target_hash: z.string().optional().describe('Identifies the target alone, as it is written and by its files.'),
    suite: z.string().describe('Name of the suite.'),
    file: z.string().describe('Where the test is written, from the root of the run.'),
    line: z.int().describe('And in which line.'),
    test_id: z.string().describe('Id of the test.'),
    conversation_id: z.string().optional(),
    description: z.string().optional(),
    criteria: z.string().optional(),
    note: z.string().optional(),
    tags: texts.describe("The test's tags, with those of its suite."),
    metadata: z.record(z.string(), z.unknown()).describe("The test's metadata."),
    input: z.array(z.unknown()).describe('The messages; files by their path and a hash of their content.'),
    expected_output: z.unknown().optional(),
    target: z.string().describe('Name of the target.'),
    provider: z.string().describe('Its provider.'),
    model: z.string().optional().describe('The model that answered.'),
    trial: z.int().min(1).describe('Which trial of the test.'),
    rerun: z.int().min(1).optional().describe('The rerun in which it was made again; absent where it was made once.'),
    added: z.literal(true).optional().describe('The rerun added it, because another trial of the test had failed.'),
    timestamp: z.string().describe('When the attempt began.'),
    score: score.nullable().describe('In 0..1; null on an error.'),
    verdict: verdict.describe('pass, borderline, fail or error.'),
    hits: texts.describe('The hits of all checks.'),
    misses: texts.describe('The misses of all checks.'),
    answer: z.string().nullable().describe('The answer as text.'),
    answer_number: z
      .int()
      .min(1)
      .optional()
      .describe('Which answer to the attempt in `answers.jsonl` was judged, from 1.'),
    cached: z.literal(true).optional().describe('The answer was taken from the cache.'),
    failed_calls: z.int().min(1).optional().describe('How often the agent failed before it gave this answer.'),
    output_messages: z.array(outputMessageSchema).optional().describe('The transcript, where one was given.'),
    finish_reason: z.string().optional(),
    trace_summary: traceSummarySchema.optional(),
    token_usage: tokenUsageSchema.optional(),
    cost_usd: z.number().min(0).optional(),
    duration_ms: z.number().min(0).optional().describe('How long the answer took.'),
    elapsed_ms: z
      .number()
      .min(0)
      .optional()
      .describe('How long an attempt without an answer took, with its retries and waits.'),
    judge_usage: judgeUsageSchema.optional(),
    trigger_threshold: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe("The suite's share of trials from which on a skill counts as used, where it has one."),
    workspace_path: z
      .string()
      .optional()
      .describe('The folder in which the target worked, where it had one of its own. It is removed after a pass.'),
    evaluator_results: z.array(evaluatorResultSchema).describe('What each check found.'),
    error: errorSchema.optional(),
    worker: z.string().optional().describe('The worker that made it, where workers did.'),
    partial: z.string().optional().describe('Only in reports: of which part of the suites, where not all was run.'),
    report_results: z.int().min(1).optional().describe('Only in reports: how many results the report has.'),
    not_made: z.int().min(1).optional().describe('Only in reports: how many attempts of the run have no result.'),
  })
  .describe('One judged attempt.')

export type Result = z.output<typeof resultSchema>
export type RubricItem = z.output<typeof itemSchema>
export type JudgeUsage = z.output<typeof judgeUsageSchema>
export type Trigger = z.output<typeof triggerSchema>
export type EvaluatorResult = z.output<typeof evaluatorResultSchema>
type TraceSummary = z.output<typeof traceSummarySchema>

/** A transcript in numbers. */
export function traceSummary(messages: readonly OutputMessage[]): TraceSummary {
  const calls = messages.flatMap(({ tool_calls = [] }) => tool_calls)
  const byName = new Map<string, number>()
  for (const { tool } of calls) byName.set(tool, (byName.get(tool) ?? 0) + 1)
  return {
    event_count: calls.length,
    tool_names: [...byName.keys()],
    tool_calls_by_name: Object.fromEntries(byName),
    error_count: calls.filter(({ error }) => error !== undefined).length,
    llm_call_count: messages.filter(({ role }) => role === 'assistant').length,
  }
}

/** What checks found about the use of skills, at whatever depth; undefined where none is about that. */
export function triggersIn(checks: readonly EvaluatorResult[]): readonly Trigger[] | undefined {
  if (!checks.some(isAboutSkills)) return undefined
  return checks.flatMap(({ trigger, evaluator_results: inside = [] }) => [
    ...(trigger ? [trigger] : []),
    ...(triggersIn(inside) ?? []),
  ])
}

function isAboutSkills({ trigger, evaluator_results: inside }: EvaluatorResult): boolean {
  return trigger !== undefined || (inside?.some(isAboutSkills) ?? false)
}

/** An attempt as people see it: `greets on default trial 2`. */
export function attemptName({ test_id, target, trial }: Pick<Result, 'test_id' | 'target' | 'trial'>): string {
  return `${printableLine(test_id)} on ${printableLine(target)}${trial > 1 ? ` trial ${trial}` : ''}`
}
