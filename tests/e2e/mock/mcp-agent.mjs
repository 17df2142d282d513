// An agent without a model: `node mcp-agent.mjs CONFIG` makes the calls that the prompt lists as JSON, with the client of
// the official SDK, and prints what it got.
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'

const { mcpServers } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const calls = JSON.parse(await text(process.stdin))
const client = new Client({ name: 'agent', version: '1.0.0' })
await client.connect(new StdioClientTransport({ ...mcpServers.orders, env: process.env, stderr: 'inherit' }))
const { tools } = await client.listTools()
const { tools: more = [] } = await client.listTools({ cursor: '1' })
const names = new Set([...tools, ...more].map(({ name }) => name))
const results = []
for (const [name, input] of calls) {
  const result = await client
    .callTool({ name, arguments: input })
    .catch(({ code, message, data }) => ({ code, message, data }))
  results.push(result)
}
await client.close()
console.log(JSON.stringify({ knows: ['get_order', 'cancel'].every(name => names.has(name)), results }))
