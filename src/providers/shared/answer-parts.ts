import * as z from 'zod'
import { defined } from '../../lib/defined.ts'
import { isMapping } from '../../lib/is-mapping.ts'
import { isNestedWithin } from '../../lib/is-nested-within.ts'
import { type Answer, answerSchema, type OutputMessage } from '../../model/answer.ts'
import { DEEPEST_ANSWER, TOO_DEEP } from '../../model/answer-limit.ts'
import { asText, contentText } from '../../model/content-text.ts'
import { firstProblem } from '../../model/first-problem.ts'
import { NoAnswer } from '../../model/no-answer.ts'
import { readMessages } from '../../model/read-messages.ts'

/** The names of the parts of an answer: the keys that an envelope may have. */
export const ANSWER_PARTS = [
  'text',
  'output',
  'output_messages',
  'tool_calls',
  'token_usage',
  'cost_usd',
  'duration_ms',
  'model',
  'finish_reason',
  'error',
] as const

/** The parts of an answer as programs and servers give it. */
export type AnswerParts = Partial<Record<(typeof ANSWER_PARTS)[number], unknown>>

/** The parts that a target gave as one answer; what is not of the right shape is no answer. */
export function answerFrom(parts: AnswerParts): Answer {
  for (const part of ['text', 'output', 'error'] as const) rejectTooDeep(parts[part], part)
  if (parts.error !== undefined && parts.error !== null) {
    throw new NoAnswer('target-error', `the target reported an error: ${asText(parts.error)}`)
  }
  const messages = messagesOf(parts)
  const text = textOf(parts, messages)
  if (text === undefined) throw new NoAnswer('bad-response', 'the answer has no text and no messages')
  const { cost_usd, duration_ms, model, finish_reason } = parts
  const token_usage = parts.token_usage == null ? undefined : usageOf(parts.token_usage)
  const given = { text, output_messages: messages, token_usage, cost_usd, duration_ms, model, finish_reason }
  return checked(answerSchema, defined(given))
}

function messagesOf({ output_messages, output, tool_calls, text }: AnswerParts): OutputMessage[] | undefined {
  const written = output_messages ?? (Array.isArray(output) ? output : undefined)
  if (written != null) return readMessages(written)
  if (tool_calls == null) return undefined
  return readMessages([{ role: 'assistant', content: asText(text ?? output ?? ''), tool_calls }])
}

/** What is said to be the text; else the last words of the assistant. */
function textOf({ text, output }: AnswerParts, messages: readonly OutputMessage[] | undefined): string | undefined {
  if (text != null) return asText(text)
  if (output != null && !Array.isArray(output)) return asText(output)
  const last = messages?.findLast(({ role, content }) => role === 'assistant' && content !== undefined)
  if (last) return contentText(last.content)
  return messages ? '' : undefined
}

/** Tokens under our names, or under those that the well-known services use. */
function usageOf(value: unknown): Record<string, unknown> {
  const written = checked(z.record(z.string(), z.unknown()), value, ['token_usage'])
  const details = [written['prompt_tokens_details'], written['completion_tokens_details']].filter(isMapping)
  const places = [written, ...details]
  const first = (...names: string[]) =>
    places.flatMap(place => names.map(name => place[name])).find(count => count != null)
  return defined({
    input: first('input', 'input_tokens', 'prompt_tokens'),
    output: first('output', 'output_tokens', 'completion_tokens'),
    cached: first('cached', 'cached_tokens', 'cache_read_input_tokens'),
    reasoning: first('reasoning', 'reasoning_tokens'),
  })
}

/** Rejects a value that is nested too deep to be made a text. */
export function rejectTooDeep(value: unknown, part: string): void {
  if (!isNestedWithin(value, DEEPEST_ANSWER))
    throw new NoAnswer('bad-response', `\`${part}\` of the answer ${TOO_DEEP}`)
}

/** A value under a schema; else no answer, in words that name the place. */
export function checked<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  at: readonly string[] = [],
): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const { path, message } = firstProblem(result.error)
  const place = [...at, path].filter(step => step !== '').join('.')
  throw new NoAnswer('bad-response', `\`${place}\` of the answer is not as it must be: ${message}`)
}
