import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { LoopbackServer, LoopbackService } from '../model/loopback-server.ts'

/** Only programs of this machine can connect. */
const ADDRESS = '127.0.0.1'

/** A client that sends its request slower than this is not a browser. */
const REQUEST_MS = 30_000

/** Starts a server. Throws when the port is in use. */
export async function serveOnLoopback(service: LoopbackService): Promise<LoopbackServer> {
  const server = createServer({ requestTimeout: REQUEST_MS }, (request, response) => {
    // A rejection ends the process as any other bug does.
    respond(request, response, service)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(service.port ?? 0, ADDRESS, () => {
      server.off('error', reject)
      resolve()
    })
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function respond(request: IncomingMessage, response: ServerResponse, service: LoopbackService): Promise<void> {
  const { method = '', url = '' } = request
  const body = await readBody(request, service.maxBodyBytes).catch(() => undefined)
  // The client has gone.
  if (body === undefined) return void response.destroy()
  if (body === 'too-large') return void response.writeHead(413, { connection: 'close' }).end()
  const answer = await service.answer({ method, url, headers: headersOf(request), body })
  response.writeHead(answer.status, answer.headers).end(method === 'HEAD' ? '' : answer.body)
}

/** Headers that are sent once; of those that are sent several times, none. */
function headersOf({ headersDistinct }: IncomingMessage): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headersDistinct).map(([name, values = []]) => [name, values.length === 1 ? values[0] : undefined]),
  )
}

/** Reads a body. A client that sends too much is answered before it has sent all. */
function readBody(request: IncomingMessage, most: number): Promise<Uint8Array | 'too-large'> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    let size = 0
    request.on('data', (chunk: Uint8Array) => {
      size += chunk.length
      if (size <= most) chunks.push(chunk)
      else {
        request.pause()
        resolve('too-large')
      }
    })
    request.on('end', () => resolve(Buffer.concat(chunks)))
    request.on('error', reject)
  })
}
