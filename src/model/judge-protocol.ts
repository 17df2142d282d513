import * as z from 'zod'
import { nestedValue, outputMessageSchema, tokenUsageSchema } from './answer.ts'
import { traceSummarySchema } from './result.ts'

const messages = z.array(z.looseObject({ role: z.string(), content: z.unknown().optional() }))
const outputMessages = z.array(outputMessageSchema)
const files = z.array(z.string())
const figure = z.number().nullable()

const summary = traceSummarySchema.extend({
  cost_usd: figure.describe('What the answer cost, in US dollars.'),
  duration_ms: figure.describe('How long it took.'),
})

const camelSummary = z.strictObject({
  eventCount: z.int(),
  toolNames: z.array(z.string()),
  toolCallsByName: z.record(z.string(), z.int()),
  errorCount: z.int(),
  llmCallCount: z.int(),
  costUsd: figure,
  durationMs: figure,
})

/** What a program that judges gets on stdin, as one JSON object. Every key is always there; what is not known is empty. */
export const judgeInputSchema = z
  .strictObject({
    test_id: z.string().describe('Id of the test.'),
    question: z.string().describe('What was asked, as text. Files are in `input_files`.'),
    criteria: z.string().describe('What makes an answer a good one; empty where the test has none.'),
    answer: z.string().describe('The answer as text.'),
    candidate_answer: z.string().describe('The same as `answer`.'),
    reference_answer: z.string().describe('The expected output as text; empty where the test has none.'),
    input_messages: messages.describe('What was asked; files with their absolute path and their text.'),
    input: messages.describe('The same as `input_messages`.'),
    expected_messages: messages.describe('The expected output as messages.'),
    expected_output: messages.describe('The same as `expected_messages`.'),
    output_messages: outputMessages.describe('The transcript; an answer that is text only is one assistant message.'),
    output: outputMessages.describe('The same as `output_messages`.'),
    has_transcript: z
      .boolean()
      .describe('Whether the target gave a transcript. Without one, its tool calls are unknown and counted as 0.'),
    guideline_files: files.describe('Always empty: a suite has no guideline files.'),
    input_files: files.describe('Absolute paths of the files in the input.'),
    note: z.string().describe('Context for judges; empty where the test has none.'),
    metadata: z.record(z.string(), z.unknown()).describe("The test's metadata."),
    target: z.string().describe('Name of the target.'),
    trial: z.int().describe('Which trial, from 1.'),
    workspace_path: z.string().nullable().describe('The folder that the agent worked in, where it had its own.'),
    trace: summary.describe('The same as `trace_summary`.'),
    trace_summary: summary,
    token_usage: tokenUsageSchema.nullable(),
    cost_usd: figure.describe('What the answer cost, in US dollars.'),
    duration_ms: figure.describe('How long it took.'),
    config: z.record(z.string(), z.unknown()).describe('The settings of the check.'),
    testId: z.string().describe('The same as `test_id`.'),
    candidateAnswer: z.string().describe('The same as `answer`.'),
    referenceAnswer: z.string().describe('The same as `reference_answer`.'),
    inputMessages: messages.describe('The same as `input_messages`.'),
    expectedMessages: messages.describe('The same as `expected_messages`.'),
    expectedOutput: messages.describe('The same as `expected_messages`.'),
    outputMessages: outputMessages.describe('The same as `output_messages`.'),
    hasTranscript: z.boolean().describe('The same as `has_transcript`.'),
    guidelineFiles: files.describe('The same as `guideline_files`.'),
    inputFiles: files.describe('The same as `input_files`.'),
    workspacePath: z.string().nullable().describe('The same as `workspace_path`.'),
    traceSummary: camelSummary.describe('The same as `trace_summary`, its keys in camelCase.'),
    tokenUsage: tokenUsageSchema
      .required({ input: true, output: true })
      .nullable()
      .describe('The same as `token_usage` where input and output are both known, else null.'),
    costUsd: figure.describe('The same as `cost_usd`.'),
    durationMs: figure.describe('The same as `duration_ms`.'),
  })
  .describe('What a program that judges gets on stdin.')

export type JudgeInput = z.output<typeof judgeInputSchema>

const texts = z.array(z.string()).nullish()

const assertion = z.looseObject({
  text: z.string().describe('What is claimed.'),
  passed: z.boolean().describe('Whether it holds.'),
  evidence: z.string().nullish().describe('What shows it.'),
})

/** What a program that judges prints: a score, or claims of which the score is made. */
export const judgeOutputSchema = z
  .looseObject({
    score: z.number().min(0).max(1).optional().describe('In 0..1.'),
    hits: texts.describe('What speaks for the answer.'),
    misses: texts.describe('What speaks against it.'),
    reasoning: z.string().nullish().describe('Why.'),
    details: nestedValue.optional().describe('Anything else that is to be recorded.'),
    assertions: z.array(assertion).optional().describe('Claims; without a `score`, it is the share that holds.'),
  })
  .refine(({ score, assertions = [] }) => score !== undefined || assertions.length > 0, {
    path: ['score'],
    error: 'it is missing, and there are no claims',
  })
  .meta({ anyOf: [{ required: ['score'] }, { required: ['assertions'] }] })
  .describe('What a program that judges prints.')

export type JudgeOutput = z.output<typeof judgeOutputSchema>
