import { lazily } from '../../lib/lazily.ts'
import { isMapping, isNestedWithin, withoutNullish } from '../../lib/objects.ts'
import type * as z from '../../lib/zod.ts'
import { firstProblem } from '../../lib/zod-problem.ts'
import { type Answer, NoAnswer, type OutputMessage, type TokenUsage } from '../../model/answer.ts'
import { DEEPEST_ANSWER, TOO_DEEP } from '../../model/answer-limits.ts'
import { asText, contentText } from '../../model/messages/content-text.ts'
import { readCalls, readMessages } from '../../model/messages/read-messages.ts'
import { lastOwnMessage } from '../../model/messages/subagents.ts'
import {
  laxAnswerSchema,
  laxMessagesSchema,
  type WrittenAnswer,
  type WrittenUsage,
  writtenAnswerSchema,
  writtenMessagesSchema,
} from '../../model/messages/written-answer.ts'
import { readWritten } from './read-written.ts'

/** The keys of an envelope: one per part of an answer. */
export const answerPartNames: () => readonly string[] = lazily(() => Object.keys(writtenAnswerSchema().shape))

/** The parts of an answer as a program or server returns them. */
export type AnswerParts = Readonly<Record<string, unknown>>

/** Receives the paths of unknown keys. Throws unless they can be ignored. */
export type UnknownKeysHandler = (paths: readonly PropertyKey[][]) => void

/** Makes an answer from its parts. Throws `NoAnswer` if a part is invalid. */
export function readAnswer(parts: AnswerParts, onUnknown: UnknownKeysHandler): Answer {
  const { error } = parts
  rejectTooDeep(error, 'error')
  if (error != null) throw new NoAnswer('target-error', `the target reported ${describeError(error)}`)
  return toAnswer(
    readWritten(parts, { strict: writtenAnswerSchema(), lax: laxAnswerSchema() }, [], onUnknown),
    onUnknown,
  )
}

function describeError(error: unknown): string {
  const text = asText(error)
  return text.trim() === '' ? 'an error without a message' : `an error: ${text}`
}

function toAnswer(written: WrittenAnswer, onUnknown: UnknownKeysHandler): Answer {
  const messages = answerMessages(written, onUnknown)
  const text = answerText(written, messages)
  if (text === undefined) throw new NoAnswer('bad-response', 'the answer has no text and no messages')
  const { token_usage, cost_usd, duration_ms, model, finish_reason } = written
  return {
    text,
    ...withoutNullish({
      output_messages: messages,
      token_usage: token_usage ? toTokenUsage(token_usage) : undefined,
      cost_usd: cost_usd ?? undefined,
      duration_ms: duration_ms ?? undefined,
      model: model ?? undefined,
      finish_reason: finish_reason ?? undefined,
    }),
  }
}

function answerMessages(written: WrittenAnswer, onUnknown: UnknownKeysHandler): OutputMessage[] | undefined {
  const { output_messages, output, tool_calls, text } = written
  rejectTwoTranscripts(written)
  if (output_messages != null) return readMessages(output_messages, 'output_messages')
  if (Array.isArray(output)) {
    const schemas = { strict: writtenMessagesSchema(), lax: laxMessagesSchema() }
    return readMessages(readWritten(output, schemas, ['output'], onUnknown), 'output')
  }
  if (tool_calls == null) return undefined
  const content = asText(text ?? output ?? '')
  return [{ role: 'assistant', content, tool_calls: readCalls(tool_calls, 'tool_calls') }]
}

/** Rejects messages or tool calls in two keys, since those of one would be lost. */
function rejectTwoTranscripts({ output_messages, output, tool_calls }: WrittenAnswer): void {
  const isList = Array.isArray(output)
  if (output_messages != null && isList && output.length > 0)
    throw new NoAnswer(
      'bad-response',
      'the answer has messages in both `output` and `output_messages`: keep one of them',
    )
  if (!tool_calls?.length || (output_messages == null && !isList)) return
  const key = output_messages == null ? 'output' : 'output_messages'
  throw new NoAnswer(
    'bad-response',
    `the answer has both \`tool_calls\` and \`${key}\`: move the calls into the messages`,
  )
}

/** The explicit text, or the last message of the assistant itself. */
function answerText(
  { text, output }: WrittenAnswer,
  messages: readonly OutputMessage[] | undefined,
): string | undefined {
  if (text != null) return asText(text)
  if (output != null && !Array.isArray(output)) return asText(output)
  const last = messages && lastOwnMessage(messages)
  if (last) return contentText(last.content)
  return messages ? '' : undefined
}

/** Reads token counts under our names or those of the well-known services. */
function toTokenUsage(written: WrittenUsage): TokenUsage {
  const input = [written.prompt_tokens_details, written.input_tokens_details].filter(isMapping)
  const output = [written.completion_tokens_details, written.output_tokens_details].filter(isMapping)
  const detail = (places: readonly Record<string, unknown>[], name: string) =>
    places.map(place => place[name]).find(count => Number.isInteger(count)) as number | undefined
  return withoutNullish({
    input: written.input ?? sumInputTokens(written) ?? written.prompt_tokens ?? undefined,
    output: written.output ?? written.output_tokens ?? written.completion_tokens ?? undefined,
    cached:
      written.cached ?? written.cached_tokens ?? written.cache_read_input_tokens ?? detail(input, 'cached_tokens'),
    reasoning: written.reasoning ?? written.reasoning_tokens ?? detail(output, 'reasoning_tokens'),
  })
}

/** Sums the input tokens of Anthropic, which counts cached tokens separately. */
function sumInputTokens(written: WrittenUsage): number | undefined {
  const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens } = written
  if (input_tokens == null) return undefined
  const sum = input_tokens + (cache_read_input_tokens ?? 0) + (cache_creation_input_tokens ?? 0)
  if (Number.isSafeInteger(sum)) return sum
  throw new NoAnswer('bad-response', '`token_usage` of the answer: the input tokens add up to more than 2^53')
}

/** Rejects a value that is nested too deep to be converted to text. */
export function rejectTooDeep(value: unknown, part: string): void {
  if (!isNestedWithin(value, DEEPEST_ANSWER))
    throw new NoAnswer('bad-response', `\`${part}\` of the answer ${TOO_DEEP}`)
}

/** Parses a value with a schema. Throws `NoAnswer` with the path of the first problem. */
export function validateAnswer<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const { path, message } = firstProblem(result.error)
  throw new NoAnswer('bad-response', `\`${path}\` of the answer is invalid: ${message}`)
}
