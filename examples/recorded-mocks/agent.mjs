// A support agent without a model: it looks up the order that the question names. Its argument is a file with MCP servers.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'

const { mcpServers } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const { command, args } = mcpServers.orders
const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
const waiting = new Map()
createInterface({ input: server.stdout }).on('line', line => {
  const message = JSON.parse(line)
  waiting.get(message.id)?.(message)
})

const send = message => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const request = (method, params = {}) =>
  new Promise(resolve => {
    const id = waiting.size + 1
    waiting.set(id, resolve)
    send({ id, method, params })
  })

const clientInfo = { name: 'support', version: '1.0.0' }
await request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
send({ method: 'notifications/initialized' })
await request('tools/list')

const [, id] = /order (\w+)/.exec(await text(process.stdin)) ?? []
const { result, error } = await request('tools/call', { name: 'get_order', arguments: { id } })
if (error || result.isError) console.log(`I cannot find order ${id}.`)
else {
  const { status, carrier } = JSON.parse(result.content[0].text)
  console.log(`Order ${id} is ${status} with ${carrier}.`)
}
server.stdin.end()
