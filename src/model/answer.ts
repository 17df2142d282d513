import { lazily } from '../lib/lazily.ts'
import { isNestedWithin } from '../lib/objects.ts'
import * as z from '../lib/zod.ts'
import { DEEPEST_ANSWER, TOO_DEEP } from './answer-limits.ts'
import { changesSchema } from './changes.ts'
import { type MockCall, mockCallSchema, mockStateSchema } from './mock-call.ts'

/** A value of an answer or of a judge, within the maximum depth. */
export const nestedValue = lazily(() => z.unknown().refine(value => isNestedWithin(value, DEEPEST_ANSWER), TOO_DEEP))

const tokens = (what: string) => z.int().min(0).optional().describe(what)

export const tokenUsageSchema = lazily(() =>
  z
    .strictObject({
      input: tokens('Input tokens.'),
      output: tokens('Output tokens.'),
      cached: tokens('Input tokens read from a cache.'),
      reasoning: tokens('Output tokens spent on reasoning.'),
    })
    .describe('Token usage, as far as it was reported.'),
)

export const toolCallSchema = lazily(() =>
  z
    .strictObject({
      tool: z.string().min(1).describe('Name of the tool, normalized across providers.'),
      raw_tool: z.string().optional().describe("The agent's name of the tool, if it differs."),
      input: nestedValue().optional().describe('Arguments of the call.'),
      output: nestedValue().optional().describe('Result of the call.'),
      duration_ms: z.number().min(0).optional().describe('Duration in milliseconds.'),
      error: z.string().optional().describe('Why the call failed.'),
    })
    .describe('A tool call.'),
)

export const outputMessageSchema = lazily(() =>
  z
    .strictObject({
      role: z.string().min(1).describe('Role of the speaker.'),
      content: nestedValue().optional().describe('Content of the message.'),
      tool_calls: z.array(toolCallSchema()).optional().describe('The tool calls, in order.'),
      agent_id: z.string().optional().describe('Id of the subagent; absent for the agent itself.'),
    })
    .describe('A message of an answer.'),
)

/** The answer of a target. Without `output_messages` its tool calls are unknown. */
export const answerSchema = lazily(() =>
  z
    .strictObject({
      text: z.string().describe('The answer as text.'),
      answer_number: z.int().min(1).optional().describe('Number of the answer among those of its attempt, from 1.'),
      output_messages: z.array(outputMessageSchema()).optional().describe('The transcript, if the target gave one.'),
      token_usage: tokenUsageSchema().optional(),
      cost_usd: z.number().min(0).optional().describe('Cost in US dollars.'),
      duration_ms: z.number().min(0).optional().describe('Duration in milliseconds: reported, else measured.'),
      model: z.string().optional().describe('The model that answered.'),
      finish_reason: z.string().optional().describe('Why the model stopped.'),
      other_events: z.array(nestedValue()).optional().describe('Other events of an agent, unchanged.'),
      workspace_path: z.string().optional().describe('Workspace of the target for this answer.'),
      workspace_hash: z
        .string()
        .optional()
        .describe('Hash of the names, sizes and times of change of the files in the workspace after the agent.'),
      workspace_altered: z
        .literal(true)
        .optional()
        .describe('The files of the workspace are no longer as the agent left them, such as after a `command` check.'),
      changes: changesSchema().optional(),
      mock_calls: z.array(mockCallSchema()).optional().describe('The calls to mocked tools, in order.'),
      state: mockStateSchema().optional(),
      failed_calls: z.int().min(1).optional().describe('Number of failed calls before this answer.'),
      cached: z.literal(true).optional().describe('The answer came from the cache.'),
    })
    .describe('The answer of a target.'),
)

export type TokenUsage = z.output<ReturnType<typeof tokenUsageSchema>>
export type ToolCall = z.output<ReturnType<typeof toolCallSchema>>
export type OutputMessage = z.output<ReturnType<typeof outputMessageSchema>>
export type Answer = z.output<ReturnType<typeof answerSchema>>

/** A recorded answer: a line of `answers.jsonl`. */
export const answerRecordSchema = lazily(() =>
  z.strictObject({
    attempt_id: z.string(),
    request_id: z.string(),
    test_id: z.string(),
    target: z.string(),
    trial: z.int().min(1),
    timestamp: z.string(),
    answer: answerSchema(),
  }),
)

export type AnswerRecord = z.output<ReturnType<typeof answerRecordSchema>>

/** Input plus output, if both are known. Cached tokens are part of the input, reasoning tokens of the output. */
export function totalTokens(usage: TokenUsage | undefined): number | undefined {
  return usage?.input === undefined || usage.output === undefined ? undefined : usage.input + usage.output
}

/** Why a target gave no answer. */
export const NO_ANSWER_CODES = [
  ...(['timeout', 'network', 'http-status', 'bad-response', 'program-failed', 'program-missing'] as const),
  ...(['output-too-large', 'prompt-too-long', 'bad-prompt', 'empty-answer', 'no-match', 'no-recording'] as const),
  ...(['target-error', 'bad-workspace', 'setup-failed', 'sandbox-failed'] as const),
  ...(['bad-mocks', 'unmocked-call', 'bad-mock-call'] as const),
] as const

export type NoAnswerCode = (typeof NO_ANSWER_CODES)[number]

/** Codes of failures before the agent was reached. */
const BEFORE_THE_AGENT: readonly NoAnswerCode[] = [
  ...(['network', 'program-missing', 'bad-workspace', 'setup-failed', 'sandbox-failed', 'bad-mocks'] as const),
  ...(['prompt-too-long', 'bad-prompt', 'no-match', 'no-recording'] as const),
]

interface NoAnswerFacts {
  /** Whether a retry may help. */
  readonly retryable?: boolean
  /** How long the service asks to wait. */
  readonly retry_after_ms?: number | undefined
  /** Whether the service reported too many requests. */
  readonly overloaded?: boolean
  /** The workspace of the target, if it had one. */
  readonly workspace_path?: string | undefined
  /** The calls to mocked tools, and the state of the mocked servers. */
  readonly mock_calls?: readonly MockCall[] | undefined
  readonly state?: Answer['state']
  /** Whether the agent was never reached, so that a rerun replaces the attempt. Default: depends on the code. */
  readonly never_reached?: boolean
  /** Whether the failure came from the cache. */
  readonly cached?: boolean
}

/** A target gave no answer. This is an error, never a score of 0. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
  readonly code: NoAnswerCode
  readonly retryable: boolean
  readonly retry_after_ms: number | undefined
  readonly overloaded: boolean
  readonly workspace_path: string | undefined
  readonly mock_calls: readonly MockCall[] | undefined
  readonly state: Answer['state']
  readonly never_reached: boolean
  readonly cached: boolean

  constructor(code: NoAnswerCode, message: string, facts: NoAnswerFacts = {}) {
    super(message)
    this.code = code
    this.retryable = facts.retryable ?? false
    this.retry_after_ms = facts.retry_after_ms
    this.overloaded = facts.overloaded ?? false
    this.workspace_path = facts.workspace_path
    this.mock_calls = facts.mock_calls
    this.state = facts.state
    this.never_reached = facts.never_reached ?? BEFORE_THE_AGENT.includes(code)
    this.cached = facts.cached ?? false
  }
}
