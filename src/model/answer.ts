import * as z from 'zod'
import { nestedValue } from './nested-value.ts'

const tokens = (what: string) => z.int().min(0).optional().describe(what)

export const tokenUsageSchema = z
  .strictObject({
    input: tokens('Input tokens.'),
    output: tokens('Output tokens.'),
    cached: tokens('Input tokens that came from a cache.'),
    reasoning: tokens('Output tokens spent on reasoning.'),
  })
  .describe('Tokens, as far as they were reported.')

export const toolCallSchema = z
  .strictObject({
    tool: z.string().min(1).describe('Name of the tool, in the words that all providers share.'),
    raw_tool: z.string().optional().describe("The agent's own name of the tool, where it differs."),
    input: nestedValue.optional().describe('Its arguments.'),
    output: nestedValue.optional().describe('Its result.'),
    duration_ms: z.number().min(0).optional().describe('How long it took.'),
    error: z.string().optional().describe('Why it failed.'),
  })
  .describe('A call of a tool.')

export const outputMessageSchema = z
  .strictObject({
    role: z.string().min(1).describe('Who speaks.'),
    content: nestedValue.optional().describe('What is said.'),
    tool_calls: z.array(toolCallSchema).optional().describe('The calls made, in order.'),
    agent_id: z.string().optional().describe('The subagent that speaks; absent for the agent itself.'),
  })
  .describe('A message of an answer.')

/** What a target gave. Without `output_messages` it is text only: nothing is known of the way to it. */
export const answerSchema = z
  .strictObject({
    text: z.string().describe('The answer as text.'),
    answer_number: z.int().min(1).optional().describe('Which answer to its attempt it is, in its run.'),
    output_messages: z.array(outputMessageSchema).optional().describe('The transcript, where one was given.'),
    token_usage: tokenUsageSchema.optional(),
    cost_usd: z.number().min(0).optional().describe('What it cost, in US dollars.'),
    duration_ms: z.number().min(0).optional().describe('How long it took: as reported, else as measured.'),
    model: z.string().optional().describe('The model that answered.'),
    finish_reason: z.string().optional().describe('Why the model stopped.'),
    other_events: z.array(nestedValue).optional().describe('What else an agent reported, as it came.'),
    workspace_path: z.string().optional().describe('The folder in which the target worked for this answer alone.'),
    failed_calls: z.int().min(1).optional().describe('How often the agent failed before it gave this answer.'),
    cached: z.literal(true).optional().describe('Taken from the cache: the target was not asked.'),
  })
  .describe('What a target gave.')

export type TokenUsage = z.output<typeof tokenUsageSchema>
export type ToolCall = z.output<typeof toolCallSchema>
export type OutputMessage = z.output<typeof outputMessageSchema>
export type Answer = z.output<typeof answerSchema>
