// A support agent without a model. It connects to the MCP servers that ASSAY_MCP_CONFIG names.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [id = ''] = readFileSync(0, 'utf8').match(/[A-Z]\d+/) ?? []
const { mcpServers } = JSON.parse(readFileSync(process.env.ASSAY_MCP_CONFIG, 'utf8'))
const orders = connect(mcpServers.orders)
await orders.request('initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'support-agent', version: '1.0.0' },
})
console.log(await cancel())
orders.close()

async function cancel() {
  const found = await orders.call('get_order', { id })
  if (found.isError && found.text.includes('does not exist')) return `I cannot find order ${id}.`
  if (found.isError) return 'I cannot look up orders now, please try again later.'
  if (JSON.parse(found.text).status === 'shipped') return `Order ${id} is already shipped, so I cannot cancel it.`
  await orders.call('cancel_order', { id, reason: 'requested by the customer' })
  return `Order ${id} is cancelled.`
}

/** A small MCP client: JSON-RPC, one message per line. */
function connect({ command, args }) {
  const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const waiting = new Map()
  createInterface({ input: server.stdout }).on('line', line => {
    const { id, result, error } = JSON.parse(line)
    const { resolve, reject } = waiting.get(id)
    error ? reject(new Error(error.message)) : resolve(result)
  })
  let last = 0
  const request = (method, params) =>
    new Promise((resolve, reject) => {
      waiting.set(++last, { resolve, reject })
      server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: last, method, params })}\n`)
    })
  return {
    request,
    async call(name, input) {
      const { isError = false, content } = await request('tools/call', { name, arguments: input })
      return { isError, text: content.map(({ text }) => text).join('\n') }
    },
    close: () => server.stdin.end(),
  }
}
