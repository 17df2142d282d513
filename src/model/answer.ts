import * as z from 'zod'
import { isNestedWithin } from '../lib/objects.ts'
import { DEEPEST_ANSWER, TOO_DEEP } from './answer-limits.ts'

/** Any value of an answer or of a judge, nested no deeper than can be written down and compared. */
export const nestedValue = z.unknown().refine(value => isNestedWithin(value, DEEPEST_ANSWER), TOO_DEEP)

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

/** An answer as it arrived: a line of `answers.jsonl`. */
export const answerRecordSchema = z.strictObject({
  attempt_id: z.string(),
  request_id: z.string(),
  test_id: z.string(),
  target: z.string(),
  trial: z.int().min(1),
  timestamp: z.string(),
  answer: answerSchema,
})

export type AnswerRecord = z.output<typeof answerRecordSchema>

/** Input and output together, where both are known. Cached tokens are part of the one, reasoning of the other. */
export function totalTokens(usage: TokenUsage | undefined): number | undefined {
  return usage?.input === undefined || usage.output === undefined ? undefined : usage.input + usage.output
}

/** Why a target gave no answer. */
export const NO_ANSWER_CODES = [
  ...(['timeout', 'network', 'http-status', 'bad-response', 'program-failed', 'program-missing'] as const),
  ...(['output-too-large', 'prompt-too-long', 'bad-prompt', 'empty-answer', 'no-match', 'no-recording'] as const),
  ...(['target-error', 'bad-workspace'] as const),
] as const

export type NoAnswerCode = (typeof NO_ANSWER_CODES)[number]

/** Reasons that come before the agent: a connection, a program or a prompt that was not there. */
const BEFORE_THE_AGENT: readonly NoAnswerCode[] = [
  ...(['network', 'program-missing', 'bad-workspace'] as const),
  ...(['prompt-too-long', 'bad-prompt', 'no-match', 'no-recording'] as const),
]

interface NoAnswerFacts {
  /** Whether asking again may help. */
  readonly retryable?: boolean
  /** How long the other side asks us to wait. */
  readonly retry_after_ms?: number | undefined
  /** Whether the other side said that there were too many calls. */
  readonly overloaded?: boolean
  /** The folder in which the target worked, where it had one of its own. */
  readonly workspace_path?: string | undefined
  /** Whether the agent was never reached, so that this says nothing of it. Default: what the code means. */
  readonly never_reached?: boolean
  /** Whether this is how the target failed before, taken from the cache. */
  readonly cached?: boolean
}

/** A target that gave no answer, in words for people. It is never a score of 0. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
  readonly code: NoAnswerCode
  readonly retryable: boolean
  readonly retry_after_ms: number | undefined
  readonly overloaded: boolean
  readonly workspace_path: string | undefined
  readonly never_reached: boolean
  readonly cached: boolean

  constructor(code: NoAnswerCode, message: string, facts: NoAnswerFacts = {}) {
    super(message)
    this.code = code
    this.retryable = facts.retryable ?? false
    this.retry_after_ms = facts.retry_after_ms
    this.overloaded = facts.overloaded ?? false
    this.workspace_path = facts.workspace_path
    this.never_reached = facts.never_reached ?? BEFORE_THE_AGENT.includes(code)
    this.cached = facts.cached ?? false
  }
}
