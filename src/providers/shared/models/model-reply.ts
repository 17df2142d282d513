import type { APICallError, LanguageModelUsage, StepResult, ToolSet } from 'ai'
import { parseJson } from '../../../lib/json/parse-json.ts'
import { isMapping, withoutNullish } from '../../../lib/objects.ts'
import { truncateForMessage } from '../../../lib/text/quote.ts'
import {
  NoAnswer,
  type NoAnswerCode,
  type OutputMessage,
  type TokenUsage,
  type ToolCall,
} from '../../../model/answer.ts'
import type { AskContext } from '../../../model/provider.ts'

type Step = Pick<StepResult<ToolSet>, 'text' | 'content'>

/** Converts the steps of a model to a transcript, one message per reply. */
export function toTranscript(steps: readonly Step[]): OutputMessage[] {
  return steps.map(({ text, content }) => {
    const tool_calls = content.flatMap(part => (part.type === 'tool-call' ? toToolCall(part, content) : []))
    return {
      role: 'assistant',
      ...(text === '' ? {} : { content: text }),
      ...(tool_calls.length === 0 ? {} : { tool_calls }),
    }
  })
}

type Part = Step['content'][number]

function toToolCall({ toolCallId, toolName, input }: Part & { type: 'tool-call' }, content: Step['content']): ToolCall {
  const result = content.find(part => part.type === 'tool-result' && part.toolCallId === toolCallId)
  const failure = content.find(part => part.type === 'tool-error' && part.toolCallId === toolCallId)
  return { tool: toolName, ...withoutNullish({ input, output: callOutput(result), error: callError(failure) }) }
}

function callOutput(part: Part | undefined): unknown {
  return part?.type === 'tool-result' ? part.output : undefined
}

/** The SDK's reason for an invalid call. Our own tools report failures as text, so anything they throw is a bug. */
function callError(part: Part | undefined): string | undefined {
  if (part?.type !== 'tool-error') return undefined
  if (typeof part.error === 'string') return part.error
  throw part.error
}

/** Converts the token usage of the SDK. Returns undefined if the model reports none. */
export function toTokenUsage(usage: LanguageModelUsage): TokenUsage | undefined {
  const { inputTokens, outputTokens, inputTokenDetails, outputTokenDetails } = usage
  const known = withoutNullish({
    input: inputTokens,
    output: outputTokens,
    cached: inputTokenDetails.cacheReadTokens,
    reasoning: outputTokenDetails.reasoningTokens,
  })
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
  AI_MessageConversionError: 'bad-prompt',
  AI_MissingToolResultsError: 'bad-prompt',
  AI_UnsupportedFunctionalityError: 'bad-prompt',
  AI_InvalidDataContentError: 'bad-prompt',
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
