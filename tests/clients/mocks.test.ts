import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Evaluated, evaluate, suiteWith } from '../support/evaluation.ts'
import { folderWith } from '../support/program.ts'
import { anthropicServer, type ModelServer, responsesServer, type Said } from './agent-servers.ts'
import { client } from './install.ts'

const MOCKS = {
  orders: {
    state: { orders: { A1: { status: 'shipped' } } },
    tools: {
      get_order: { description: 'Finds an order', input: { id: 'string' }, returns: '{{state.orders[input.id]}}' },
      cancel: { input: { id: 'string' }, set: { 'orders[input.id].status': 'cancelled' }, returns: { ok: true } },
      refund: { error: 'refunds are off today' },
    },
  },
}

const CALLS = [
  { server: 'orders', tool: 'get_order', input: { id: 'A1' }, output: { status: 'shipped' } },
  { server: 'orders', tool: 'cancel', input: { id: 'A1' }, output: { ok: true } },
  { server: 'orders', tool: 'refund', input: { id: 'A1' }, error: 'refunds are off today' },
  { server: 'orders', tool: 'get_order', input: { id: 'A9' }, error: 'state.orders["A9"] does not exist' },
]

type Call = (tool: string, input: object) => Said

const turns = (call: Call): (readonly Said[])[] => [
  ...CALLS.map(({ tool, input }) => [call(tool, input)]),
  [{ text: 'Done.' }],
]

const claudeCall: Call = (tool, input) => ({ tool: `mcp__orders__${tool}`, input })
const codexCall: Call = (tool, input) => ({ tool, namespace: 'mcp__orders', input })

function suite(): string {
  const test = (id: string) => ({
    id,
    input: 'Cancel order A1',
    execution: { target: id },
    assert: [{ type: 'contains', value: 'Done' }],
  })
  return suiteWith([test('calls'), test('unmocked'), test('arguments')], { mocks: MOCKS })
}

describe('the real Claude Code with a mocked server', () => {
  const servers: ModelServer[] = []
  let run: Evaluated

  beforeAll(async () => {
    const calls = await anthropicServer(...turns(claudeCall))
    const unmocked = await anthropicServer([claudeCall('ship', { id: 'A1' })], [{ text: 'Done.' }])
    const args = await anthropicServer([claudeCall('cancel', { id: 1 })], [{ text: 'Done.' }])
    servers.push(calls, unmocked, args)
    const folder = folderWith({
      'EVAL.yaml': suite(),
      '.assay/targets.yaml': JSON.stringify({
        targets: [target('calls', calls), target('unmocked', unmocked), target('arguments', args)],
      }),
    })
    run = await evaluate(folder, [], { HOME: folderWith({}) })
  })

  afterAll(() => {
    for (const server of servers) server.close()
  })

  function target(name: string, { url }: ModelServer): object {
    const env = {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'anything',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    }
    return { name, provider: 'claude_cli', command: client('claude'), env, config_dir: 'isolated' }
  }

  it('records its calls and the state at the end', () => {
    const record = run.results.get('calls') ?? expect.unreachable(run.stderr)
    expect(record).toMatchObject({ verdict: 'pass', state: { orders: { orders: { A1: { status: 'cancelled' } } } } })
    expect(record.mock_calls).toEqual(CALLS)
    expect(record.output_messages?.flatMap(({ tool_calls = [] }) => tool_calls.map(({ tool }) => tool))).toEqual(
      CALLS.map(({ tool }) => `mcp__orders__${tool}`),
    )
  })

  it('makes a call to a tool that is not mocked an error, though the agent refuses it itself', () => {
    expect(run.results.get('unmocked')).toMatchObject({
      verdict: 'error',
      error: { code: 'unmocked-call', message: expect.stringContaining('orders.ship with {"id": "A1"}') },
      mock_calls: [{ server: 'orders', tool: 'ship', rejected: true }],
    })
  })

  it('makes a call with arguments that are not allowed an error', () => {
    expect(run.results.get('arguments')).toMatchObject({
      verdict: 'error',
      error: { code: 'bad-mock-call', message: expect.stringContaining('/id must be string') },
    })
  })
})

describe('the real Codex with a mocked server', () => {
  const servers: ModelServer[] = []
  let run: Evaluated
  let home: string

  beforeAll(async () => {
    const calls = await responsesServer(...turns(codexCall))
    const unmocked = await responsesServer([codexCall('ship', { id: 'A1' })], [{ text: 'Done.' }])
    const args = await responsesServer([codexCall('cancel', { id: 1 })], [{ text: 'Done.' }])
    servers.push(calls, unmocked, args)
    const folder = folderWith({
      'EVAL.yaml': suite(),
      '.assay/targets.yaml': JSON.stringify({
        targets: [target('calls', calls), target('unmocked', unmocked), target('arguments', args)],
      }),
    })
    // Codex rejects a home in the temporary folder.
    home = mkdtempSync(join(import.meta.dirname, '../../.clients/home-'))
    run = await evaluate(folder, [], { HOME: home })
  })

  afterAll(() => {
    for (const server of servers) server.close()
    rmSync(home, { recursive: true })
  })

  function target(name: string, { url }: ModelServer): object {
    const provider = { name: 'stub', base_url: `${url}/v1`, env_key: 'STUB_KEY', wire_api: 'responses' }
    const settings = Object.entries(provider).map(
      ([key, value]) => `model_providers.stub.${key}=${JSON.stringify(value)}`,
    )
    const args = ['model_provider=stub', ...settings].flatMap(setting => ['-c', setting])
    const permission_mode = 'read-only'
    return {
      name,
      provider: 'codex_cli',
      command: client('codex'),
      model: 'gpt-5.1-codex',
      args,
      permission_mode,
      env: { STUB_KEY: 'anything' },
    }
  }

  it('records its calls and the state at the end', () => {
    const record = run.results.get('calls') ?? expect.unreachable(run.stderr)
    expect(record).toMatchObject({ verdict: 'pass', state: { orders: { orders: { A1: { status: 'cancelled' } } } } })
    expect(record.mock_calls).toEqual(CALLS)
  })

  it('makes a call to a tool that is not mocked an error, though the agent refuses it itself', () => {
    expect(run.results.get('unmocked')).toMatchObject({ verdict: 'error', error: { code: 'unmocked-call' } })
  })

  it('makes a call with arguments that are not allowed an error', () => {
    expect(run.results.get('arguments')).toMatchObject({
      verdict: 'error',
      error: { code: 'bad-mock-call', message: expect.stringContaining('/id must be string') },
    })
  })
})
