import { lazily } from '../../../lib/lazily.ts'
import { truncateForMessage } from '../../../lib/text/quote.ts'
import * as z from '../../../lib/zod.ts'
import { NoAnswer } from '../../../model/answer.ts'
import { LARGEST_ANSWER_BYTES } from '../../../model/answer-limits.ts'
import type { Host } from '../../../model/host.ts'
import { type HttpRequest, type HttpResponse, isSuccess } from '../../../model/http-exchange.ts'
import { isRejectedBeforeAgent, isRetryable, retryAfterMs } from './http-status.ts'

const MAX_REDIRECTS = 5

/** Sends a request and returns the text of the response. Throws `NoAnswer` on any status but success. */
export async function fetchText(url: string, request: HttpRequest, host: Host): Promise<string> {
  const { response, text } = await fetchResponse(url, request, host)
  if (!isSuccess(response)) throw statusError(response, text, host.clock.now())
  return text
}

/** Sends a request and reads the whole response, whatever its status. `field` is where the user wrote the URL. */
export async function fetchResponse(
  url: string,
  request: HttpRequest,
  host: Host,
  field = 'url',
): Promise<{ readonly response: HttpResponse; readonly text: string }> {
  const response = await followRedirects(checkUrl(url), request, host, { field, left: MAX_REDIRECTS })
  const text = await readBody(response).catch(error => throwNetworkError(error, request.signal))
  return { response, text }
}

/** Most targets have one. */
let lastValidUrl = ''

function checkUrl(url: string): string {
  if (url === lastValidUrl) return url
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed && /^https?:$/.test(parsed.protocol) && parsed.username === '' && parsed.password === '') {
    lastValidUrl = url
    return url
  }
  const hint = parsed?.username ? 'move the credentials to `headers`' : 'it must begin with http:// or https://'
  throw new NoAnswer('target-error', `invalid URL ${truncateForMessage(url)}: ${hint}`)
}

/** Follows redirects on the same server only: another server must not receive the headers and the prompt. */
async function followRedirects(
  url: string,
  request: HttpRequest,
  host: Host,
  { field, left }: { readonly field: string; readonly left: number },
): Promise<HttpResponse> {
  const response = await host.network.request(url, request).catch(error => throwNetworkError(error, request.signal))
  const location = REDIRECTS.has(response.status) ? response.headers.get('location') : undefined
  if (location === undefined || !URL.canParse(location, url)) return response
  response.cancel()
  const next = new URL(location, url)
  if (next.origin !== new URL(url).origin) {
    throw new NoAnswer(
      'http-status',
      `the server redirects to ${next.origin}: set \`${field}\` to that address if you trust it`,
    )
  }
  if (left === 0) throw new NoAnswer('http-status', `the server redirected more than ${MAX_REDIRECTS} times`)
  const asGet = response.status === 303 || (response.status < 303 && request.method === 'POST')
  const { body, ...rest } = request
  return followRedirects(next.href, asGet ? { ...rest, method: 'GET' } : request, host, { field, left: left - 1 })
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** Describes a status other than success. */
export function statusError(
  { status, statusText, headers }: Pick<HttpResponse, 'status' | 'statusText' | 'headers'>,
  text: string,
  now: number,
): NoAnswer {
  const body = text.trim() === '' ? '' : `: ${truncateForMessage(text.trim())}`
  return new NoAnswer('http-status', `the server answered ${status} ${statusText}${body}`.trim(), {
    retryable: isRetryable(status),
    retry_after_ms: retryAfterMs(headers, now),
    overloaded: status === 429,
    never_reached: isRejectedBeforeAgent(status),
  })
}

async function readBody(response: HttpResponse): Promise<string> {
  const content = await response.content(LARGEST_ANSWER_BYTES)
  if (!content) throw new NoAnswer('output-too-large', 'the response is larger than 10 MB')
  return UTF_8.decode(content)
}

const UTF_8 = new TextDecoder()

/** Errors before a connection exists. Later ones may mean that the agent has crashed. */
const CONNECTION_ERROR =
  /^(?:ECONNREFUSED|E[MN]FILE|ENOBUFS|ENOMEM|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_\w+|ERR_SSL_\w+|CERT_\w+|\w*SELF_SIGNED\w*|UNABLE_TO_\w+)$/

/** Translates an error of the connection. Throws the reason of the signal if it was aborted, and any other error unchanged. */
function throwNetworkError(error: Error & { readonly code?: unknown }, signal: AbortSignal): never {
  signal.throwIfAborted()
  if (error instanceof NoAnswer) throw error
  const { code, message } = error
  if (error instanceof TypeError) throw new NoAnswer('target-error', `invalid URL or headers: ${message}`)
  if (typeof code !== 'string') throw error
  const facts = { retryable: true, never_reached: CONNECTION_ERROR.test(code) }
  throw new NoAnswer('network', `the connection failed: ${message || code}`, facts)
}

export const headersSchema = lazily(() => z.record(z.string(), z.string()))

/** Removes credentials, query and fragment from a URL, for messages. */
export function redactUrl(url: string): string {
  const [path = '', query] = removeCredentials(url.trim())
    .replace(/#.*/s, '')
    .split(/\?(.*)/s)
  return `${path}${query === undefined ? '' : '?…'}`
}

function removeCredentials(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  // In any other text, credentials would be before the last `@`.
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return url.replace(/^([a-z][\w+.-]*:\/\/)?.*@/is, '$1')
  const { protocol, host, pathname, search, username, password } = parsed
  return username === '' && password === '' ? url : `${protocol}//${host}${pathname}${search}`
}
