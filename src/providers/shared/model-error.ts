import type { APICallError } from 'ai'
import { isMapping } from '../../lib/is-mapping.ts'
import { parseJson } from '../../lib/parse-json.ts'
import { NoAnswer, type NoAnswerCode } from '../../model/no-answer.ts'
import type { AskContext } from '../provider.ts'
import { begin } from './envelope.ts'
import { badStatus } from './http-call.ts'

/** What an SDK throws, as the reason why there is no answer; anything that is not of its making as it is. */
export function modelError(error: unknown, { signal, host }: AskContext): unknown {
  if (signal.aborted) return signal.reason
  if (error instanceof NoAnswer || !(error instanceof Error)) return error
  if (isCallError(error)) return callError(error, host.now())
  const code = CODES[error.name]
  // Its own errors have names that begin alike.
  if (code === undefined && !error.name.startsWith('AI_')) return error
  return new NoAnswer(code ?? 'bad-response', `${WORDS[code ?? ''] ?? "the model's reply"}: ${begin(messageOf(error))}`)
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

function callError(error: APICallError, now: number): NoAnswer {
  const { statusCode, responseHeaders = {}, message, cause } = error
  const body = bodyOf(error.responseBody)
  if (statusCode === undefined) {
    const words = isMapping(cause) && typeof cause['message'] === 'string' ? cause['message'] : message
    return new NoAnswer('network', `the connection failed: ${begin(words)}`, { retryable: true })
  }
  if (statusCode < 400)
    return new NoAnswer('bad-response', `the model's reply: ${begin(message)}: ${begin(reasonIn(body))}`)
  return badStatus({ status: statusCode, statusText: '', headers: new Headers(responseHeaders) }, reasonIn(body), now)
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
