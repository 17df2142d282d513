import * as z from 'zod'
import { quoteCode } from '../../lib/text/quote.ts'
import { nestedValue } from '../answer.ts'

/** What the JSON Schema of a call says besides its keys: one name, and its arguments once. */
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

/** What the JSON Schema of an answer says besides its keys: one part is the answer, and calls are in one place. */
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
const time = () => z.iso.datetime({ offset: true, local: true }).nullish()
const count = () => z.int().min(0).nullish()
const details = () => z.record(z.string(), z.unknown()).nullish()

function callSchema(object: ObjectSchema) {
  return object({
    tool: text().describe('Name of the tool. Required, unless `function` has it.'),
    input: nestedValue.optional().describe('Arguments of the call, as any JSON value.'),
    args: nestedValue.optional().describe('Another name of `input`.'),
    function: object({
      name: z.string().min(1).describe('Name of the tool.'),
      arguments: nestedValue.optional().describe('Arguments, as a string of JSON or as a value.'),
    })
      .nullish()
      .describe('Name and arguments in the form of the OpenAI API, in place of `tool` and `input`.'),
    output: nestedValue
      .optional()
      .describe('Result of the call. Default: the message whose `tool_call_id` is its `id`.'),
    error: text().describe('Why the call failed.'),
    duration_ms: milliseconds().describe('How long the call took. Default: from `start_time` to `end_time`.'),
    start_time: time().describe('When the call began, in ISO 8601.'),
    end_time: time().describe('When the call ended, in ISO 8601; not before `start_time`.'),
    raw_tool: text().describe("The agent's own name of the tool, where `tool` is a shared one."),
    id: text().describe('Identifies the call. Not recorded.'),
    type: text().describe('Kind of call, as `function`. Not recorded.'),
  }).meta({ description: 'A call of a tool.', ...CALL_RULES })
}

const ROLES = ['system', 'user', 'assistant', 'tool', 'developer', 'function'] as const

/** A role that is known: under any other, what the assistant says would not be its answer. */
const knownRole: z.ZodType<string, string> = z.enum(ROLES, {
  error: ({ input }) => {
    const problem = typeof input === 'string' ? `${quoteCode(input)} is unknown` : 'is missing or not a string'
    return `${problem}; use \`system\`, \`user\`, \`assistant\`, \`tool\`, \`developer\` or \`function\``
  },
})

function messageSchema(object: ObjectSchema, role: z.ZodType<string, string> = knownRole) {
  return object({
    role: role.describe('Who speaks.'),
    content: nestedValue.optional().describe('What is said: a string, or a list of blocks.'),
    tool_calls: z.array(callSchema(object)).nullish().describe('The calls made, in order.'),
    tool_call_id: text().describe('For a message with the result of a call: the `id` of the call.'),
    agent_id: text().describe('The subagent that speaks; absent for the agent itself.'),
    name: text().describe('Name of the speaker or of the tool. Not recorded.'),
    id: text().describe('Identifies the message. Not recorded.'),
    timestamp: z.union([z.string(), z.number()]).nullish().describe('When it was said. Not recorded.'),
    start_time: time().describe('When the message began. Not recorded.'),
    end_time: time().describe('When the message ended. Not recorded.'),
    duration_ms: milliseconds().describe('How long the message took. Not recorded.'),
    metadata: nestedValue.optional().describe('Anything else. Not recorded.'),
  }).describe('A message of the transcript.')
}

function usageSchema(object: ObjectSchema) {
  return object({
    input: count().describe('Input tokens, with those that came from a cache.'),
    output: count().describe('Output tokens, with those spent on reasoning.'),
    cached: count().describe('Input tokens that came from a cache.'),
    reasoning: count().describe('Output tokens spent on reasoning.'),
    input_tokens: count().describe(
      'Another name of `input`; without the tokens of caches where `cache_read_input_tokens` or `cache_creation_input_tokens` counts them.',
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
    cache_creation_input_tokens: count().describe(
      'Input tokens that were written to a cache; added to `input_tokens`.',
    ),
  }).describe('Tokens, under our names or under those of the well-known services.')
}

function answerSchema(object: ObjectSchema) {
  return object({
    text: nestedValue.optional().describe('The answer as a string; any other value is shown as JSON.'),
    output: nestedValue.optional().describe('Another name of `text`; a list is read as `output_messages`.'),
    output_messages: z
      .array(messageSchema(object))
      .nullish()
      .describe('The transcript. Without `text`, the last words of the assistant are the answer.'),
    tool_calls: z.array(callSchema(object)).nullish().describe('The calls made, where there is no `output_messages`.'),
    token_usage: usageSchema(object).nullish(),
    cost_usd: z.number().min(0).nullish().describe('Cost in US dollars.'),
    duration_ms: milliseconds().describe('How long it took. Default: as measured.'),
    model: text().describe('The model that answered.'),
    finish_reason: text().describe('Why the model stopped.'),
    error: nestedValue
      .optional()
      .describe('Why there is no answer. With a value other than null, the attempt is an error.'),
  }).meta({ description: 'What a program or server answers, in parts.', ...ANSWER_RULES })
}

const laxObject = z.object as unknown as ObjectSchema

/** What programs and servers may answer. Reading it, the JSON Schema and the guide share this one description. */
export const writtenAnswerSchema = answerSchema(z.strictObject)
export const writtenMessagesSchema = z.array(messageSchema(z.strictObject))

/** The same without unknown keys, for readers that ignore them. */
export const laxAnswerSchema = answerSchema(laxObject)
export const laxMessagesSchema = z.array(messageSchema(laxObject))

/** Messages of a log, whose roles are those of any answer that was recorded. */
export const loggedMessagesSchema = z.array(messageSchema(laxObject, z.string().min(1)))

export type WrittenAnswer = z.output<typeof writtenAnswerSchema>
export type WrittenMessage = z.output<typeof writtenMessagesSchema>[number]
export type WrittenCall = NonNullable<WrittenMessage['tool_calls']>[number]
export type WrittenUsage = NonNullable<WrittenAnswer['token_usage']>

/** Known keys of the object at a path, for suggestions: by the last key of the path. */
export function keysAt(path: readonly PropertyKey[]): readonly string[] {
  const last = path.findLast(step => typeof step === 'string')
  return KEYS.get(last) ?? KEYS.get(undefined) ?? []
}

const message = messageSchema(z.strictObject)
const call = callSchema(z.strictObject)

const KEYS = new Map<PropertyKey | undefined, readonly string[]>([
  [undefined, Object.keys(writtenAnswerSchema.shape)],
  ['output', Object.keys(message.shape)],
  ['output_messages', Object.keys(message.shape)],
  ['tool_calls', Object.keys(call.shape)],
  ['function', ['name', 'arguments']],
  ['token_usage', Object.keys(usageSchema(z.strictObject).shape)],
])
