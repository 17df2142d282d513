import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { describe, expect, it } from 'vitest'
import { MockHistory } from '../../src/mocks/journal.ts'
import { connect } from '../support/mcp-client.mjs'
import { folderWith } from '../support/program.ts'

const PROGRAM = join(import.meta.dirname, '../../dist/mock-server.js')
const ANY = { type: 'object' }
const BY_ID = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'], additionalProperties: false }

const SERVERS = {
  orders: {
    state: { orders: { A1: { status: 'shipped' } }, count: [] },
    tools: {
      get_order: { description: 'Finds an order', input_schema: BY_ID, returns: '{{state.orders[input.id]}}' },
      cancel: { input_schema: BY_ID, set: { 'orders[input.id].status': 'cancelled' }, returns: { ok: true } },
      count: {
        input_schema: ANY,
        set: { 'count[state.count.length]': '{{input.n}}' },
        returns: '{{state.count.length}}',
      },
      both: { input_schema: ANY, set: { last: 1, 'orders.A9.status': 'gone' } },
      echo: { input_schema: ANY, returns: '{{input}}' },
      refund: { input_schema: ANY, error: 'refunds of {{input.id}} are off' },
      large: { input_schema: ANY, returns: 'x'.repeat(10_000_000) },
      'get.it': { input_schema: ANY, returns: null },
    },
  },
}

function folder(servers: object = SERVERS): string {
  return folderWith({ 'mocks.json': JSON.stringify(servers) })
}

function start(path: string) {
  return connect({ command: process.execPath, args: [PROGRAM, path, 'orders'] })
}

function history(path: string): MockHistory {
  const read = new MockHistory(SERVERS)
  const journal = join(path, 'journal.jsonl')
  if (existsSync(journal)) for (const line of readFileSync(journal, 'utf8').split('\n')) read.add(line)
  return read
}

describe('a mocked server', () => {
  it('lists its tools, answers calls and keeps a state, with the client of the SDK', async () => {
    const path = folder()
    const client = new Client({ name: 'test', version: '1.0.0' })
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [PROGRAM, path, 'orders'] }))
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(Object.keys(SERVERS.orders.tools))
    expect(tools[0]).toEqual({ name: 'get_order', description: 'Finds an order', inputSchema: BY_ID })
    const call = (name: string, input: Record<string, unknown>) => client.callTool({ name, arguments: input })
    expect(await call('cancel', { id: 'A1' })).toEqual({ content: [{ type: 'text', text: '{"ok":true}' }] })
    expect(await call('get_order', { id: 'A1' })).toEqual({
      content: [{ type: 'text', text: '{"status":"cancelled"}' }],
    })
    await expect(call('nothing', {})).rejects.toThrow('the tool is not mocked')
    await client.close()
    expect(history(path).state['orders']).toEqual({ orders: { A1: { status: 'cancelled' } }, count: [] })
  })

  it('answers what does not exist, and arguments that are not allowed, with errors that change nothing', async () => {
    const path = folder()
    const client = start(path)
    expect(await client.call('get_order', { id: 'A9' })).toEqual({ error: 'state.orders["A9"] does not exist' })
    expect(await client.call('get_order', { id: '__proto__' })).toEqual({
      error: 'state.orders["__proto__"] does not exist',
    })
    expect(await client.call('cancel', { id: 'constructor' })).toEqual({
      error: 'state.orders["constructor"] does not exist',
    })
    expect(await client.call('both', {})).toEqual({ error: 'state.orders.A9 does not exist' })
    expect(await client.call('refund', { id: 'Ä1' })).toEqual({ error: 'refunds of Ä1 are off' })
    expect(await client.call('get_order', { id: 1 })).toEqual({
      rejected: expect.stringContaining('/id must be string'),
    })
    expect(await client.call('größe', {})).toEqual({ rejected: expect.stringContaining('the tool is not mocked') })
    expect(await client.call('__proto__', {})).toEqual({ rejected: expect.stringContaining('the tool is not mocked') })
    expect(await client.call('', {})).toEqual({ rejected: expect.stringContaining('the tool is not mocked') })
    expect(await client.call('get.it', {})).toEqual({ text: 'null' })
    await client.close()
    const { calls, state } = history(path)
    expect(state['orders']).toEqual(SERVERS.orders.state)
    expect(calls.map(({ rejected = false }) => rejected)).toEqual([
      false,
      false,
      false,
      false,
      false,
      true,
      true,
      true,
      true,
      false,
    ])
  })

  it('keeps one state and one order for parallel calls in two processes', async () => {
    const path = folder()
    const clients = [start(path), start(path)]
    const numbers = Array.from({ length: 50 }, (_, n) => n)
    const results = await Promise.all(numbers.map(n => clients[n % 2]?.call('count', { n })))
    expect(results.map(result => Number(result?.text)).sort((a, b) => a - b)).toEqual(numbers.map(n => n + 1))
    await Promise.all(clients.map(client => client.close()))
    const { calls, state } = history(path)
    expect(calls).toHaveLength(50)
    expect(state['orders']?.['count']).toEqual(calls.map(({ input }) => (input as { n: number }).n))
  })

  it('returns 10 MB', async () => {
    const client = start(folder())
    const { text } = await client.call('large', {})
    expect(text?.length).toBe(10_000_000)
    await client.close()
  })

  it('rejects arguments that are nested too deeply for a record', async () => {
    const path = folder()
    const client = start(path)
    const deep = Array.from({ length: 300 }).reduce<object>(inner => ({ inner }), {})
    expect(await client.call('echo', deep)).toEqual({
      rejected: expect.stringContaining('nested more than 200 levels deep'),
    })
    expect(await client.call('echo', JSON.parse('{"__proto__": {"a": 1}}'))).toEqual({ text: '{}' })
    await client.close()
    expect(history(path).calls[0]).not.toHaveProperty('input')
  })

  it('answers a client that sends garbage, unknown methods and no initialize', async () => {
    const client = start(folder())
    client.server.stdin.write('garbage\n{}\n[1, 2]\n{"jsonrpc": "2.0", "method": "notifications/nothing"}\n\n')
    expect((await client.request('resources/list')).error?.code).toBe(-32601)
    expect((await client.request('tools/call', { arguments: {} })).error).toBeDefined()
    expect(await client.call('refund', { id: 'A1' })).toEqual({ error: 'refunds of A1 are off' })
    expect(await client.close()).toBe(0)
  })

  it('ends when its client is gone, and keeps calls whose answers were never read', async () => {
    const path = folder()
    const server = spawn(process.execPath, [PROGRAM, path, 'orders'], { stdio: ['pipe', 'pipe', 'inherit'] })
    server.stdout.destroy()
    server.stdin.end(
      `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'cancel', arguments: { id: 'A1' } } })}\n`,
    )
    await new Promise(resolve => server.on('close', resolve))
    expect(history(path).calls).toHaveLength(1)
  })

  it('keeps finished calls when it is killed, and goes on after a line that is not whole', async () => {
    const path = folder()
    const first = start(path)
    await first.call('cancel', { id: 'A1' })
    first.server.kill('SIGKILL')
    appendFileSync(join(path, 'journal.jsonl'), '{"server":"orders","tool":"cou')
    const second = start(path)
    expect(await second.call('get_order', { id: 'A1' })).toEqual({ text: '{"status":"cancelled"}' })
    await second.close()
    expect(history(path).calls.map(({ tool }) => tool)).toEqual(['cancel', 'get_order'])
  })
})
