import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One turn of a scripted model. */
export type Said =
  | { readonly text: string }
  /** `namespace`: Codex has the tools of each MCP server in one. */
  | { readonly tool: string; readonly namespace?: string; readonly input: object }

export interface ModelServer {
  readonly url: string
  /** The request bodies in order. */
  readonly requests: Record<string, unknown>[]
  close(): void
}

/** What a model does instead of a turn: it refuses the request with a status, or never answers. */
export type Refusal = { readonly status: number } | 'silence'

/** Chooses the next turn for the nth request, counted from 1. */
type Model = (request: Record<string, unknown>, nth: number) => readonly Said[] | Refusal
type Send = (type: string, data: object) => void
type Protocol = (turn: readonly Said[], nth: number, send: Send) => void

/** A server that streams the turns of a model. */
async function serve(path: string, model: Model, protocol: Protocol): Promise<ModelServer> {
  const requests: Record<string, unknown>[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    if (request.method === 'HEAD') return response.end()
    if (!request.url?.startsWith(path)) return response.writeHead(404).end('{}')
    const asked = JSON.parse(body)
    const nth = requests.push(asked)
    const turn = model(asked, nth)
    if (turn === 'silence') return
    if ('status' in turn) return refuse(turn.status, response)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    protocol(turn, nth, sender(response))
    return response.end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

function refuse(status: number, response: ServerResponse): void {
  const type = status === 429 ? 'rate_limit_error' : 'invalid_request_error'
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ type: 'error', error: { type, message: 'not today' } }))
}

const sender =
  (response: ServerResponse): Send =>
  (type, data) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)

/** A model that says the turns in order and repeats the last one. */
const scripted =
  (turns: readonly (readonly Said[])[]): Model =>
  (_request, nth) =>
    turns[Math.min(nth, turns.length) - 1] ?? []

/** The Messages API of Anthropic, streamed. */
export function anthropicServer(...turns: (readonly Said[])[]): Promise<ModelServer> {
  return anthropicModel(scripted(turns))
}

/** The Messages API of Anthropic, with a model that answers what it is asked. */
export function anthropicModel(model: Model): Promise<ModelServer> {
  return serve('/v1/messages', model, (turn, nth, send) => {
    const usage = { input_tokens: 100, cache_creation_input_tokens: 0, cache_read_input_tokens: 10, output_tokens: 1 }
    const message = {
      id: `msg_${nth}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [],
      usage,
    }
    send('message_start', { message: { ...message, stop_reason: null, stop_sequence: null } })
    turn.forEach((said, index) => {
      const [block, delta] =
        'text' in said
          ? [
              { type: 'text', text: '' },
              { type: 'text_delta', text: said.text },
            ]
          : [
              { type: 'tool_use', id: `toolu_${nth}_${index}`, name: said.tool, input: {} },
              { type: 'input_json_delta', partial_json: JSON.stringify(said.input) },
            ]
      send('content_block_start', { index, content_block: block })
      send('content_block_delta', { index, delta })
      send('content_block_stop', { index })
    })
    const stop_reason = turn.some(said => 'tool' in said) ? 'tool_use' : 'end_turn'
    send('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 20 } })
    send('message_stop', {})
  })
}

/** The Responses API of OpenAI, streamed. */
export function responsesServer(...turns: (readonly Said[])[]): Promise<ModelServer> {
  return serve('/v1/responses', scripted(turns), (turn, nth, send) => {
    send('response.created', { response: { id: `resp_${nth}` } })
    turn.forEach((said, index) => {
      const item =
        'text' in said
          ? {
              type: 'message',
              id: `msg_${nth}_${index}`,
              role: 'assistant',
              content: [{ type: 'output_text', text: said.text }],
            }
          : {
              type: 'function_call',
              id: `fc_${nth}_${index}`,
              call_id: `call_${nth}_${index}`,
              name: said.tool,
              ...(said.namespace === undefined ? {} : { namespace: said.namespace }),
              arguments: JSON.stringify(said.input),
            }
      send('response.output_item.done', { output_index: index, item })
    })
    const usage = {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 10 },
      output_tokens: 20,
      output_tokens_details: { reasoning_tokens: 5 },
      total_tokens: 120,
    }
    send('response.completed', { response: { id: `resp_${nth}`, usage } })
  })
}
