import { lazily } from '../../lib/lazily.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import * as z from '../../lib/zod.ts'
import { nestedValue } from '../answer.ts'

/** Rules of the JSON Schema of a call: one name, and its arguments once. */
const CALL_RULES = {
  anyOf: [
    { required: ['tool'], properties: { tool: { type: 'string', minLength: 1 } } },
    { required: ['function'], properties: { function: { type: 'object' } } },
  ],
  allOf: [
    { not: { required: ['input', 'args'] } },
    ...['input', 'args'].map(key => ({
      not: { required: [key, 'function'], properties: { function: { type: 'object', required: ['arguments'] } } },
    })),
  ],
}

/** Rules of the JSON Schema of an answer: one part is the answer, and calls are given once. */
const ANSWER_RULES = {
  anyOf: ['text', 'output', 'output_messages', 'tool_calls', 'error'].map(key => ({
    required: [key],
    properties: { [key]: { not: { type: 'null' } } },
  })),
  allOf: ['output', 'output_messages'].map(key => ({
    not: {
      required: [key, 'tool_calls'],
      properties: { [key]: { type: 'array' }, tool_calls: { type: 'array', minItems: 1 } },
    },
  })),
}

/** How objects treat unknown keys: `z.strictObject` rejects them, `z.object` removes them. */
type ObjectSchema = typeof z.strictObject

const text = () => z.string().nullish()
const milliseconds = () => z.number().min(0).nullish()
const time = () => z.datetime({ offset: true, local: true }).nullish()
const count = () => z.int().min(0).nullish()
const details = () => z.record(z.string(), z.unknown()).nullish()

function callSchema(object: ObjectSchema) {
  return object({
    tool: text().describe('Name of the tool. Required unless `function` is given.'),
    input: nestedValue().optional().describe('Arguments of the call, as any JSON value.'),
    args: nestedValue().optional().describe('Another name of `input`.'),
    function: object({
      name: z.string().min(1).describe('Name of the tool.'),
      arguments: nestedValue().optional().describe('Arguments, as a string of JSON or as a value.'),
    })
      .nullish()
      .describe('Name and arguments in the form of the OpenAI API, in place of `tool` and `input`.'),
    output: nestedValue()
      .optional()
      .describe('Result of the call. Default: the message whose `tool_call_id` is its `id`.'),
    error: text().describe('Why the call failed.'),
    duration_ms: milliseconds().describe('Duration in milliseconds. Default: from `start_time` to `end_time`.'),
    start_time: time().describe('Start of the call, in ISO 8601.'),
    end_time: time().describe('End of the call, in ISO 8601; not before `start_time`.'),
    raw_tool: text().describe("The agent's name of the tool, if `tool` is a normalized one."),
    id: text().describe('Id of the call. Not recorded.'),
    type: text().describe('Type of the call, such as `function`. Not recorded.'),
  }).meta({ description: 'A tool call.', ...CALL_RULES })
}

const ROLES = ['system', 'user', 'assistant', 'tool', 'developer', 'function'] as const

/** A known role: with any other, the answer of the assistant would be lost. */
const knownRole: () => z.ZodType<string, string> = lazily(() =>
  z.enum(ROLES, {
    error: ({ input }) => {
      const problem = typeof input === 'string' ? `${quoteCode(input)} is unknown` : 'is missing or not a string'
      return `${problem}; use \`system\`, \`user\`, \`assistant\`, \`tool\`, \`developer\` or \`function\``
    },
  }),
)

function messageSchema(object: ObjectSchema, role: z.ZodType<string, string> = knownRole()) {
  return object({
    role: role.describe('Role of the speaker.'),
    content: nestedValue().optional().describe('A string, or a list of blocks.'),
    tool_calls: z.array(callSchema(object)).nullish().describe('The tool calls, in order.'),
    tool_call_id: text().describe('For the result of a call: the `id` of the call.'),
    agent_id: text().describe('Id of the subagent; absent for the agent itself.'),
    name: text().describe('Name of the speaker or of the tool. Not recorded.'),
    id: text().describe('Id of the message. Not recorded.'),
    timestamp: z.union([z.string(), z.number()]).nullish().describe('Time of the message. Not recorded.'),
    start_time: time().describe('Start of the message. Not recorded.'),
    end_time: time().describe('End of the message. Not recorded.'),
    duration_ms: milliseconds().describe('Duration in milliseconds. Not recorded.'),
    metadata: nestedValue().optional().describe('Other data. Not recorded.'),
  }).describe('A message of the transcript.')
}

function usageSchema(object: ObjectSchema) {
  return object({
    input: count().describe('Input tokens, including cached ones.'),
    output: count().describe('Output tokens, including reasoning.'),
    cached: count().describe('Input tokens read from a cache.'),
    reasoning: count().describe('Output tokens spent on reasoning.'),
    input_tokens: count().describe(
      'Another name of `input`; without cached tokens if `cache_read_input_tokens` or `cache_creation_input_tokens` is given.',
    ),
    prompt_tokens: count().describe('Another name of `input`.'),
    output_tokens: count().describe('Another name of `output`.'),
    completion_tokens: count().describe('Another name of `output`.'),
    cached_tokens: count().describe('Another name of `cached`.'),
    cache_read_input_tokens: count().describe('Another name of `cached`; added to `input_tokens`.'),
    reasoning_tokens: count().describe('Another name of `reasoning`.'),
    prompt_tokens_details: details().describe('An object with `cached_tokens`.'),
    completion_tokens_details: details().describe('An object with `reasoning_tokens`.'),
    input_tokens_details: details().describe('An object with `cached_tokens`.'),
    output_tokens_details: details().describe('An object with `reasoning_tokens`.'),
    total: count().describe('Not recorded: the sum of the others.'),
    total_tokens: count().describe('Not recorded: the sum of the others.'),
    cache_creation_input_tokens: count().describe('Input tokens written to a cache; added to `input_tokens`.'),
  }).describe('Token usage, under these names or those of common services.')
}

function answerSchema(object: ObjectSchema) {
  return object({
    text: nestedValue().optional().describe('The answer as a string; any other value becomes JSON.'),
    output: nestedValue().optional().describe('Another name of `text`; a list is read as `output_messages`.'),
    output_messages: z
      .array(messageSchema(object))
      .nullish()
      .describe(
        'The transcript. Without `text`, the last text of the assistant itself, not of a subagent, is the answer.',
      ),
    tool_calls: z.array(callSchema(object)).nullish().describe('The tool calls, if there is no `output_messages`.'),
    token_usage: usageSchema(object).nullish(),
    cost_usd: z.number().min(0).nullish().describe('Cost in US dollars.'),
    duration_ms: milliseconds().describe('Duration in milliseconds. Default: measured.'),
    model: text().describe('The model that answered.'),
    finish_reason: text().describe('Why the model stopped.'),
    error: nestedValue()
      .optional()
      .describe('Why there is no answer. Any value other than null makes the attempt an error.'),
  }).meta({ description: 'The answer of a program or server, in parts.', ...ANSWER_RULES })
}

const laxObject = z.object as unknown as ObjectSchema

/** The answers that programs and servers may give: for reading, the JSON Schema and the guide. */
export const writtenAnswerSchema = lazily(() => answerSchema(z.strictObject))
export const writtenMessagesSchema = lazily(() => z.array(messageSchema(z.strictObject)))

/** The same schemas, ignoring unknown keys. */
export const laxAnswerSchema = lazily(() => answerSchema(laxObject))
export const laxMessagesSchema = lazily(() => z.array(messageSchema(laxObject)))

/** Messages of a log, which may have any role. */
export const loggedMessagesSchema = lazily(() => z.array(messageSchema(laxObject, z.string().min(1))))

export type WrittenAnswer = z.output<ReturnType<typeof writtenAnswerSchema>>
export type WrittenMessage = z.output<ReturnType<typeof writtenMessagesSchema>>[number]
export type WrittenCall = NonNullable<WrittenMessage['tool_calls']>[number]
export type WrittenUsage = NonNullable<WrittenAnswer['token_usage']>

/** Known keys of the object at a path, for suggestions. */
export function keysAt(path: readonly PropertyKey[]): readonly string[] {
  const last = path.findLast(step => typeof step === 'string')
  return knownKeys().get(last) ?? knownKeys().get(undefined) ?? []
}

const message = lazily(() => messageSchema(z.strictObject))
const call = lazily(() => callSchema(z.strictObject))

const knownKeys = lazily(
  () =>
    new Map<PropertyKey | undefined, readonly string[]>([
      [undefined, Object.keys(writtenAnswerSchema().shape)],
      ['output', Object.keys(message().shape)],
      ['output_messages', Object.keys(message().shape)],
      ['tool_calls', Object.keys(call().shape)],
      ['function', ['name', 'arguments']],
      ['token_usage', Object.keys(usageSchema(z.strictObject).shape)],
    ]),
)
