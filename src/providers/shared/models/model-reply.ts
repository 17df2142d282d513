import type { APICallError, LanguageModelV3Usage } from '@ai-sdk/provider'
import { parseJson } from '../../../lib/json/parse-json.ts'
import { addKnown } from '../../../lib/numbers.ts'
import { isMapping, withoutNullish } from '../../../lib/objects.ts'
import { truncateForMessage } from '../../../lib/text/quote.ts'
import { NoAnswer, type NoAnswerCode, type OutputMessage, type TokenUsage } from '../../../model/answer.ts'
import type { AskContext } from '../../../model/provider.ts'
import type { ModelStep } from './model-steps.ts'

/** Converts the steps of a model to a transcript, one message per reply. */
export function toTranscript(steps: readonly ModelStep[]): OutputMessage[] {
  return steps.map(({ text, tool_calls }) => ({
    role: 'assistant',
    ...(text === '' ? {} : { content: text }),
    ...(tool_calls.length === 0 ? {} : { tool_calls: [...tool_calls] }),
  }))
}

/** Adds up the tokens of all replies. Returns undefined if the model reports none. */
export function toTokenUsage(usages: readonly LanguageModelV3Usage[]): TokenUsage | undefined {
  let input: number | undefined
  let output: number | undefined
  let cached: number | undefined
  let reasoning: number | undefined
  for (const { inputTokens, outputTokens } of usages) {
    input = addKnown(input, inputTokens.total)
    output = addKnown(output, outputTokens.total)
    cached = addKnown(cached, inputTokens.cacheRead)
    reasoning = addKnown(reasoning, outputTokens.reasoning)
  }
  const known = withoutNullish({ input, output, cached, reasoning })
  return Object.keys(known).length > 0 ? known : undefined
}

/**
 * Translates an error of the SDK; returns any other error unchanged. Failed connections and HTTP statuses are
 * reported by the `fetch` that the SDK is given.
 */
export function toNoAnswer(error: unknown, { signal }: AskContext): unknown {
  if (signal.aborted) return signal.reason
  if (error instanceof NoAnswer || !(error instanceof Error)) return error
  if (isCallError(error)) return new NoAnswer('bad-response', `invalid reply of the model: ${describeReply(error)}`)
  const code = CODES[error.name]
  // All error names of the SDK begin with AI_.
  if (code === undefined && !error.name.startsWith('AI_')) return error
  return new NoAnswer(
    code ?? 'bad-response',
    `${MESSAGES[code ?? ''] ?? 'invalid reply of the model'}: ${truncateForMessage(messageOf(error))}`,
  )
}

/** Errors thrown before a request is sent. */
const CODES: Readonly<Record<string, NoAnswerCode>> = {
  AI_InvalidPromptError: 'bad-prompt',
  AI_UnsupportedFunctionalityError: 'bad-prompt',
  AI_InvalidArgumentError: 'target-error',
}

const MESSAGES: Readonly<Record<string, string>> = {
  'bad-prompt': 'cannot send this prompt to the model',
  'target-error': 'invalid settings of the target',
}

function messageOf({ message, cause }: Error): string {
  return cause instanceof Error ? `${message} (${cause.message})` : message
}

function isCallError(error: Error): error is APICallError {
  return error.name === 'AI_APICallError'
}

function describeReply({ message, responseBody }: APICallError): string {
  return `${truncateForMessage(message)}: ${truncateForMessage(errorReason(bodyText(responseBody)))}`
}

/** The body as text. The SDK may have parsed it already. */
function bodyText(body: unknown): string {
  return typeof body === 'string' ? body : (JSON.stringify(body) ?? '')
}

/** The error message of a response body, or the whole body if it has none. */
export function errorReason(body: string): string {
  const value = parseJson(body)
  const error = isMapping(value) ? value['error'] : undefined
  const message = isMapping(error) ? error['message'] : error
  return typeof message === 'string' && message !== '' ? message : body
}
