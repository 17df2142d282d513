import { lazily } from '../lib/lazily.ts'
import * as z from '../lib/zod.ts'
import { nestedValue, outputMessageSchema, tokenUsageSchema } from './answer.ts'
import { traceSummarySchema } from './trace-summary.ts'

const messages = lazily(() => z.array(z.looseObject({ role: z.string(), content: z.unknown().optional() })))
const outputMessages = lazily(() => z.array(outputMessageSchema()))
const files = lazily(() => z.array(z.string()))
const figure = lazily(() => z.number().nullable())

const summary = lazily(() =>
  traceSummarySchema().extend({
    cost_usd: figure().describe('Cost of the answer in US dollars.'),
    duration_ms: figure().describe('Duration of the answer in milliseconds.'),
  }),
)

const camelSummary = lazily(() =>
  z.strictObject({
    eventCount: z.int(),
    toolNames: z.array(z.string()),
    toolCallsByName: z.record(z.string(), z.int()),
    errorCount: z.int(),
    llmCallCount: z.int(),
    subagentEventCount: z.int().optional(),
    subagentLlmCallCount: z.int().optional(),
    costUsd: figure(),
    durationMs: figure(),
  }),
)

/** The input of a judge program on stdin, as one JSON object. Every key is present; unknown values are empty or null. */
export const judgeInputSchema = lazily(() =>
  z
    .strictObject({
      test_id: z.string().describe('Id of the test.'),
      question: z.string().describe('The prompt as text. Files are in `input_files`.'),
      criteria: z.string().describe('Criteria of the test; empty if it has none.'),
      answer: z.string().describe('The answer as text.'),
      candidate_answer: z.string().describe('The same as `answer`.'),
      reference_answer: z.string().describe('The expected output as text; empty if the test has none.'),
      input_messages: messages().describe('The input messages; files with their absolute path and their text.'),
      input: messages().describe('The same as `input_messages`.'),
      expected_messages: messages().describe('The expected output as messages.'),
      expected_output: messages().describe('The same as `expected_messages`.'),
      output_messages: outputMessages().describe(
        'The transcript; an answer without one is one assistant message. Messages of subagents have an `agent_id`.',
      ),
      output: outputMessages().describe('The same as `output_messages`.'),
      has_transcript: z
        .boolean()
        .describe('Whether the target gave a transcript. Without one, its tool calls are unknown and counted as 0.'),
      guideline_files: files().describe('Always empty: suites have no guideline files.'),
      input_files: files().describe('Absolute paths of the files in the input.'),
      note: z.string().describe('Note for judges; empty if the test has none.'),
      metadata: z.record(z.string(), z.unknown()).describe('Metadata of the test.'),
      target: z.string().describe('Name of the target.'),
      trial: z.int().describe('Number of the trial, from 1.'),
      workspace_path: z.string().nullable().describe('Workspace of the agent; null if it had none.'),
      trace: summary().describe('The same as `trace_summary`.'),
      trace_summary: summary(),
      token_usage: tokenUsageSchema().nullable(),
      cost_usd: figure().describe('Cost of the answer in US dollars.'),
      duration_ms: figure().describe('Duration of the answer in milliseconds.'),
      config: z.record(z.string(), z.unknown()).describe('The settings of the check.'),
      testId: z.string().describe('The same as `test_id`.'),
      candidateAnswer: z.string().describe('The same as `answer`.'),
      referenceAnswer: z.string().describe('The same as `reference_answer`.'),
      inputMessages: messages().describe('The same as `input_messages`.'),
      expectedMessages: messages().describe('The same as `expected_messages`.'),
      expectedOutput: messages().describe('The same as `expected_messages`.'),
      outputMessages: outputMessages().describe('The same as `output_messages`.'),
      hasTranscript: z.boolean().describe('The same as `has_transcript`.'),
      guidelineFiles: files().describe('The same as `guideline_files`.'),
      inputFiles: files().describe('The same as `input_files`.'),
      workspacePath: z.string().nullable().describe('The same as `workspace_path`.'),
      traceSummary: camelSummary().describe('The same as `trace_summary`, with keys in camelCase.'),
      tokenUsage: tokenUsageSchema()
        .required({ input: true, output: true })
        .nullable()
        .describe('The same as `token_usage` if input and output are both known, else null.'),
      costUsd: figure().describe('The same as `cost_usd`.'),
      durationMs: figure().describe('The same as `duration_ms`.'),
    })
    .describe('Input of a judge program on stdin.'),
)

export type JudgeInput = z.output<ReturnType<typeof judgeInputSchema>>

const texts = lazily(() => z.array(z.string()).nullish())

const assertion = lazily(() =>
  z.looseObject({
    text: z.string().describe('The assertion.'),
    passed: z.boolean().describe('Whether the assertion holds.'),
    evidence: z.string().nullish().describe('Evidence for or against it.'),
  }),
)

/** The output of a judge program: a score, or assertions from which it is computed. */
export const judgeOutputSchema = lazily(() =>
  z
    .looseObject({
      score: z.number().min(0).max(1).optional().describe('From 0 to 1.'),
      hits: texts().describe('What speaks for the answer.'),
      misses: texts().describe('What speaks against it.'),
      reasoning: z.string().nullish().describe('Why.'),
      details: nestedValue().optional().describe('Further details to record.'),
      assertions: z
        .array(assertion())
        .optional()
        .describe('Assertions. Without a `score`, the score is the share that holds.'),
    })
    .refine(({ score, assertions = [] }) => score !== undefined || assertions.length > 0, {
      path: ['score'],
      error: 'it is missing, and there are no assertions',
    })
    .meta({ anyOf: [{ required: ['score'] }, { required: ['assertions'] }] })
    .describe('Output of a judge program.'),
)

export type JudgeOutput = z.output<ReturnType<typeof judgeOutputSchema>>
