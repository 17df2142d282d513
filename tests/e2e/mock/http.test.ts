import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { folderWith } from '../../support/program.ts'
import { type Behaviour, type Server, serve } from '../../support/servers/server.ts'
import { event, httpOrders } from './http-orders.ts'
import { record, recordedTools, recordings } from './recording-proxy.ts'

let server: Server | undefined

afterEach(async () => {
  await server?.close()
  server = undefined
})

/** Starts a server and a proxy to it. */
async function recordFrom(behaviour: Behaviour, ...args: string[]) {
  server = await serve(behaviour)
  const cwd = folderWith()
  const proxy = record(['--server', 'orders', '--url', `${server.url}/mcp`, ...args], { cwd })
  return { cwd, proxy, server }
}

const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' }

describe('assay mock record --url', () => {
  it.each([false, true])('passes calls on and records them (events: %j)', async events => {
    const { cwd, proxy, server } = await recordFrom(httpOrders({ events }))
    await proxy.request('initialize', { protocolVersion: '2025-06-18' })
    proxy.send(INITIALIZED)
    await proxy.request('tools/list')
    expect(await proxy.call('get_order', { id: 'A1' })).toEqual({
      jsonrpc: '2.0',
      id: 3,
      result: { content: [{ type: 'text', text: 'get_order A1' }] },
    })
    expect(await proxy.end()).toBe(0)
    expect(recordings(cwd)).toMatchObject([{ tool: 'get_order', input: { id: 'A1' }, output: 'get_order A1' }])
    expect(recordedTools(cwd)).toMatchObject([{ name: 'get_order' }])
    const [first, ...others] = server.calls
    expect(first?.headers).toMatchObject({ accept: 'application/json, text/event-stream' })
    expect(first?.headers['mcp-session-id']).toBeUndefined()
    for (const { headers } of others)
      expect(headers).toMatchObject({ 'mcp-session-id': 'session-1', 'mcp-protocol-version': '2025-06-18' })
    expect(others.map(({ method }) => method).sort()).toEqual(['DELETE', 'GET', 'POST', 'POST', 'POST'])
    expect(others.at(-1)?.method).toBe('DELETE')
  })

  it('sends headers, whose values are redacted', async () => {
    const { cwd, proxy, server } = await recordFrom(
      httpOrders(),
      ...['--header', 'Authorization: Bearer v3ry-s3cret', '--header', 'X-Team:blue-team-7', '--header', 'accept: x/y'],
    )
    await proxy.call('get_order', { id: 'v3ry-s3cret of blue-team-7' })
    await proxy.end()
    expect(server.calls[0]?.headers).toMatchObject({
      authorization: 'Bearer v3ry-s3cret',
      'x-team': 'blue-team-7',
      accept: 'application/json, text/event-stream',
    })
    expect(recordings(cwd)[0]).toMatchObject({
      input: { id: '[Authorization] of [X-Team]' },
      output: 'get_order [Authorization] of [X-Team]',
    })
  })

  it('passes on requests of the server, progress and answers to them', async () => {
    const asked: unknown[] = []
    const { proxy } = await recordFrom(
      httpOrders({
        onStream: stream => stream.write(event({ jsonrpc: '2.0', id: 5, method: 'roots/list' })),
        handle: (message, response) => {
          if (message.method === undefined) asked.push(message)
          if (message.method !== 'tools/call') return undefined
          response.writeHead(200, { 'content-type': 'text/event-stream' })
          response.write(event({ jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } }))
          response.end(event({ jsonrpc: '2.0', id: message.id, result: { content: [] } }))
          return true
        },
      }),
    )
    await proxy.request('initialize')
    proxy.send(INITIALIZED)
    await proxy.next(({ method }) => method === 'roots/list')
    proxy.send({ jsonrpc: '2.0', id: 5, result: { roots: [] } })
    await proxy.call('get_order')
    await proxy.end()
    expect(proxy.received.map(({ method }) => method)).toContain('notifications/progress')
    expect(asked).toEqual([{ jsonrpc: '2.0', id: 5, result: { roots: [] } }])
  })

  it('runs calls in parallel', async () => {
    const waiting: (() => void)[] = []
    const { cwd, proxy } = await recordFrom(
      httpOrders({
        handle: (message, response) => {
          if (message.method !== 'tools/call') return undefined
          const { id } = message
          response.writeHead(200, { 'content-type': 'application/json' })
          waiting.unshift(() =>
            response.end(
              JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: `${id}` }] } }),
            ),
          )
          if (waiting.length === 3) for (const answer of waiting) answer()
          return true
        },
      }),
    )
    await Promise.all([1, '1', 3].map(id => proxy.call('get_order', { id: `${typeof id}${id}` }, id)))
    await proxy.end()
    const found = recordings(cwd).map(({ input, output }) => `${JSON.stringify(input)} ${output}`)
    expect(found.sort()).toEqual(['{"id":"number1"} 1', '{"id":"number3"} 3', '{"id":"string1"} 1'])
  })

  it('continues a stream that the server has closed before the answer', async () => {
    let call: unknown
    const { cwd, proxy, server } = await recordFrom(
      httpOrders({
        handle: (message, response) => {
          if (message.method !== 'tools/call') return undefined
          call = message.id
          response.writeHead(200, { 'content-type': 'text/event-stream' })
          response.end('id: e1\nretry: 10\ndata:\n\n')
          return true
        },
        onStream: stream =>
          stream.end(event({ jsonrpc: '2.0', id: call, result: { content: [{ type: 'text', text: 'late' }] } }, 'e2')),
      }),
    )
    expect(await proxy.call('get_order')).toHaveProperty('result')
    await proxy.end()
    expect(server.calls.find(({ method }) => method === 'GET')?.headers['last-event-id']).toBe('e1')
    expect(recordings(cwd)).toMatchObject([{ output: 'late' }])
  })

  it('passes on a result of 10 MB', async () => {
    const { cwd, proxy } = await recordFrom(httpOrders({ events: true }))
    await proxy.call('get_order', { size: 10_000_000 })
    expect(await proxy.end()).toBe(0)
    expect(String(recordings(cwd)[0]?.output)).toHaveLength(10_000_010)
  })
})

describe('assay mock record --url answers with an error, and records nothing,', () => {
  const failures: [what: string, behaviour: Behaviour, message: RegExp][] = [
    [
      'on status 401',
      (_, response) => response.writeHead(401).end(),
      /HTTP status 401 \(set credentials with --header\)/,
    ],
    ['on status 500', (_, response) => response.writeHead(500).end('down'), /HTTP status 500: down/],
    [
      'on a redirect',
      (_, response) => response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end(),
      /redirects to http:\/\/127\.0\.0\.1:9\/: use that address/,
    ],
    ['if the connection breaks', (_, response) => response.destroy(), /cannot be reached/],
    [
      'if a stream breaks',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write('data: {"jsonrpc"')
        setTimeout(() => response.destroy(), 20)
      },
      /cannot be reached/,
    ],
    [
      'if a stream ends without an answer',
      (_, response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: {}\n\n'),
      /closed the connection without an answer/,
    ],
    [
      'if the answer is not JSON',
      (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
      /closed the connection without an answer/,
    ],
    ['on status 202 for a request', (_, response) => response.writeHead(202).end(), /without an answer/],
  ]
  it.each(failures)('%s', async (_, behaviour, message) => {
    const { cwd, proxy } = await recordFrom(behaviour)
    const answer = await proxy.call('get_order', { id: 'A1' })
    expect(answer).toMatchObject({ id: 1, error: { code: -32000, message: expect.stringMatching(message) } })
    expect([2, 3]).toContain(await proxy.end())
    expect(proxy.output.stderr).toMatch(message)
    expect(proxy.output.stderr).toContain('1 call could not be recorded\n')
    expect(existsSync(join(cwd, 'mocks/.replay'))).toBe(false)
  })

  it('and exits with 2 if the server was never reached', async () => {
    const cwd = folderWith()
    const gone = await serve(() => {})
    await gone.close()
    const proxy = record(['--server', 'orders', '--url', `${gone.url}/mcp`], { cwd })
    const answer = await proxy.request('initialize')
    expect(answer).toMatchObject({ error: { message: expect.stringContaining('ECONNREFUSED') } })
    expect(await proxy.end()).toBe(2)
  })

  it('but passes on and records an error that the server sends with status 400', async () => {
    const { cwd, proxy } = await recordFrom((call, response) => {
      const { id } = JSON.parse(call.body)
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32602, message: 'bad order' } }))
    })
    expect(await proxy.call('get_order')).toMatchObject({ error: { message: 'bad order' } })
    await proxy.end()
    expect(recordings(cwd)).toMatchObject([{ output: 'bad order', verdict: 'error' }])
  })
})

describe('assay mock record --url ends', () => {
  it('on a signal while a call is pending', async () => {
    const { cwd, proxy, server } = await recordFrom(httpOrders({ handle: message => message.method === 'tools/call' }))
    await proxy.request('initialize')
    void proxy.call('get_order')
    await expect.poll(() => server.calls.length).toBe(2)
    proxy.signal('SIGTERM')
    expect(await proxy.ended).toBe(143)
    expect(proxy.output.stderr).toContain('1 call had no answer')
    expect(server.calls.at(-1)?.method).toBe('DELETE')
    expect(existsSync(join(cwd, 'mocks/.replay'))).toBe(false)
  })

  it('although the server does not answer the end of the session', async () => {
    const { proxy } = await recordFrom((call, response) => {
      if (call.method !== 'DELETE') httpOrders()(call, response)
    })
    await proxy.request('initialize')
    expect(await proxy.end()).toBe(0)
  })
})
