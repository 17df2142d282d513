import { lazily } from '../../lib/lazily.ts'
import type { HttpRequest, HttpResponse } from '../../model/http-exchange.ts'
import { sendRequest } from './send-request.ts'

type SendRequest = (url: string, request: HttpRequest) => Promise<HttpResponse>

/** Sends requests as Node itself does: through the proxies of `env` only with `NODE_USE_ENV_PROXY=1`. */
export function nodeRequests(env: NodeJS.ProcessEnv): SendRequest {
  if (env['NODE_USE_ENV_PROXY'] !== '1') return sendRequest
  const proxied = lazily(async () => new (await import('./proxied-requests.ts')).ProxiedRequests(env))
  return async (url, request) => (await proxied()).send(url, request)
}
