import type { ServerResponse } from 'node:http'
import type { Behaviour, Call } from '../../support/servers/server.ts'
import type { Message } from './recording-proxy.ts'

const SESSION = 'session-1'

/** What the server of a test does besides its ordinary answers. */
export interface HttpOrders {
  /** Answers with server-sent events instead of JSON. */
  readonly events?: boolean
  /** Called when the stream for messages of the server is opened. */
  onStream?(stream: ServerResponse, call: Call): void
  /** Handles a request itself; returns whether it did. */
  handle?(message: Message, response: ServerResponse, call: Call): boolean | undefined
}

/** An MCP server over streamable HTTP, without a library. */
export function httpOrders({ events, onStream, handle }: HttpOrders = {}): Behaviour {
  return (call, response) => {
    if (call.method === 'DELETE') return response.writeHead(200).end()
    if (call.method === 'GET') {
      if (!onStream) return response.writeHead(405).end()
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.flushHeaders()
      return onStream(response, call)
    }
    const message = JSON.parse(call.body)
    if (handle?.(message, response, call)) return
    if (message.id === undefined || message.method === undefined) return response.writeHead(202).end()
    const headers = message.method === 'initialize' ? { 'mcp-session-id': SESSION } : {}
    const answer = { jsonrpc: '2.0', id: message.id, ...answerTo(message) }
    if (!events) {
      response.writeHead(200, { 'content-type': 'application/json', ...headers })
      // Over several lines, which a client on stdio could not read.
      return response.end(JSON.stringify(answer, null, 2))
    }
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', ...headers })
    response.write(': a comment\r\n\r\n')
    response.end(`${event(answer)}`)
  }
}

/** A message as an event, in several lines of data. */
export function event(message: unknown, id?: string): string {
  const lines = JSON.stringify(message, null, 1).split('\n')
  return `${id === undefined ? '' : `id: ${id}\n`}event: message\n${lines.map(line => `data: ${line}\n`).join('')}\n`
}

function answerTo({ method, params }: Message): object {
  const { name, arguments: input = {}, protocolVersion } = (params ?? {}) as Record<string, Record<string, unknown>>
  if (method === 'initialize')
    return { result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'orders', version: '1' } } }
  if (method === 'tools/list') return { result: { tools: [{ name: 'get_order', inputSchema: { type: 'object' } }] } }
  if (method !== 'tools/call') return { error: { code: -32601, message: 'Method not found' } }
  return {
    result: { content: [{ type: 'text', text: `${name} ${input?.['id'] ?? 'x'.repeat(Number(input?.['size']))}` }] },
  }
}
