import { isMapping } from '../../lib/objects.ts'

/** A call of a tool, and the response of JSON-RPC to it. */
export interface AnsweredCall {
  readonly tool: unknown
  readonly input: unknown
  readonly response: Readonly<Record<string, unknown>>
}

/** What a message of the server answers: calls of tools, and pages of their list. */
export interface Answers {
  readonly calls: readonly AnsweredCall[]
  readonly tools: readonly Readonly<Record<string, unknown>>[]
}

type Request = { readonly method: string; readonly params: Readonly<Record<string, unknown>> }

/** Finds the calls of tools in the messages between a client and a server. */
export class CallWatch {
  /** By id as JSON, which tells 1 from "1". An id in use twice has no request: its answers cannot be told apart. */
  readonly #open = new Map<string, Request | undefined>()
  /** Calls that cannot be recorded: as tasks, whose results come later, or with an id in use. */
  skipped = 0

  /** The number of requests that wait for an answer. */
  get pending(): number {
    return this.#open.size
  }

  /** The number of calls of tools that wait for an answer. */
  get pendingCalls(): number {
    return [...this.#open.values()].filter(request => request?.method === 'tools/call').length
  }

  /** Takes note of the requests in a message of the client, which may be a batch. */
  onClientMessage(message: unknown): void {
    for (const part of messagesIn(message)) {
      const { id, method, params } = part
      if (typeof method !== 'string' || !isId(id)) continue
      const key = JSON.stringify(id)
      const isTwice = this.#open.has(key)
      const request = { method, params: isMapping(params) ? params : {} }
      if (method === 'tools/call' && (isTwice || request.params['task'] !== undefined)) this.skipped++
      this.#open.set(key, isTwice ? undefined : request)
    }
  }

  /** Returns what a message of the server answers. */
  onServerMessage(message: unknown): Answers {
    const calls: AnsweredCall[] = []
    const tools: Record<string, unknown>[] = []
    for (const response of messagesIn(message)) {
      const { id, method, result } = response
      if (method !== undefined || !isId(id)) continue
      const key = JSON.stringify(id)
      const request = this.#open.get(key)
      this.#open.delete(key)
      if (!request) continue
      const { name: tool, arguments: input = {}, task } = request.params
      if (request.method === 'tools/call' && task === undefined) calls.push({ tool, input, response })
      if (request.method === 'tools/list' && isMapping(result) && Array.isArray(result['tools']))
        tools.push(...result['tools'].filter(isMapping))
    }
    return { calls, tools }
  }
}

/** The ids of the requests in a message of a client. */
export function requestIdsIn(message: unknown): (string | number)[] {
  return messagesIn(message).flatMap(({ id, method }) => (typeof method === 'string' && isId(id) ? [id] : []))
}

/** The messages of a batch, or the only one. */
export function messagesIn(message: unknown): Record<string, unknown>[] {
  return (Array.isArray(message) ? message : [message]).filter(isMapping)
}

export function isId(id: unknown): id is string | number {
  return typeof id === 'string' || typeof id === 'number'
}
