import type { APICallError } from 'ai'
import { beginning } from '../../../lib/beginning.ts'
import { isMapping } from '../../../lib/is-mapping.ts'
import { parseJson } from '../../../lib/parse-json.ts'
import { NoAnswer, type NoAnswerCode } from '../../../model/no-answer.ts'
import type { AskContext } from '../../../model/provider.ts'

/**
 * What an SDK throws, as the reason why there is no answer; anything that is not of its making as it is.
 * Failed connections and statuses are said by the way that its requests go.
 */
export function modelError(error: unknown, { signal }: AskContext): unknown {
  if (signal.aborted) return signal.reason
  if (error instanceof NoAnswer || !(error instanceof Error)) return error
  if (isCallError(error)) return new NoAnswer('bad-response', `the model's reply: ${replyText(error)}`)
  const code = CODES[error.name]
  // Its own errors have names that begin alike.
  if (code === undefined && !error.name.startsWith('AI_')) return error
  return new NoAnswer(
    code ?? 'bad-response',
    `${WORDS[code ?? ''] ?? "the model's reply"}: ${beginning(messageOf(error))}`,
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

const WORDS: Readonly<Record<string, string>> = {
  'bad-prompt': 'this prompt cannot be sent to the model',
  'target-error': 'the settings of the target cannot be sent',
}

function messageOf({ message, cause }: Error): string {
  return cause instanceof Error ? `${message} (${cause.message})` : message
}

function isCallError(error: Error): error is APICallError {
  return error.name === 'AI_APICallError'
}

function replyText({ message, responseBody }: APICallError): string {
  return `${beginning(message)}: ${beginning(reasonIn(bodyOf(responseBody)))}`
}

/** An SDK may have read the body already. */
function bodyOf(body: unknown): string {
  return typeof body === 'string' ? body : (JSON.stringify(body) ?? '')
}

/** The words of an error in a body, where it has some in the usual place. */
export function reasonIn(body: string): string {
  const value = parseJson(body)
  const error = isMapping(value) ? value['error'] : undefined
  const message = isMapping(error) ? error['message'] : error
  return typeof message === 'string' && message !== '' ? message : body
}
