type Fetch = (url: string, init: RequestInit) => Promise<Response>

let client: Promise<Fetch> | undefined

/** `fetch` without a timeout except that of the signal: the global one gives up after five minutes without headers. */
export async function fetchWithoutTimeout(url: string, init: RequestInit): Promise<Response> {
  client ??= createClient()
  return (await client)(url, init)
}

/** Loads undici and keeps one agent, so that requests to a server share its connections. */
async function createClient(): Promise<Fetch> {
  const { Agent, EnvHttpProxyAgent, fetch } = await import('undici')
  // Node's own fetch uses HTTP_PROXY and HTTPS_PROXY under the same condition.
  const ClientAgent = process.env['NODE_USE_ENV_PROXY'] === '1' ? EnvHttpProxyAgent : Agent
  const dispatcher = new ClientAgent({ headersTimeout: 0, bodyTimeout: 0 })
  // undici has its own classes of the same shape.
  return (url, init) => fetch(url, { ...(init as object), dispatcher }) as Promise<unknown> as Promise<Response>
}
