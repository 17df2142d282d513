import type { Agent, ClientRequest, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { lazily } from '../../lib/lazily.ts'
import type { HttpRequest, HttpResponse } from '../../model/http-exchange.ts'
import { decodedBody, readAll } from './decoded-body.ts'

/** Time to connect. A server that is not there would otherwise keep a request waiting for minutes. */
const CONNECT_MS = 10_000

/** Servers close connections that are unused for five seconds or longer. */
const IDLE_MS = 4000

/** Sends a request on a connection that may be kept for the next one. There is no timeout once it is connected. */
export function sendRequest(url: string, { method, headers, body, signal }: HttpRequest): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const address = new URL(url)
    const { request, agent } = address.protocol === 'https:' ? httpsClient() : httpClient()
    const options = { method, headers: completeHeaders(headers), agent }
    const sent = request(address, options, response => {
      try {
        resolve(toResponse(response, address))
      } catch (error) {
        response.destroy()
        reject(error)
      }
    })
    sent.on('error', error => {
      if (sent.reusedSocket && !signal.aborted) distrust(address, agent)
      reject(error)
    })
    // Without a listener, a connection that becomes another protocol is closed without an error.
    sent.on('upgrade', (_, socket) => {
      socket.destroy()
      reject(Object.assign(new Error('the server switched protocols'), { code: 'ECONNRESET' }))
    })
    abortWith(signal, sent)
    sent.on('socket', socket => limitConnecting(socket, address, error => sent.destroy(error)))
    // As bytes: beside a text, Node writes the headers in UTF-8 too, and they are Latin-1.
    sent.end(body === undefined ? undefined : Buffer.from(body))
  })
}

// Not imported: that reads all exports, and one of them loads the `fetch` of Node, which takes longer than all of this.
const httpClient = lazily(() => {
  const { Agent, request } = process.getBuiltinModule('node:http')
  return { agent: keepingAnnounced(new Agent({ keepAlive: true, timeout: IDLE_MS })), request }
})

const httpsClient = lazily(() => {
  const { Agent, request } = process.getBuiltinModule('node:https')
  return { agent: keepingAnnounced(new Agent({ keepAlive: true, timeout: IDLE_MS })), request }
})

/** Connections that their server has announced to keep. */
const announced = new WeakSet<object>()

/**
 * Has an agent keep only such connections. Some servers close others after a response: the next request would be lost on
 * its way, and nothing tells whether it was answered.
 */
function keepingAnnounced<Client extends Agent>(agent: Client): Client {
  const keep = agent.keepSocketAlive.bind(agent)
  // Its type lacks the result, which decides whether the connection is kept.
  agent.keepSocketAlive = socket => announced.has(socket) && (keep(socket) as unknown as boolean)
  return agent
}

/** Origins of servers that have closed a connection which they had announced to keep. */
const distrusted = new Set<string>()

/** Keeps no more connections of a server: each one that it closes may lose a request. */
function distrust({ origin }: URL, agent: Agent): void {
  distrusted.add(origin)
  for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy()
}

/** Adds the headers without which some servers refuse a request. The length of the body is added where it is sent. */
export function completeHeaders(headers: HttpRequest['headers']): Record<string, string> {
  const complete: Record<string, string> = { accept: '*/*', 'user-agent': 'assay' }
  for (const [name, value] of Object.entries(headers))
    complete[name.toLowerCase()] = value.replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '')
  delete complete['content-length']
  return complete
}

function limitConnecting(socket: Socket, { protocol, host }: URL, abort: (error: Error) => void): void {
  // A connection of an earlier request.
  if (!socket.connecting) return
  const late = () => abort(Object.assign(new Error(`connect ETIMEDOUT ${host}`), { code: 'ETIMEDOUT' }))
  const timer = setTimeout(late, CONNECT_MS)
  socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', () => clearTimeout(timer))
  socket.once('close', () => clearTimeout(timer))
}

/** As the option `signal` of a request does, which takes longer. */
function abortWith(signal: AbortSignal, sent: ClientRequest): void {
  const abort = () => sent.destroy(signal.reason)
  if (signal.aborted) return void abort()
  signal.addEventListener('abort', abort)
  sent.once('close', () => signal.removeEventListener('abort', abort))
}

function toResponse(message: IncomingMessage, { origin }: URL): HttpResponse {
  const { statusCode = 0, statusMessage = '', headers, socket } = message
  const isKept = /\bkeep-alive\b/i.test(headers.connection ?? '') && !distrusted.has(origin)
  if (isKept) announced.add(socket)
  else announced.delete(socket)
  const body = decodedBody(message, headers['content-encoding'])
  return {
    status: statusCode,
    statusText: statusMessage,
    headers: headersByName(headers),
    body,
    content: maxBytes => readAll(body, maxBytes),
    cancel: () => message.destroy(),
  }
}

export function headersByName(headers: IncomingMessage['headers']): ReadonlyMap<string, string> {
  return new Map(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}
