import { STATUS_CODES, validateHeaderName, validateHeaderValue } from 'node:http'
import { EnvHttpProxyAgent, request } from 'undici'
import type { HttpRequest, HttpResponse } from '../../model/http-exchange.ts'
import { decodedBody, readAll } from './decoded-body.ts'
import { completeHeaders, headersByName } from './send-request.ts'

/** Sends requests through the proxies that the environment names, which Node itself does only since 24. */
export class ProxiedRequests {
  readonly #dispatcher: EnvHttpProxyAgent

  constructor(env: NodeJS.ProcessEnv) {
    this.#dispatcher = new EnvHttpProxyAgent({
      headersTimeout: 0,
      bodyTimeout: 0,
      httpProxy: env['http_proxy'] ?? env['HTTP_PROXY'] ?? '',
      httpsProxy: env['https_proxy'] ?? env['HTTPS_PROXY'] ?? '',
      noProxy: env['no_proxy'] ?? env['NO_PROXY'] ?? '',
    })
  }

  async send(url: string, { method, headers, body: content, signal }: HttpRequest): Promise<HttpResponse> {
    const response = await request(url, {
      method: method as 'POST',
      headers: validHeaders(headers),
      ...(content !== undefined && { body: content }),
      signal,
      dispatcher: this.#dispatcher,
    })
    const { statusCode } = response
    const body = decodedBody(response.body, response.headers['content-encoding']?.toString())
    return {
      status: statusCode,
      statusText: STATUS_CODES[statusCode] ?? '',
      headers: headersByName(response.headers),
      body,
      content: maxBytes => readAll(body, maxBytes),
      cancel: () => response.body.destroy(),
    }
  }
}

/** Throws the errors of Node, a `TypeError`, for headers that cannot be sent. */
function validHeaders(headers: HttpRequest['headers']): Record<string, string> {
  const complete = completeHeaders(headers)
  for (const [name, value] of Object.entries(complete)) {
    validateHeaderName(name)
    validateHeaderValue(name, value)
  }
  return complete
}
