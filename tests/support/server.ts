import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that a server got. */
export interface Call {
  readonly method: string
  /** Path and query as they came. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** How often this path was asked for, this time included. */
  readonly nth: number
  /** How many requests were under way when it came, this one included. */
  readonly active: number
  /** When it came, in milliseconds. */
  readonly at: number
}

export type Behaviour = (call: Call, response: ServerResponse) => unknown

export interface Server {
  readonly url: string
  /** Every request, in the order in which they came. */
  readonly calls: Call[]
  to(path: string): Call[]
  close(): Promise<void>
}

/** A real server on the loopback interface. */
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
