// The real order system: an MCP server over stdio, without a library.
import { createInterface } from 'node:readline'

const orders = { A1: { status: 'shipped', carrier: 'Blue Van' } }

const tools = [
  {
    name: 'get_order',
    description: 'Returns the status of an order',
    inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
  },
]

function getOrder({ id }) {
  const order = orders[id]
  const text = order ? JSON.stringify(order) : `there is no order ${id}`
  return { content: [{ type: 'text', text }], ...(!order && { isError: true }) }
}

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'orders', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools }),
  'tools/call': ({ arguments: input }) => getOrder(input),
}

createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params = {} } = JSON.parse(line)
  if (id === undefined) return
  const error = { code: -32601, message: `unknown method ${method}` }
  const answer = methods[method] ? { result: methods[method](params) } : { error }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`)
})
