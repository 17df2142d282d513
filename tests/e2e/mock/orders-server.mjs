// A real MCP server over stdio, without a library. Arguments change how it behaves.
import { createInterface } from 'node:readline'

const flags = new Set(process.argv.slice(2))
const write = text => process.stdout.write(text)
const send = message => write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}${flags.has('crlf') ? '\r\n' : '\n'}`)
const text = value => ({ content: [{ type: 'text', text: value }] })
const schema = properties => ({ type: 'object', properties })

const TOOLS = [
  { name: 'get_order', description: 'Returns an order', inputSchema: schema({ id: { type: 'string' } }) },
  { name: 'cancel', description: 'Cancels an order', inputSchema: schema({ id: { type: 'string' } }) },
]

const orders = { A1: 'shipped', A2: 'open' }

const CALLS = {
  get_order: ({ id }) => text(`${id} is ${orders[id]}`),
  cancel: ({ id }) => {
    orders[id] = 'cancelled'
    return { content: [{ type: 'text', text: '{"ok":true}' }], structuredContent: { ok: true } }
  },
  refund: () => ({ ...text('refunds are off today'), isError: true }),
  picture: () => ({
    content: [
      { type: 'text', text: 'front' },
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
    ],
  }),
  big: ({ size }) => text('x'.repeat(size)),
  variable: ({ name }) => text(`${name} is ${process.env[name]}`),
  echo: input => text(JSON.stringify(input)),
  deep: () => ({ content: [], structuredContent: JSON.parse(`${'{"a":'.repeat(500)}1${'}'.repeat(500)}`) }),
  empty: () => null,
}

const ACTIONS = {
  crash: () => process.exit(3),
  silence: () => {},
  progress: ({ id, params }) => {
    const { progressToken } = params._meta
    send({ method: 'notifications/progress', params: { progressToken, progress: 1, total: 2 } })
    send({ id, result: text('done') })
  },
  // Asks the client before it answers: with the id of the client's own request.
  ask: ({ id }) => {
    waiting = () => send({ id, result: text('the client answered') })
    send({ id, method: 'roots/list' })
  },
  later: ({ id, params }) =>
    setTimeout(() => send({ id, result: text(`after ${params.arguments.ms}`) }), params.arguments.ms),
}

let waiting = () => {}

function answer(message) {
  const { id, method, params = {} } = message
  if (method === undefined) return waiting()
  if (method === 'initialize')
    return send({
      id,
      result: {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'orders', version: '1' },
      },
    })
  if (method === 'tools/list') {
    const page = Number(params.cursor ?? 0)
    return send({ id, result: { tools: TOOLS.slice(page, page + 1), ...(page === 0 && { nextCursor: '1' }) } })
  }
  if (method === 'tools/call') {
    if (ACTIONS[params.name]) return ACTIONS[params.name](message)
    const call = CALLS[params.name]
    if (call) return send({ id, result: call(params.arguments ?? {}) })
    return send({
      id,
      error: { code: -32602, message: `Unknown tool: ${params.name}`, data: { known: Object.keys(CALLS).length } },
    })
  }
  if (method === 'test/halves') {
    const line = JSON.stringify({ jsonrpc: '2.0', id, result: {} })
    write(line.slice(0, 10))
    return setTimeout(() => write(`${line.slice(10)}\n`), 20)
  }
  if (id !== undefined) send({ id, error: { code: -32601, message: 'Method not found' } })
}

function batchAnswer(messages) {
  const answers = messages.map(({ id, params }) => ({
    jsonrpc: '2.0',
    id,
    result: CALLS[params.name](params.arguments),
  }))
  write(`${JSON.stringify(answers.reverse())}\n`)
}

if (flags.has('garbage')) write('Server listening…\n\n')
if (flags.has('stderr')) process.stderr.write('ready on stderr\n')
const lines = createInterface({ input: process.stdin })
lines.on('line', line => {
  if (line.trim() === '') return
  const message = JSON.parse(line)
  if (Array.isArray(message)) batchAnswer(message)
  else answer(message)
})
if (flags.has('stubborn')) {
  setInterval(() => {}, 1000)
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.stderr.write(`ignores ${signal}\n`))
} else lines.on('close', () => process.exit(flags.has('fails') ? 4 : 0))
