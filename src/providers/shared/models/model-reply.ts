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

/** What a model has said and called, a message for each of its replies. */
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

/** Why a call could not be made, in words of the SDK. A tool of ours tells what it cannot do, and throws nothing but bugs. */
function callError(part: Part | undefined): string | undefined {
  if (part?.type !== 'tool-error') return undefined
  if (typeof part.error === 'string') return part.error
  throw part.error
}

/** The tokens that a model reports; undefined where it reports none. */
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
 * What an SDK throws, as the reason why there is no answer; anything that is not of its making as it is.
 * Failed connections and statuses are said by the way that its requests go.
 */
export function toNoAnswer(error: unknown, { signal }: AskContext): unknown {
  if (signal.aborted) return signal.reason
  if (error instanceof NoAnswer || !(error instanceof Error)) return error
  if (isCallError(error)) return new NoAnswer('bad-response', `the model's reply: ${describeReply(error)}`)
  const code = CODES[error.name]
  // Its own errors have names that begin alike.
  if (code === undefined && !error.name.startsWith('AI_')) return error
  return new NoAnswer(
    code ?? 'bad-response',
    `${MESSAGES[code ?? ''] ?? "the model's reply"}: ${truncateForMessage(messageOf(error))}`,
  )
}

/** Errors that are thrown before anything is sent. */
const CODES: Readonly<Record<string, NoAnswerCode>> = {
  AI_InvalidPromptError: 'bad-prompt',
  AI_MessageConversionError: 'bad-prompt',
  AI_MissingToolResultsError: 'bad-prompt',
  AI_UnsupportedFunctionalityError: 'bad-prompt',
  AI_InvalidDataContentError: 'bad-prompt',
  AI_InvalidArgumentError: 'target-error',
}

const MESSAGES: Readonly<Record<string, string>> = {
  'bad-prompt': 'this prompt cannot be sent to the model',
  'target-error': 'the settings of the target cannot be sent',
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

/** An SDK may have read the body already. */
function bodyText(body: unknown): string {
  return typeof body === 'string' ? body : (JSON.stringify(body) ?? '')
}

/** The words of an error in a body, where it has some in the usual place. */
export function errorReason(body: string): string {
  const value = parseJson(body)
  const error = isMapping(value) ? value['error'] : undefined
  const message = isMapping(error) ? error['message'] : error
  return typeof message === 'string' && message !== '' ? message : body
}
