import { type IncomingHttpHeaders, request } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { nodeHost } from '../../../src/host/node.ts'
import { type PageRequest, type PageServer, servePage } from '../../../src/operations/serve/page-server.ts'

let server: PageServer | undefined
let asked: PageRequest[] = []

afterEach(async () => {
  await server?.close()
  server = undefined
  asked = []
})

/** A server with one document at `` and JSON at `data`. */
async function start(port?: number): Promise<URL> {
  const answer = async (each: PageRequest) => {
    asked.push(each)
    if (each.path === '') return { html: '<p>secret page</p>', policy: "default-src 'none'" }
    return each.path === 'data' ? { status: 200, json: { secret: each.body } } : undefined
  }
  server = await servePage({ port, answer }, nodeHost())
  return new URL(server.address)
}

interface Sent {
  readonly path?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string | string[]>>
  readonly body?: string
}

interface Received {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Sends a request as a program could, with any headers. */
function send({ hostname, port, pathname }: URL, { path = pathname, method = 'GET', headers, body }: Sent = {}) {
  return new Promise<Received>((resolve, reject) => {
    const sent = request({ host: hostname, port, path, method, headers }, response => {
      let body = ''
      response.on('data', chunk => {
        body += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

const post = { method: 'POST', body: '{"a":1}' }

describe('a page server', () => {
  it('answers its own page, with headers that protect it', async () => {
    const address = await start()
    expect(address.hostname).toBe('127.0.0.1')
    expect(address.pathname).toMatch(/^\/[\w-]{32}\/$/)
    const { status, headers, body } = await send(address)
    expect({ status, body }).toEqual({ status: 200, body: '<p>secret page</p>' })
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'",
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
    const own = { ...post, path: `${address.pathname}data`, headers: { origin: address.origin } }
    expect(JSON.parse((await send(address, own)).body)).toEqual({ secret: '{"a":1}' })
  })

  it('has another token each time', async () => {
    const first = (await start()).pathname
    await server?.close()
    expect((await start()).pathname).not.toBe(first)
  })

  it.each<[what: string, (address: URL) => Sent]>([
    ['another host name (DNS rebinding)', ({ port }) => ({ headers: { host: `evil.example:${port}` } })],
    ['localhost', ({ port }) => ({ headers: { host: `localhost:${port}` } })],
    ['no port in the host', () => ({ headers: { host: '127.0.0.1' } })],
    ['another port in the host', () => ({ headers: { host: '127.0.0.1:1' } })],
    ['another origin', () => ({ headers: { origin: 'https://evil.example' } })],
    ['a page from disk', () => ({ headers: { origin: 'null' } })],
    ['the origin with https', ({ host }) => ({ headers: { origin: `https://${host}` } })],
    ['a POST without an origin', () => post],
    ['a POST from another origin', () => ({ ...post, headers: { origin: 'http://127.0.0.1:1' } })],
    ['no token', () => ({ path: '/' })],
    ['no token before a path', () => ({ path: '/data' })],
    ['another token', ({ pathname }) => ({ path: `/${'A'.repeat(pathname.length - 2)}/` })],
    ['half of the token', ({ pathname }) => ({ path: `${pathname.slice(0, 10)}/` })],
    ['the token without its slash', ({ pathname }) => ({ path: pathname.slice(0, -1) })],
    ['the token as a query', ({ pathname }) => ({ path: `/?token=${pathname.slice(1, -1)}` })],
    ['the token behind dots', ({ pathname }) => ({ path: `/..${pathname}` })],
    ['a query', ({ pathname }) => ({ path: `${pathname}?x=1` })],
    ['the address of a proxy', ({ href }) => ({ path: href })],
  ])('refuses %s', async (_, sentTo) => {
    const address = await start()
    const { status, body } = await send(address, sentTo(address))
    expect({ status, body, asked }).toEqual({ status: 403, body: 'Forbidden\n', asked: [] })
  })

  it('refuses other methods and paths', async () => {
    const address = await start()
    for (const method of ['PUT', 'DELETE', 'OPTIONS', 'PATCH'])
      expect(await send(address, { method, headers: { origin: address.origin } })).toMatchObject({ status: 405 })
    expect(asked).toEqual([])
    expect(await send(address, { path: `${address.pathname}elsewhere` })).toMatchObject({ status: 404 })
  })

  it('refuses a body over 64 KB, and goes on', async () => {
    const address = await start()
    const headers = { origin: address.origin }
    const large = { method: 'POST', path: `${address.pathname}data`, headers, body: 'x'.repeat(70_000) }
    expect((await send(address, large)).status).toBe(413)
    expect(asked).toEqual([])
    expect((await send(address, { ...large, body: 'x'.repeat(60_000) })).status).toBe(200)
  })

  it('says that a port is in use, and what to do', async () => {
    const { port } = await start()
    await expect(servePage({ port: Number(port), answer: async () => undefined }, nodeHost())).rejects.toMatchObject({
      message: expect.stringContaining(`Cannot serve the page on port ${port} of 127.0.0.1: listen EADDRINUSE`),
      advice: 'Choose another port, or leave --port out for a free one.',
    })
  })
})
