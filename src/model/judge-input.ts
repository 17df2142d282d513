import * as z from 'zod'
import { outputMessageSchema, tokenUsageSchema } from './answer.ts'
import { traceSummarySchema } from './result.ts'

const messages = z.array(z.looseObject({ role: z.string(), content: z.unknown().optional() }))
const files = z.array(z.string())

const camelSummary = z
  .strictObject({
    eventCount: z.int(),
    toolNames: z.array(z.string()),
    toolCallsByName: z.record(z.string(), z.int()),
    errorCount: z.int(),
    llmCallCount: z.int(),
  })
  .optional()

/** What a program that judges gets on stdin, as one JSON object. What is not known is left out. */
export const judgeInputSchema = z
  .strictObject({
    test_id: z.string().describe('Id of the test.'),
    question: z.string().describe('What was asked, as text. Files are in `input_files`.'),
    criteria: z.string().optional().describe('What makes an answer a good one.'),
    answer: z.string().describe('The answer as text.'),
    reference_answer: z.string().optional().describe('The expected output as text.'),
    input_messages: messages.describe('What was asked; files with their absolute path and their text.'),
    expected_messages: messages.describe('The expected output as messages.'),
    output_messages: z.array(outputMessageSchema).optional().describe('The transcript, where the target gave one.'),
    input_files: files.describe('Absolute paths of the files in the input.'),
    note: z.string().optional().describe('Context for judges.'),
    metadata: z.record(z.string(), z.unknown()).describe("The test's metadata."),
    target: z.string().describe('Name of the target.'),
    trial: z.int().describe('Which trial, from 1.'),
    workspace_path: z.string().optional().describe('The folder that the agent worked in.'),
    trace_summary: traceSummarySchema.optional(),
    token_usage: tokenUsageSchema.optional(),
    cost_usd: z.number().optional().describe('What the answer cost, in US dollars.'),
    duration_ms: z.number().optional().describe('How long it took.'),
    config: z.record(z.string(), z.unknown()).describe('The settings of the check.'),
    candidateAnswer: z.string().describe('The same as `answer`.'),
    candidate_answer: z.string().describe('The same as `answer`.'),
    referenceAnswer: z.string().optional().describe('The same as `reference_answer`.'),
    expectedMessages: messages.describe('The same as `expected_messages`.'),
    outputMessages: z.array(outputMessageSchema).optional().describe('The same as `output_messages`.'),
    inputMessages: messages.describe('The same as `input_messages`.'),
    inputFiles: files.describe('The same as `input_files`.'),
    traceSummary: camelSummary.describe('The same as `trace_summary`, its keys in camelCase.'),
    expected_output: messages.describe('The same as `expected_messages`.'),
    input: messages.describe('The same as `input_messages`.'),
    output: z.array(outputMessageSchema).optional().describe('The same as `output_messages`.'),
  })
  .describe('What a program that judges gets on stdin.')

export type JudgeInput = z.output<typeof judgeInputSchema>
