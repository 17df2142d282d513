import { parseJson } from '../../lib/json/parse-json.ts'
import { isMapping } from '../../lib/objects.ts'
import { eventsIn } from '../../lib/text/event-stream.ts'
import { truncate } from '../../lib/text/quote.ts'
import type { Host } from '../../model/host.ts'
import { type HttpResponse, isSuccess } from '../../model/http-exchange.ts'
import { isId, messagesIn, requestIdsIn } from './call-watch.ts'
import { type HttpServer, HttpSession } from './http-session.ts'
import { answersArrive, type LinkEnd, type LinkListener, type ServerLink } from './server-link.ts'

/** How long the next message waits for the server to accept a notification, which it should get first. */
const NOTIFICATION_MS = 1000

/** Time before a closed stream is opened again, unless the server names another, and the most failures in a row. */
const RETRY_MS = 1000
const MOST_FAILURES = 5

/** A message of the client that was sent. */
interface Exchange {
  /** The requests in it that wait for an answer. */
  readonly open: Set<string | number>
  readonly methods: readonly unknown[]
}

/** Connects to a server by the streamable HTTP transport of MCP. Each message of the client is one HTTP request. */
export class HttpLink implements ServerLink {
  readonly ended: Promise<LinkEnd>
  readonly #session: HttpSession
  readonly #listener: LinkListener
  readonly #clock: Host['clock']
  readonly #over: AbortController
  #resolveEnd: (end: LinkEnd) => void = () => {}
  #problem: string | undefined
  #isListening = false
  #isEnding = false

  constructor(server: HttpServer, listener: LinkListener, host: Host) {
    this.#session = new HttpSession(server, host)
    this.#listener = listener
    this.#clock = host.clock
    this.#over = host.clock.createAbortController()
    this.ended = new Promise(resolve => {
      this.#resolveEnd = resolve
    })
  }

  async send(line: string, value: unknown): Promise<void> {
    const open = new Set(requestIdsIn(value))
    const sent = this.#exchange(line, { open, methods: messagesIn(value).map(({ method }) => method) })
    if (open.size === 0) await Promise.race([sent, this.#sleep(NOTIFICATION_MS)])
  }

  async close(): Promise<void> {
    await answersArrive(this.#listener.pending, this.#clock.sleep, this.#over.signal)
    await this.#finish()
  }

  stop(): void {
    void this.#finish()
  }

  /** Sends a message and passes on the answers. Requests that get none are answered with an error. Never throws. */
  async #exchange(line: string, exchange: Exchange): Promise<void> {
    let problem: string | undefined
    try {
      const response = await this.#session.post(line, this.#over.signal)
      if (isSuccess(response)) await this.#readAnswers(response, exchange)
      else problem = await this.#refusal(response, exchange)
    } catch (error) {
      problem = networkProblem(error)
    }
    if (this.#over.signal.aborted) return
    if (exchange.open.size > 0) problem ??= 'the server closed the connection without an answer'
    if (problem !== undefined) this.#refuse(exchange, problem)
    else if (exchange.methods.includes('notifications/initialized')) void this.#listen()
  }

  async #readAnswers(response: HttpResponse, exchange: Exchange): Promise<void> {
    let current = response
    for (let streams = 1; ; streams++) {
      if (!isEventStream(current)) return this.#deliver(await readText(current), exchange)
      const { lastId, retry } = await this.#readEvents(current, exchange)
      if (exchange.open.size === 0 || lastId === undefined || streams > MOST_FAILURES) return
      // The server has closed the stream before the answer, which another one has.
      await this.#sleep(retry)
      current = await this.#session.listen(lastId, this.#over.signal)
      if (!isSuccess(current)) return
    }
  }

  /** Passes on the messages of a stream until it ends. A stream that breaks can be continued after an event with an id. */
  async #readEvents(
    response: HttpResponse,
    exchange?: Exchange,
  ): Promise<{ readonly lastId: string | undefined; readonly retry: number }> {
    let lastId: string | undefined
    let retry = RETRY_MS
    try {
      for await (const event of eventsIn(response.body)) {
        lastId = event.id
        retry = event.retry ?? retry
        this.#deliver(event.data, exchange)
      }
    } catch (error) {
      if (lastId === undefined) throw error
    }
    return { lastId, retry }
  }

  #deliver(text: string, exchange?: Exchange): void {
    if (text.trim() === '') return
    const value = parseJson(text)
    if (typeof value !== 'object' || value === null) {
      this.#listener.onNote(`the server sent a text that is not a message: ${truncate(text, 200)}`)
      return
    }
    for (const { id, method, result } of messagesIn(value)) {
      if (method === undefined && isId(id)) exchange?.open.delete(id)
      const isAgreed = exchange?.methods.includes('initialize') && isMapping(result)
      const version = isAgreed ? result['protocolVersion'] : undefined
      if (typeof version === 'string') this.#session.version = version
    }
    // A line break in JSON is never part of a string.
    this.#listener.onMessage({ line: text.replace(/[\r\n]+/g, ' '), value })
  }

  /** Describes a response without success, unless its body answers a request. */
  async #refusal(response: HttpResponse, exchange: Exchange): Promise<string | undefined> {
    const text = (await readText(response)).trim()
    const isAnswer = messagesIn(parseJson(text)).some(({ id }) => isId(id) && exchange.open.has(id))
    if (isAnswer) {
      this.#deliver(text, exchange)
      return undefined
    }
    const { status, headers } = response
    const location = headers.get('location')
    if (location !== undefined)
      return `the server redirects to ${location}: use that address with --url if you trust it`
    const hint = status === 401 || status === 403 ? ' (set credentials with --header)' : ''
    return `the server answered with HTTP status ${status}${hint}${text && `: ${truncate(text, 200)}`}`
  }

  #refuse({ open }: Exchange, problem: string): void {
    this.#problem = problem
    this.#listener.onNote(problem)
    for (const id of open) {
      const value = { jsonrpc: '2.0', id, error: { code: -32000, message: problem } }
      this.#listener.onMessage({ line: JSON.stringify(value), value, isOurs: true })
    }
  }

  /** Passes on what the server sends by itself, if it offers a stream for that. */
  async #listen(): Promise<void> {
    if (this.#isListening) return
    this.#isListening = true
    let last: string | undefined
    let wait = RETRY_MS
    for (let failures = 0; failures < MOST_FAILURES && !this.#over.signal.aborted; ) {
      try {
        const response = await this.#session.listen(last, this.#over.signal)
        if (!isSuccess(response) || !isEventStream(response)) return response.cancel()
        const { lastId, retry } = await this.#readEvents(response)
        last = lastId ?? last
        wait = retry
        failures = 0
      } catch {
        failures++
      }
      await this.#sleep(wait)
    }
  }

  /** Closes all streams and ends the session. */
  async #finish(): Promise<void> {
    if (this.#isEnding) return
    this.#isEnding = true
    this.#over.abort()
    await this.#session.end()
    const isLost = !this.#session.isReached && this.#problem !== undefined
    this.#resolveEnd(isLost ? { problem: this.#problem, unreachable: true } : {})
  }

  #sleep(ms: number): Promise<void> {
    return this.#clock.sleep(ms, this.#over.signal)
  }
}

function isEventStream({ headers }: HttpResponse): boolean {
  return /^text\/event-stream\b/i.test(headers.get('content-type') ?? '')
}

async function readText(response: HttpResponse): Promise<string> {
  return new TextDecoder().decode(await response.content(Number.POSITIVE_INFINITY))
}

function networkProblem(error: unknown): string {
  const { message, code } = error as { readonly message: string; readonly code?: string }
  return `the server cannot be reached: ${message || code}`
}
