import { beginning } from '../../../lib/beginning.ts'
import { LARGEST_ANSWER_BYTES } from '../../../model/answer-limit.ts'
import type { Host } from '../../../model/host.ts'
import { NoAnswer } from '../../../model/no-answer.ts'
import { retryAfterMs } from './retry-after.ts'
import { isBeforeAgent, isRetryable } from './retryable-status.ts'

/** How many times a server may send us elsewhere. */
const MOST_REDIRECTS = 5

type Call = RequestInit & { readonly signal: AbortSignal }

/** One request; the text of the response, where the status says that all is well. */
export async function call(url: string, request: Call, host: Host): Promise<string> {
  const { response, text } = await exchange(url, request, host)
  if (!response.ok) throw badStatus(response, text, host.clock.now())
  return text
}

/** One request, with the whole of its response, whatever its status. */
export async function exchange(
  url: string,
  request: Call,
  host: Host,
  field = 'url',
): Promise<{ readonly response: Response; readonly text: string }> {
  const response = await follow(httpUrl(url), request, host, { field, left: MOST_REDIRECTS })
  const text = await bodyOf(response).catch(error => failed(error, request.signal))
  return { response, text }
}

function httpUrl(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed && /^https?:$/.test(parsed.protocol) && parsed.username === '' && parsed.password === '') return url
  const hint = parsed?.username ? 'put the password into `headers`' : 'a URL begins with http:// or https://'
  throw new NoAnswer('target-error', `no request can go to ${beginning(url)}: ${hint}`)
}

/** Follows redirects on the same server only: another one must not get the headers and the prompt. */
async function follow(
  url: string,
  request: Call,
  host: Host,
  { field, left }: { readonly field: string; readonly left: number },
): Promise<Response> {
  const response = await host.network
    .fetch(url, { ...request, redirect: 'manual' })
    .catch(error => failed(error, request.signal))
  const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null
  if (location === null || !URL.canParse(location, url)) return response
  await response.body?.cancel()
  const next = new URL(location, url)
  if (next.origin !== new URL(url).origin) {
    throw new NoAnswer(
      'http-status',
      `the server sends us on to ${next.origin}: write that into \`${field}\` if it is right`,
    )
  }
  if (left === 0) throw new NoAnswer('http-status', 'the server sends us on and on')
  const asGet = response.status === 303 || (response.status < 303 && request.method === 'POST')
  const { body, ...rest } = request
  return follow(next.href, asGet ? { ...rest, method: 'GET' } : request, host, { field, left: left - 1 })
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** A status that is no success, as the reason why there is no answer. */
export function badStatus(
  { status, statusText, headers }: Pick<Response, 'status' | 'statusText' | 'headers'>,
  text: string,
  now: number,
): NoAnswer {
  const body = text.trim() === '' ? '' : `: ${beginning(text.trim())}`
  return new NoAnswer('http-status', `the server answered ${status} ${statusText}${body}`.trim(), {
    retryable: isRetryable(status),
    retry_after_ms: retryAfterMs(headers, now),
    overloaded: status === 429,
    never_reached: isBeforeAgent(status),
  })
}

async function bodyOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > LARGEST_ANSWER_BYTES) throw new NoAnswer('output-too-large', 'the response is larger than 10 MB')
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

/** What keeps a connection from coming about. Anything else happens on one: the agent behind it may have crashed. */
const BEFORE_CONNECTING =
  /^(?:ECONNREFUSED|E[MN]FILE|ENOBUFS|ENOMEM|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_\w+|ERR_SSL_\w+|CERT_\w+|\w*SELF_SIGNED\w*|UNABLE_TO_\w+)$/

/** What `fetch` throws, in words; the reason of the signal where that was the cause. */
function failed(error: Error & { cause?: { code?: string; message?: string } }, signal: AbortSignal): never {
  signal.throwIfAborted()
  if (error instanceof NoAnswer) throw error
  if (!(error instanceof TypeError)) throw error
  // Without a cause there was no connection: the request itself cannot be made.
  if (!error.cause)
    throw new NoAnswer('target-error', `no request can be made with this URL and these headers: ${error.message}`)
  const { code = '', message } = error.cause
  const facts = { retryable: true, never_reached: BEFORE_CONNECTING.test(code) }
  throw new NoAnswer('network', `the connection failed: ${message || code || error.message}`, facts)
}
