import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PROGRAM, run } from '../../support/program.ts'
import { evaluate, resultsIn, suiteFolder } from '../../support/suite-run.ts'
import { recordings, SERVER } from './recording-proxy.ts'

const AGENT = join(import.meta.dirname, 'mcp-agent.mjs')

const CALLS = [
  ['get_order', { id: 'A1' }],
  ['refund', {}],
  ['picture', {}],
  ['cancel', { id: 'A1' }],
  ['no_such_tool', { b: 2, a: [1, { c: null }] }],
  ['big', { size: 1_000_000 }],
  // Not what the list of tools allows, and answered all the same.
  ['get_order', { id: 7 }],
]

/** A folder with a suite whose agent makes these calls to mocked servers, and the same calls to a real one, recorded. */
async function recorded(calls: unknown, suite: readonly unknown[] = CALLS) {
  const target = { name: 'default', provider: 'cli', command: ['node', AGENT, '{MCP_CONFIG}'], stdin: 'text' }
  const test = { id: 'calls', input: JSON.stringify(suite), assertions: [{ type: 'contains', value: 'results' }] }
  const folder = suiteFolder({ mocks: './mocks', tests: [test] } as { tests: object[] }, [target])
  const args = [PROGRAM, 'mock', 'record', '--server', 'orders', '--out', join(folder, 'mocks')]
  const proxy = { command: process.execPath, args: [...args, '--', process.execPath, SERVER] }
  const config = join(folder, 'real.json')
  writeFileSync(config, JSON.stringify({ mcpServers: { orders: proxy } }))
  const real = await run(process.execPath, [AGENT, config], { cwd: folder, input: JSON.stringify(calls) })
  return { folder, real }
}

describe('recorded mocks', () => {
  it('give an agent the same results as the real server, without it', async () => {
    const { folder, real } = await recorded(CALLS)
    expect(real.code).toBe(0)
    expect(recordings(folder)).toHaveLength(CALLS.length)
    const { code, stdout, stderr } = await evaluate(folder)
    expect({ code, output: code === 0 ? '' : stdout + stderr }).toEqual({ code: 0, output: '' })
    const [result] = resultsIn(folder)
    const answer = JSON.parse(String(result?.answer))
    expect(answer).toEqual(JSON.parse(real.stdout))
    expect(answer.knows).toBe(true)
    expect(answer.results[2].content).toContainEqual({ type: 'image', data: 'aGk=', mimeType: 'image/png' })
    expect(answer.results[3]).toMatchObject({ structuredContent: { ok: true } })
    expect(answer.results[4]).toMatchObject({ code: -32602, data: { known: 9 } })
    expect(result?.mock_calls?.map(({ tool }) => tool)).toEqual(CALLS.map(([tool]) => tool))
  })

  it('reject a call that was not recorded', async () => {
    const { folder } = await recorded([['get_order', { id: 'A1' }]], [['get_order', { id: 'A2' }]])
    const { code, stderr } = await evaluate(folder)
    expect(code).toBe(3)
    expect(stderr).toContain('orders.get_order with {"id": "A2"}')
    expect(resultsIn(folder)[0]?.error?.code).toBe('bad-mock-call')
  })
})
