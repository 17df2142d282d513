import { join } from 'node:path'
import { expect, it } from 'vitest'
import { evalFolder, evaluate, suiteWith } from '../../support/evaluation.ts'
import { folderWith } from '../../support/program.ts'

const AGENT = join(import.meta.dirname, '../../support/mcp-client.mjs')
const TARGET = { provider: 'cli', command: ['node', AGENT], output_format: 'text' }

const MOCKS = {
  orders: {
    state: { orders: { A1: { status: 'shipped' } } },
    tools: {
      get_order: { input: { id: 'string' }, returns: '{{state.orders[input.id]}}' },
      cancel: { input: { id: 'string' }, set: { 'orders[input.id].status': 'cancelled' }, returns: { ok: true } },
    },
  },
  billing: { tools: { get: { returns: 1 } } },
}

const GET = ['get_order', { id: 'A1' }]
const CANCEL = ['cancel', { id: 'A1' }]
const test = (id: string, calls: readonly unknown[], more: object = {}) => ({
  id,
  input: JSON.stringify(calls),
  assert: [{ type: 'contains', value: 'ok' }],
  ...more,
})

function folder(tests: readonly object[], targets: readonly object[], keys: object = { mocks: MOCKS }): string {
  return folderWith({ 'EVAL.yaml': suiteWith(tests, keys), '.assay/targets.yaml': JSON.stringify({ targets }) })
}

it('records calls and end states, and does not share them between trials and targets', async () => {
  const tests = [test('cancels', [GET, CANCEL], { execution: { trials: 2, targets: ['a', 'b'] } })]
  const { all, code, stderr } = await evaluate(
    folder(tests, [
      { name: 'a', ...TARGET },
      { name: 'b', ...TARGET },
    ]),
  )
  expect([code, all.length], stderr).toEqual([0, 4])
  for (const { mock_calls, state } of all) {
    expect(mock_calls).toEqual([
      { server: 'orders', tool: 'get_order', input: { id: 'A1' }, output: { status: 'shipped' } },
      { server: 'orders', tool: 'cancel', input: { id: 'A1' }, output: { ok: true } },
    ])
    expect(state).toEqual({ orders: { orders: { A1: { status: 'cancelled' } } }, billing: {} })
  }
})

it('makes calls that are not mocked, or not allowed, errors of the attempt with the call in them', async () => {
  const tests = [
    test('unmocked', [CANCEL, ['refund', { id: 'A1', note: '</script>\u001b[31m' }]]),
    test('arguments', [['cancel', { id: 'A1', force: true }]]),
    test('none', [], { assert: [{ type: 'contains', value: 'no calls' }] }),
  ]
  const { results, code } = await evaluate(folder(tests, [{ name: 'default', retries: 3, ...TARGET }]))
  expect(code).toBe(3)
  expect(results.get('unmocked')).toMatchObject({
    verdict: 'error',
    error: {
      code: 'unmocked-call',
      stage: 'answer',
      message: expect.stringContaining('orders.refund with {"id": "A1"'),
    },
    mock_calls: [{ tool: 'cancel' }, { tool: 'refund', rejected: true }],
    state: { orders: { orders: { A1: { status: 'cancelled' } } } },
  })
  expect(results.get('unmocked')?.error).not.toHaveProperty('never_reached')
  expect(results.get('arguments')).toMatchObject({
    error: { code: 'bad-mock-call', message: expect.stringContaining('must NOT have additional properties: "force"') },
  })
  expect(results.get('none')).toMatchObject({ verdict: 'pass', mock_calls: [], state: { billing: {} } })
})

it('checks the state and the calls', async () => {
  const assert = [
    { type: 'equals', subject: { mock: 'orders' }, value: { orders: { A1: { status: 'cancelled' } } } },
    { type: 'contains', subject: 'mock_calls', value: 'cancel' },
  ]
  const { results, stderr } = await evaluate(
    folder([test('cancels', [CANCEL], { assert })], [{ name: 'default', ...TARGET }]),
  )
  expect(results.get('cancels')?.verdict, stderr).toBe('pass')
})

it('keeps the calls of an attempt that timed out, and starts the next one with a fresh state', async () => {
  const flaky = `node ${AGENT} && if [ -e once ]; then :; else touch once; sleep 100; fi`
  const tests = [test('cancels', [GET, CANCEL])]
  const cwd = folder(tests, [
    { name: 'default', provider: 'cli', command: flaky, output_format: 'text', timeout_seconds: 8 },
  ])
  const first = await evaluate(cwd)
  expect(first.results.get('cancels')).toMatchObject({
    verdict: 'error',
    error: { code: 'timeout' },
    mock_calls: [{}, {}],
  })
  const second = await evaluate(cwd, ['--retry-errors'])
  expect(second.results.get('cancels')?.mock_calls?.[0]).toMatchObject({ output: { status: 'shipped' } })
}, 60_000)

it('runs a test again when its mocks change', async () => {
  const tests = [test('gets', [GET], { assert: [{ type: 'contains', value: 'shipped' }] })]
  const targets = [{ name: 'default', ...TARGET }]
  const ids = await Promise.all(
    [MOCKS, { ...MOCKS, billing: { tools: { get: { returns: 2 } } } }].map(async mocks => {
      const { results } = await evaluate(folder(tests, targets, { mocks }))
      return results.get('gets')?.input_hash
    }),
  )
  expect(new Set(ids).size).toBe(2)
})

it('serves a folder of mocks', async () => {
  const cwd = evalFolder(
    [
      {
        id: 'answers',
        input: JSON.stringify([
          ['ask', { q: 'how many?' }],
          ['create', { title: 'Login' }],
        ]),
        mocks: './mocks',
        assert: [
          { type: 'contains', value: 'three' },
          { type: 'contains', value: 'fixture of Login' },
        ],
      },
      { id: 'unexpected', input: JSON.stringify([['create', { title: 1 }]]), mocks: './mocks' },
      { id: 'listed', input: JSON.stringify([['close', {}]]), mocks: './mocks' },
    ],
    [{ name: 'default', ...TARGET }],
    {
      'mocks/orders/create.md': '---\nexpect: { title: string }\n---\nCreated: {{file:fixtures/{input.title}.txt}}\n',
      'mocks/orders/fixtures/Login.txt': 'fixture of Login',
      'mocks/orders/_tools.json': '{"tools": [{"name": "close", "inputSchema": {"type": "object"}}]}',
      'mocks/.replay/orders/ask-1.json': '{"input": {"q": "how many?"}, "output": "three", "verdict": "ok"}',
    },
  )
  const { results, stderr } = await evaluate(cwd)
  expect(results.get('answers')?.verdict, stderr).toBe('pass')
  expect(results.get('unexpected')?.error).toMatchObject({
    code: 'bad-mock-call',
    message: expect.stringContaining('`title` is 1'),
  })
  expect(results.get('listed')?.error).toMatchObject({ code: 'unmocked-call' })
})
