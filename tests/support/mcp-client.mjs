// An agent for tests: makes the calls that its prompt has as JSON, over MCP, and prints the results.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

/** Connects to a server over stdio. */
export function connect({ command, args }) {
  const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const waiting = new Map()
  createInterface({ input: server.stdout }).on('line', line => {
    const reply = JSON.parse(line)
    waiting.get(reply.id)?.(reply)
  })
  let last = 0
  return {
    server,
    request: (method, params) =>
      new Promise(resolve => {
        waiting.set(++last, resolve)
        server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: last, method, params })}\n`)
      }),
    async call(name, input) {
      const { result, error } = await this.request('tools/call', { name, arguments: input })
      if (error) return { rejected: error.message }
      const text = result.content.map(part => part.text).join('\n')
      return result.isError ? { error: text } : { text }
    },
    close: () =>
      new Promise(resolve => {
        server.on('close', code => resolve(code))
        server.stdin.end()
      }),
  }
}

if (process.env.ASSAY_MCP_CONFIG) {
  const calls = JSON.parse(readFileSync(0, 'utf8'))
  const { mcpServers } = JSON.parse(readFileSync(process.env.ASSAY_MCP_CONFIG, 'utf8'))
  const client = connect(mcpServers.orders)
  for (const [name, input] of calls) console.log(JSON.stringify(await client.call(name, input)))
  await client.close()
  if (calls.length === 0) console.log('no calls')
}
