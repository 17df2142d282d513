import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request to the server. */
export interface Call {
  readonly method: string
  /** Path and query, unchanged. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** The number of requests to this path, including this one. */
  readonly nth: number
  /** The number of concurrent requests when it arrived, including this one. */
  readonly active: number
  /** The time of its arrival in milliseconds. */
  readonly at: number
}

export type Behaviour = (call: Call, response: ServerResponse) => unknown

export interface Server {
  readonly url: string
  /** All requests, in order of arrival. */
  readonly calls: Call[]
  to(path: string): Call[]
  close(): Promise<void>
}

/** Starts a real server on the loopback interface. */
export async function serve(behaviour: Behaviour, port = 0): Promise<Server> {
  const calls: Call[] = []
  const to = (path: string) => calls.filter(call => call.path === path)
  let active = 0
  const server = createServer(async (request, response) => {
    active++
    response.on('close', () => active--)
    const { method = '', url: path = '', headers } = request
    const facts = { method, path, headers, nth: to(path).length + 1, active, at: performance.now() }
    const call = { ...facts, body: '' }
    calls.push(call)
    for await (const chunk of request) call.body += chunk
    await behaviour(call, response)
  })
  // By default, a connection that is idle for 5 s is closed, also while a busy client is about to use it again.
  server.keepAliveTimeout = 0
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    to,
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
