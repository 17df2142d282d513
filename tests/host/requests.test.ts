import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer, type Server as TcpServer } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nodeHost } from '../../src/host/node.ts'
import type { HttpRequest, HttpResponse } from '../../src/model/http-exchange.ts'
import { type Behaviour, type Server, serve } from '../support/servers/server.ts'

const TEXT = '{"text":"Grüße"}'

const ENCODED: Record<string, [encoding: string, body: string | Uint8Array]> = {
  '/plain': ['identity', TEXT],
  '/gzip': ['gzip', gzipSync(TEXT)],
  '/deflate': ['deflate', deflateSync(TEXT)],
  '/br': ['BR', brotliCompressSync(TEXT)],
  '/twice': ['gzip, br', brotliCompressSync(gzipSync(TEXT))],
  '/empty': ['gzip', ''],
  '/wrong': ['gzip', TEXT],
  '/constructor': ['constructor', TEXT],
  '/proto': ['__proto__', TEXT],
  '/many': [Array(6).fill('gzip').join(', '), TEXT],
}

let begun: ServerResponse | undefined

const connections = new Set<number | undefined>()

const behaviour: Behaviour = ({ path }, response) => {
  connections.add(response.socket?.remotePort)
  const [encoding, body] = ENCODED[path] ?? []
  if (encoding !== undefined) return response.writeHead(200, { 'content-encoding': encoding }).end(body)
  if (path === '/cut') return response.writeHead(200, { 'content-length': 100 }).write('half', () => response.destroy())
  if (path === '/begun' || path === '/endless') {
    begun = response
    return response.writeHead(200).write(path === '/begun' ? 'half' : 'a'.repeat(100_000))
  }
  if (path === '/silent') return undefined
  return response.writeHead(201, 'Made', { 'x-a': ['1', '2'] }).end(TEXT)
}

let server: Server

beforeAll(async () => {
  server = await serve(behaviour)
})

afterAll(() => server.close())

const { request } = nodeHost('/', {}).network

function send(path: string, given: Partial<HttpRequest> = {}, through = request): Promise<HttpResponse> {
  const signal = new AbortController().signal
  return through(`${server.url}${path}`, { method: 'POST', headers: {}, body: 'Hello', signal, ...given })
}

async function textOf(response: HttpResponse): Promise<string> {
  return String(Buffer.from((await response.content(1000)) ?? 'too large'))
}

async function streamedText({ body }: HttpResponse): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

describe('a request', () => {
  it('sends method, headers and body, and returns status, headers and content', async () => {
    const response = await send('/made', { headers: { 'X-Key': 'k', 'User-Agent': 'own' } })
    expect(response).toMatchObject({ status: 201, statusText: 'Made' })
    expect(response.headers.get('x-a')).toBe('1, 2')
    expect(await textOf(response)).toBe(TEXT)
    expect(server.to('/made')[0]).toMatchObject({
      method: 'POST',
      body: 'Hello',
      headers: { 'x-key': 'k', 'user-agent': 'own', accept: '*/*', 'content-length': '5' },
    })
  })

  it('is sent without blanks and line breaks around the values of headers', async () => {
    await textOf(await send('/trimmed', { headers: { authorization: ' Bearer k\r\n' } }))
    expect(server.to('/trimmed')[0]?.headers.authorization).toBe('Bearer k')
  })

  it('sends headers in Latin-1 and the body in UTF-8', async () => {
    await textOf(await send('/letters', { headers: { authorization: 'Bearer Grüße' }, body: 'Grüße 🎉' }))
    const [{ headers, body } = expect.unreachable()] = server.to('/letters')
    expect([headers.authorization, body]).toEqual(['Bearer Grüße', 'Grüße 🎉'])
  })

  it('sends the last header of a name, whatever its case', async () => {
    await textOf(await send('/typed', { headers: { 'content-type': 'application/json', 'Content-Type': 'text/x' } }))
    expect(server.to('/typed')[0]?.headers['content-type']).toBe('text/x')
  })

  it('uses the connection of an earlier one', async () => {
    connections.clear()
    for (let count = 0; count < 20; count++) await textOf(await send('/kept'))
    expect(connections.size).toBe(1)
  })

  /** Sends requests to a server that answers each connection once and closes it. Returns the texts and the errors. */
  async function askClosing(count: number, headers: string): Promise<unknown[]> {
    const closing = createTcpServer(socket =>
      socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\n${headers}content-length: 2\r\n\r\nok`)),
    )
    await once(closing.listen(0, '127.0.0.1'), 'listening')
    const url = `http://127.0.0.1:${(closing.address() as AddressInfo).port}/`
    const signal = new AbortController().signal
    const ends: unknown[] = []
    for (let nth = 0; nth < count; nth++) {
      const response = request(url, { method: 'POST', headers: {}, body: 'Hello', signal })
      ends.push(await response.then(textOf).catch((error: NodeJS.ErrnoException) => error.code))
    }
    closing.close()
    return ends
  }

  it('uses a new connection if the server has not announced to keep it', async () => {
    expect(await askClosing(20, '')).toEqual(Array(20).fill('ok'))
  })

  it('uses new connections after a server has closed one that it announced to keep', async () => {
    const ends = await askClosing(20, 'connection: keep-alive\r\n')
    expect(ends.filter(end => end !== 'ok').length).toBeLessThanOrEqual(1)
  })

  it('is rejected if the server switches protocols', async () => {
    const switching = createTcpServer(socket =>
      socket.once('data', () =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
      ),
    )
    await once(switching.listen(0, '127.0.0.1'), 'listening')
    const url = `http://127.0.0.1:${(switching.address() as AddressInfo).port}/`
    const signal = new AbortController().signal
    const response = request(url, { method: 'POST', headers: {}, body: 'Hello', signal })
    await expect(response).rejects.toMatchObject({ code: 'ECONNRESET' })
    switching.close()
  })

  it('has the length of its body, whatever its headers say', async () => {
    await textOf(await send('/length', { headers: { 'Content-Length': '500' } }))
    expect(server.to('/length')[0]).toMatchObject({ body: 'Hello', headers: { 'content-length': '5' } })
  })

  it.each(['/constructor', '/proto'])('returns content in an unknown encoding as it is: %s', async path => {
    expect(await textOf(await send(path))).toBe(TEXT)
  })

  it('throws when the content has more than five encodings', async () => {
    await expect(send('/many')).rejects.toThrow('6 content encodings')
  })

  it.each(['/plain', '/gzip', '/deflate', '/br', '/twice'])('decodes the content at %s', async path => {
    expect(await textOf(await send(path))).toBe(TEXT)
    expect(await streamedText(await send(path))).toBe(TEXT)
  })

  it('reads content up to a limit, and closes the connection of a larger one', async () => {
    const size = TEXT.length + 2
    expect(await (await send('/made')).content(size)).toHaveLength(size)
    const response = await send('/endless')
    const closed = once(begun as ServerResponse, 'close')
    expect(await response.content(10_000)).toBeUndefined()
    await closed
  })

  it('decodes an empty body to nothing', async () => {
    expect(await textOf(await send('/empty'))).toBe('')
  })

  it.each([
    ['with a line break in a header', { headers: { 'x-a': 'a\nb' } }],
    ['with a letter beyond Latin 1 in a header', { headers: { 'x-a': 'ł' } }],
    ['with a blank in the name of a header', { headers: { 'x a': '1' } }],
  ])('%s is rejected with a TypeError', async (_, given) => {
    await expect(send('/', given)).rejects.toBeInstanceOf(TypeError)
  })

  it('throws when the content is not what its encoding says', async () => {
    await expect(send('/wrong').then(textOf)).rejects.toMatchObject({ code: 'Z_DATA_ERROR' })
    await expect(send('/wrong').then(streamedText)).rejects.toMatchObject({ code: 'Z_DATA_ERROR' })
  })

  it('throws when the connection ends before the body', async () => {
    await expect(send('/cut').then(textOf)).rejects.toMatchObject({ code: 'ECONNRESET' })
    await expect(send('/cut').then(streamedText)).rejects.toMatchObject({ code: 'ECONNRESET' })
    const response = await send('/cut')
    await expect(streamedText(response)).rejects.toThrow()
    await expect(textOf(response)).rejects.toThrow()
  })

  it('throws when the server does not speak TLS', async () => {
    const sent = request(server.url.replace('http:', 'https:'), {
      method: 'GET',
      headers: {},
      signal: new AbortController().signal,
    })
    await expect(sent).rejects.toMatchObject({ code: expect.stringMatching(/^(EPROTO|ERR_SSL_\w+)$/) })
  })

  it('closes the connection when its response is cancelled', async () => {
    const response = await send('/begun')
    const closed = once(begun as ServerResponse, 'close')
    response.cancel()
    await closed
  })
})

describe('an aborted request', () => {
  it('is not sent if it was aborted before', async () => {
    await expect(send('/never', { signal: AbortSignal.abort() })).rejects.toThrow()
    expect(server.to('/never')).toEqual([])
  })

  it('throws before the response', async () => {
    const controller = new AbortController()
    const sent = send('/silent', { signal: controller.signal })
    controller.abort()
    await expect(sent).rejects.toThrow()
  })

  it('throws while the body is read', async () => {
    const controller = new AbortController()
    const text = textOf(await send('/begun', { signal: controller.signal }))
    controller.abort()
    await expect(text).rejects.toThrow()
  })
})

describe('with NODE_USE_ENV_PROXY=1', () => {
  const tunnels: string[] = []
  let proxy: TcpServer
  let proxied: typeof request

  beforeAll(async () => {
    proxy = createServer().on('connect', ({ url = '' }, socket) => {
      tunnels.push(url)
      const [host = '', port] = url.split(':')
      const upstream = connect(Number(port), host, () => socket.write('HTTP/1.1 200 OK\r\n\r\n'))
      socket.pipe(upstream).pipe(socket)
      socket.on('error', () => upstream.destroy())
    })
    await once(proxy.listen(0, '127.0.0.1'), 'listening')
    const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
    proxied = nodeHost('/', { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: address }).network.request
  })

  afterAll(() => proxy.close())

  it('goes through the proxy of the environment', async () => {
    const response = await send('/gzip', { headers: { authorization: 'k\n' } }, proxied)
    expect(await textOf(response)).toBe(TEXT)
    expect(response).toMatchObject({ status: 200, statusText: 'OK' })
    expect(tunnels).toEqual([server.url.slice('http://'.length)])
  })

  it('rejects invalid headers with a TypeError', async () => {
    await expect(send('/', { headers: { 'x-a': 'a\nb' } }, proxied)).rejects.toBeInstanceOf(TypeError)
  })

  it('goes to hosts of NO_PROXY directly', async () => {
    const env = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: 'http://127.0.0.1:9', NO_PROXY: '127.0.0.1' }
    expect(await textOf(await send('/plain', {}, nodeHost('/', env).network.request))).toBe(TEXT)
  })
})
