import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { viewDocument } from '../../../src/operations/serve/view-document.ts'

/** What a path answers: data as JSON, bytes, or nothing, which is an error of the server. */
export type Answers = Record<string, unknown | ((request: IncomingMessage) => unknown)>

/** The page of the view with data of a test. */
export interface ViewServer {
  readonly address: string
  /** Paths that were asked for, with their methods. */
  readonly asked: string[]
  /** Ends all connections, as a crash of the server does. */
  close(): void
}

/** Serves the page of the view on loopback, with these answers to its requests. */
export async function startViewServer(answers: Answers): Promise<ViewServer> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? '').slice(1))
    if (path === '') {
      const page = viewDocument({ title: 'Assay' })
      const { html, policy } = 'html' in page ? page : { html: '', policy: '' }
      return response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy }).end(html)
    }
    asked.push(`${request.method} ${path}`)
    const answer = answers[path]
    const value = typeof answer === 'function' ? answer(request) : answer
    if (value === undefined) return response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
    if (value instanceof Uint8Array) return response.writeHead(200, { 'content-type': 'image/png' }).end(value)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  onTestFinished(close)
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked, close }
}
