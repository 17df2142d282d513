import { timingSafeEqual } from 'node:crypto'
import { sha256 } from '../../lib/sha256.ts'
import type { Host } from '../../model/host.ts'
import type { LoopbackRequest, LoopbackResponse } from '../../model/loopback-server.ts'
import { UserError } from '../../model/user-error.ts'

/** A request of our own page. */
export interface PageRequest {
  readonly method: 'GET' | 'POST'
  /** The path behind the token, without a leading slash. */
  readonly path: string
  readonly body: string
}

/** What a page is answered: a document, JSON, or an image of this media type. */
export type PageResponse =
  | { readonly status: number; readonly json: unknown }
  | { readonly bytes: Uint8Array; readonly type: string }
  | { readonly html: string; readonly policy: string }

export interface PageService {
  /** Default: a free port. */
  readonly port?: number | undefined
  /** Answers a request of the page; undefined if there is nothing at the path. */
  answer(request: PageRequest): Promise<PageResponse | undefined>
}

export interface PageServer {
  /** The address of the page, with its token. */
  readonly address: string
  close(): Promise<void>
}

/** More than a label with its note. */
const MAX_BODY_BYTES = 64 * 1024

/** A token has 192 random bits. */
const TOKEN_BYTES = 24

/**
 * Serves a page on 127.0.0.1. Its address has a random token as its first folder; requests without it, by another host
 * name or from another origin are refused, so that other pages and other users of this machine reach nothing.
 */
export async function servePage(service: PageService, host: Host): Promise<PageServer> {
  const token = Buffer.from(host.randomBytes(TOKEN_BYTES)).toString('base64url')
  let authority = ''
  const answer = async (request: LoopbackRequest) => {
    const allowed = pageRequest(request, authority, token)
    if (typeof allowed === 'number') return plainResponse(allowed)
    const response = await service.answer(allowed)
    return response ? fullResponse(response) : plainResponse(404)
  }
  const server = await host.network
    .serve({ port: service.port, maxBodyBytes: MAX_BODY_BYTES, answer })
    .catch(error => cannotServe(error, service.port))
  authority = `127.0.0.1:${server.port}`
  return { address: `http://${authority}/${token}/`, close: server.close }
}

/** The request of a page that may ask; otherwise the status that refuses it. */
function pageRequest(
  { method, url, headers, body }: LoopbackRequest,
  authority: string,
  token: string,
): PageRequest | number {
  // A name that leads to 127.0.0.1 (DNS rebinding) makes a foreign page look like ours.
  if (headers['host'] !== authority) return 403
  if (method !== 'GET' && method !== 'POST') return 405
  const { origin } = headers
  // Browsers name the origin of every POST.
  if (origin === undefined ? method === 'POST' : origin !== `http://${authority}`) return 403
  const [, given = '', path] = /^\/([^/?#]*)\/([^?#]*)$/.exec(url) ?? []
  if (!isEqual(given, token) || path === undefined) return 403
  return { method, path, body: new TextDecoder().decode(body) }
}

/** Compares in a time that does not depend on the content. */
function isEqual(given: string, token: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(token)))
}

const COMMON_HEADERS = {
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

const NOTHING_ALLOWED = "default-src 'none'; frame-ancestors 'none'"

function fullResponse(response: PageResponse): LoopbackResponse {
  if ('html' in response)
    return {
      status: 200,
      headers: { ...headersOf('text/html'), 'content-security-policy': response.policy },
      body: response.html,
    }
  if ('bytes' in response)
    return {
      status: 200,
      headers: { ...headersOf(response.type), 'content-type': response.type },
      body: response.bytes,
    }
  return jsonResponse(response.status, response.json)
}

function jsonResponse(status: number, value: unknown): LoopbackResponse {
  try {
    return { status, headers: headersOf('application/json'), body: JSON.stringify(value) }
  } catch (error) {
    // A text has at most half a gigabyte.
    if (!(error instanceof RangeError)) throw error
    return jsonResponse(422, { error: 'This is too large to be shown.' })
  }
}

function plainResponse(status: number): LoopbackResponse {
  const texts: Readonly<Record<number, string>> = { 404: 'Not found', 405: 'Method not allowed' }
  return { status, headers: headersOf('text/plain'), body: `${texts[status] ?? 'Forbidden'}\n` }
}

function headersOf(type: string): Record<string, string> {
  return { ...COMMON_HEADERS, 'content-security-policy': NOTHING_ALLOWED, 'content-type': `${type}; charset=utf-8` }
}

function cannotServe(error: NodeJS.ErrnoException, port: number | undefined): never {
  const where = port === undefined ? 'on 127.0.0.1' : `on port ${port} of 127.0.0.1`
  throw new UserError(
    `Cannot serve the page ${where}: ${error.message}`,
    port === undefined ? undefined : 'Choose another port, or leave --port out for a free one.',
  )
}
