import type { Host } from '../../model/host.ts'
import type { HttpResponse } from '../../model/http-exchange.ts'

/** A server that speaks MCP over streamable HTTP. */
export interface HttpServer {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** Time to end a session. */
const GOODBYE_MS = 1000

/** A session of MCP over HTTP: the requests with its headers. */
export class HttpSession {
  readonly #server: HttpServer
  readonly #host: Host
  #id: string | undefined
  /** The version of the protocol, once it is agreed on. */
  version: string | undefined
  /** Whether the server has answered a request. */
  isReached = false

  constructor(server: HttpServer, host: Host) {
    this.#server = server
    this.#host = host
  }

  /** Sends a message. */
  post(body: string, signal: AbortSignal): Promise<HttpResponse> {
    return this.#request('POST', signal, { body })
  }

  /** Asks for a stream, which continues after the event with an id. */
  listen(lastId: string | undefined, signal: AbortSignal): Promise<HttpResponse> {
    return this.#request('GET', signal, { lastId })
  }

  /** Ends the session. Servers may refuse that, and sessions expire by themselves. */
  async end(): Promise<void> {
    if (this.#id === undefined) return
    const { clock } = this.#host
    const limit = clock.createAbortController()
    const cancel = clock.setTimer(GOODBYE_MS, () => limit.abort())
    await this.#request('DELETE', limit.signal).then(
      response => response.cancel(),
      () => {},
    )
    cancel()
  }

  async #request(
    method: string,
    signal: AbortSignal,
    { body, lastId }: { readonly body?: string; readonly lastId?: string | undefined } = {},
  ): Promise<HttpResponse> {
    const response = await this.#host.network.request(this.#server.url, {
      method,
      headers: this.#headers(method, lastId),
      ...(body !== undefined && { body }),
      signal,
    })
    this.isReached = true
    this.#id = response.headers.get('mcp-session-id') ?? this.#id
    return response
  }

  #headers(method: string, lastId?: string): Record<string, string> {
    const given = Object.entries(this.#server.headers).map(([name, value]) => [name.toLowerCase(), value])
    return {
      ...Object.fromEntries(given),
      accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
      ...(method === 'POST' && { 'content-type': 'application/json' }),
      ...(this.#id !== undefined && { 'mcp-session-id': this.#id }),
      ...(this.version !== undefined && { 'mcp-protocol-version': this.version }),
      ...(lastId !== undefined && { 'last-event-id': lastId }),
    }
  }
}
