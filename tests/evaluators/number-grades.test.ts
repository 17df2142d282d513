import { describe, expect, it } from 'vitest'
import type { Answer } from '../../src/model/answer.ts'
import { judgeChecks } from '../../src/model/verdict.ts'
import { gradeChecks, loadTestWithDiagnostics } from '../support/checks.ts'
import { evalFolder, evaluate } from '../support/evaluation.ts'

/** The fields of a check in YAML, the reported numbers, and the grade. */
type Case = [fields: string, reported: Partial<Answer>, score: 0 | 1, hits: string[], misses: string[]]

const latency: Case[] = [
  ['threshold: 1000', { duration_ms: 1000 }, 1, ['duration: 1000 ms, within 1000 ms'], []],
  ['threshold: 1000', { duration_ms: 1000.01 }, 0, [], ['duration: 1000.01 ms, above 1000 ms']],
  ['threshold: 1000', { duration_ms: 999 }, 1, ['duration: 999 ms, within 1000 ms'], []],
  ['threshold: 1000', { duration_ms: 0 }, 1, ['duration: 0 ms, within 1000 ms'], []],
  ['threshold: 0', { duration_ms: 0 }, 1, ['duration: 0 ms, within 0 ms'], []],
  ['threshold: 0', { duration_ms: 1 }, 0, [], ['duration: 1 ms, above 0 ms']],
  ['threshold: 0.5', { duration_ms: 0.5 }, 1, ['duration: 0.5 ms, within 0.5 ms'], []],
  ['threshold: 0.5', { duration_ms: 0.6 }, 0, [], ['duration: 0.6 ms, above 0.5 ms']],
  ['threshold: 1e3', { duration_ms: 1001 }, 0, [], ['duration: 1001 ms, above 1000 ms']],
  ['threshold: 1000, negate: true', { duration_ms: 1000 }, 0, [], ['duration: 1000 ms, within 1000 ms']],
  ['threshold: 1000, negate: true', { duration_ms: 1001 }, 1, ['duration: 1001 ms, above 1000 ms'], []],
]

const cost: Case[] = [
  ['budget: 0.1', { cost_usd: 0.1 }, 1, ['cost: $0.1, within $0.1'], []],
  ['budget: 0.1', { cost_usd: 0.100001 }, 0, [], ['cost: $0.100001, above $0.1']],
  ['budget: 0.1', { cost_usd: 0.05 }, 1, ['cost: $0.05, within $0.1'], []],
  ['budget: 0.1', { cost_usd: 0 }, 1, ['cost: $0, within $0.1'], []],
  ['budget: 0', { cost_usd: 0 }, 1, ['cost: $0, within $0'], []],
  ['budget: 0', { cost_usd: 0.00001 }, 0, [], ['cost: $0.00001, above $0']],
  ['budget: 0.1', { cost_usd: 0.1 + 0.2 }, 0, [], ['cost: $0.3, above $0.1']],
  ['budget: 1e-8', { cost_usd: 2e-7 }, 0, [], ['cost: $0.0000002, above $0.00000001']],
  ['budget: 2', { cost_usd: 2 }, 1, ['cost: $2, within $2'], []],
  ['budget: 2', { cost_usd: 2.01, duration_ms: 1 }, 0, [], ['cost: $2.01, above $2']],
  ['budget: 0.1, negate: true', { cost_usd: 0.1 }, 0, [], ['cost: $0.1, within $0.1']],
  ['budget: 0.1, negate: true', { cost_usd: 0.2 }, 1, ['cost: $0.2, above $0.1'], []],
]

const USED = { token_usage: { input: 100, output: 20 } }
const CACHED = { token_usage: { input: 100, output: 20, cached: 90, reasoning: 15 } }

const tokenUsage: Case[] = [
  ['max_total: 120', USED, 1, ['tokens in total: 120, within 120'], []],
  ['max_total: 119', USED, 0, [], ['tokens in total: 120, above 119']],
  ['max_total: 120', CACHED, 1, ['tokens in total: 120, within 120'], []],
  ['max_input: 100', USED, 1, ['input tokens: 100, within 100'], []],
  ['max_input: 99', USED, 0, [], ['input tokens: 100, above 99']],
  ['max_output: 20', USED, 1, ['output tokens: 20, within 20'], []],
  ['max_output: 19', USED, 0, [], ['output tokens: 20, above 19']],
  ['max_output: 0', { token_usage: { output: 0 } }, 1, ['output tokens: 0, within 0'], []],
  ['max_output: 0', { token_usage: { output: 1 } }, 0, [], ['output tokens: 1, above 0']],
  ['max_input: 5', { token_usage: { input: 5 } }, 1, ['input tokens: 5, within 5'], []],
  [
    'max_output: 20, max_input: 100, max_total: 120',
    USED,
    1,
    ['tokens in total: 120, within 120', 'input tokens: 100, within 100', 'output tokens: 20, within 20'],
    [],
  ],
  [
    'max_total: 120, max_input: 99, max_output: 20',
    USED,
    0,
    ['tokens in total: 120, within 120', 'output tokens: 20, within 20'],
    ['input tokens: 100, above 99'],
  ],
  [
    'max_total: 120, max_output: 19, negate: true',
    USED,
    1,
    ['output tokens: 20, above 19'],
    ['tokens in total: 120, within 120'],
  ],
  ['max_total: 120, negate: true', USED, 0, [], ['tokens in total: 120, within 120']],
]

/** A transcript with all calls in one assistant message. */
function called(...tools: string[]): Partial<Answer> {
  return { output_messages: [{ role: 'assistant', tool_calls: tools.map(tool => ({ tool })) }] }
}

const TURNS: Partial<Answer> = {
  output_messages: [
    { role: 'assistant', tool_calls: [{ tool: 'Read' }, { tool: 'Write' }] },
    { role: 'tool', content: 'Done' },
    { role: 'assistant', content: 'And one more', tool_calls: [{ tool: 'Write' }] },
    { role: 'assistant', content: 'Ready' },
  ],
}

const executionMetrics: Case[] = [
  ['max_tool_calls: 3', TURNS, 1, ['tool calls: 3, within 3'], []],
  ['max_tool_calls: 2', TURNS, 0, [], ['tool calls: 3, above 2']],
  ['max_tool_calls: 0', TURNS, 0, [], ['tool calls: 3, above 0']],
  ['max_tool_calls: 0', { output_messages: [] }, 1, ['tool calls: 0, within 0'], []],
  ['max_tool_calls: 0', { output_messages: [{ role: 'assistant' }] }, 1, ['tool calls: 0, within 0'], []],
  ['max_llm_calls: 3', TURNS, 1, ['model calls: 3, within 3'], []],
  ['max_llm_calls: 2', TURNS, 0, [], ['model calls: 3, above 2']],
  ['max_tokens: 120', USED, 1, ['tokens in total: 120, within 120'], []],
  ['max_tokens: 119', USED, 0, [], ['tokens in total: 120, above 119']],
  ['max_input_tokens: 100', USED, 1, ['input tokens: 100, within 100'], []],
  ['max_input_tokens: 99', USED, 0, [], ['input tokens: 100, above 99']],
  ['max_output_tokens: 20', USED, 1, ['output tokens: 20, within 20'], []],
  ['max_output_tokens: 19', USED, 0, [], ['output tokens: 20, above 19']],
  ['max_cost_usd: 0.5', { cost_usd: 0.5 }, 1, ['cost: $0.5, within $0.5'], []],
  ['max_cost_usd: 0', { cost_usd: 0.01 }, 0, [], ['cost: $0.01, above $0']],
  ['max_duration_ms: 10', { duration_ms: 10 }, 1, ['duration: 10 ms, within 10 ms'], []],
  ['max_duration_ms: 10', { duration_ms: 10.5 }, 0, [], ['duration: 10.5 ms, above 10 ms']],
  [
    'max_tool_calls: 3, max_llm_calls: 2, max_duration_ms: 5, max_cost_usd: 1, max_tokens: 120',
    { ...TURNS, ...USED, duration_ms: 6, cost_usd: 1 },
    0,
    ['tool calls: 3, within 3', 'tokens in total: 120, within 120', 'cost: $1, within $1'],
    ['model calls: 3, above 2', 'duration: 6 ms, above 5 ms'],
  ],
  [
    'max_tool_calls: 2, max_llm_calls: 3, negate: true',
    TURNS,
    1,
    ['tool calls: 3, above 2'],
    ['model calls: 3, within 3'],
  ],
]

/** The expected ratio with its tolerance, the called tools, the score, and the text of the hit or miss. */
type Share = [ratio: string, tools: string, score: 0 | 1, text: string]

const exploration: Share[] = [
  ['0.5', 'Read Write', 1, '1 of 2 calls only read: 0.5, within 0.5 ± 0.1'],
  ['0.6', 'Read Write', 1, '1 of 2 calls only read: 0.5, within 0.6 ± 0.1'],
  ['0.4', 'Read Write', 1, '1 of 2 calls only read: 0.5, within 0.4 ± 0.1'],
  ['0.61', 'Read Write', 0, '1 of 2 calls only read: 0.5, outside 0.61 ± 0.1'],
  ['0.39', 'Read Write', 0, '1 of 2 calls only read: 0.5, outside 0.39 ± 0.1'],
  // In floating point, 0.8 − 0.7 is slightly more than 0.1.
  ['0.7', 'Read Grep LS Glob Write', 1, '4 of 5 calls only read: 0.8, within 0.7 ± 0.1'],
  ['0.9', 'Read', 1, '1 of 1 calls only read: 1, within 0.9 ± 0.1'],
  ['0.7 ± 0.2', 'Read Write', 1, '1 of 2 calls only read: 0.5, within 0.7 ± 0.2'],
  ['0.5 ± 0', 'Read Bash', 1, '1 of 2 calls only read: 0.5, within 0.5 ± 0'],
  ['0.51 ± 0', 'Read Bash', 0, '1 of 2 calls only read: 0.5, outside 0.51 ± 0'],
  ['0.3', 'Read Edit Bash', 1, '1 of 3 calls only read: 0.3333, within 0.3 ± 0.1'],
  ['1 ± 0', 'Read Grep Glob LS search fetch', 1, '6 of 6 calls only read: 1, within 1 ± 0'],
  ['1 ± 0', 'read read_file Read-File readFile READ', 1, '5 of 5 calls only read: 1, within 1 ± 0'],
  ['1 ± 0', 'WebFetch web_search mcp__files__read_file grep', 1, '4 of 4 calls only read: 1, within 1 ± 0'],
  ['0 ± 0', 'Write Edit Bash thread mcp__read__write', 1, '0 of 5 calls only read: 0, within 0 ± 0'],
  ['0', '', 1, '0 of 0 calls only read: 0, within 0 ± 0.1'],
  ['0.5', '', 0, '0 of 0 calls only read: 0, outside 0.5 ± 0.1'],
  ['0 ± 1', 'Read', 1, '1 of 1 calls only read: 1, within 0 ± 1'],
]

describe.each([
  ['latency', latency],
  ['cost', cost],
  ['token_usage', tokenUsage],
  ['execution_metrics', executionMetrics],
])('%s', (type, cases) => {
  it.each(cases)('%s on %j: %d', async (fields, reported, score, hits, misses) => {
    const [result] = await gradeChecks([`{type: ${type}, ${fields}}`], { text: '', ...reported })
    expect(result).toMatchObject({ score, passed: score === 1, hits, misses })
    expect(result?.error).toBeUndefined()
  })
})

describe('the exploration ratio', () => {
  it.each(exploration)('%s on [%s]: %d', async (ratio, tools, score, text) => {
    const fields = `target_exploration_ratio: ${ratio.replace(' ±', ', exploration_tolerance:')}`
    const reported = called(...tools.split(' ').filter(tool => tool !== ''))
    const [result] = await gradeChecks([`{type: execution_metrics, ${fields}}`], { text: '', ...reported })
    const findings = [`exploration ratio: ${text}`]
    expect(result).toMatchObject({ score, hits: score === 1 ? findings : [], misses: score === 1 ? [] : findings })
  })

  it('must hold together with the limits', async () => {
    const check = '{type: execution_metrics, max_tool_calls: 1, target_exploration_ratio: 0.5}'
    const [result] = await gradeChecks([check], { text: '', ...called('Read', 'Write') })
    const share = 'exploration ratio: 1 of 2 calls only read: 0.5, within 0.5 ± 0.1'
    expect(result).toMatchObject({ score: 0, hits: [share], misses: ['tool calls: 2, above 1'] })
  })
})

const NO_TRANSCRIPT = {
  code: 'no-transcript',
  message: 'the target gave no transcript, so its tool calls are unknown',
}

const NO_PRICE = ', and has no `price` to compute it from'

describe('an unreported number is an error', () => {
  it.each<[check: string, reported: Partial<Answer>, unknown: string]>([
    ['latency, threshold: 10', {}, 'duration'],
    ['cost, budget: 0.1', {}, 'cost'],
    ['cost, budget: 0', { duration_ms: 5, ...USED }, 'cost'],
    ['token_usage, max_total: 10', {}, 'tokens in total'],
    ['token_usage, max_total: 10', { token_usage: {} }, 'tokens in total'],
    ['token_usage, max_total: 1', { token_usage: { input: 9 } }, 'tokens in total'],
    ['token_usage, max_total: 1', { token_usage: { output: 9 } }, 'tokens in total'],
    ['token_usage, max_input: 10', { token_usage: { output: 9 } }, 'input tokens'],
    ['token_usage, max_output: 10', { token_usage: { input: 9 } }, 'output tokens'],
    ['token_usage, max_input: 1, max_output: 1', { token_usage: { input: 9 } }, 'output tokens'],
    ['execution_metrics, max_tokens: 10', {}, 'tokens in total'],
    ['execution_metrics, max_input_tokens: 10', {}, 'input tokens'],
    ['execution_metrics, max_output_tokens: 10', {}, 'output tokens'],
    ['execution_metrics, max_cost_usd: 10', TURNS, 'cost'],
    ['execution_metrics, max_duration_ms: 10', TURNS, 'duration'],
    ['execution_metrics, max_duration_ms: 1, max_cost_usd: 1', { duration_ms: 2 }, 'cost'],
    ['execution_metrics, max_tool_calls: 0, max_cost_usd: 1', TURNS, 'cost'],
    ['execution_metrics, max_tool_calls: 10', { duration_ms: 1, cost_usd: 1 }, 'transcript'],
    ['execution_metrics, max_llm_calls: 10', USED, 'transcript'],
    ['execution_metrics, target_exploration_ratio: 0', {}, 'transcript'],
    ['execution_metrics, max_duration_ms: 1, max_tool_calls: 1', { duration_ms: 2 }, 'transcript'],
  ])('%s on %j: no %s', async (fields, reported, unknown) => {
    const error =
      unknown === 'transcript'
        ? NO_TRANSCRIPT
        : { code: 'not-reported', message: `the target reported no ${unknown}${unknown === 'cost' ? NO_PRICE : ''}` }
    const checks = ['', ', negate: true', ', required: 0.1'].map(more => `{type: ${fields}${more}}`)
    const results = await gradeChecks(checks, { text: '', ...reported })
    expect(results).toHaveLength(3)
    for (const result of results) {
      expect(result).toMatchObject({ score: null, passed: false, hits: [], misses: [] })
      expect(result.error).toEqual(error)
      expect(judgeChecks([result])).toEqual({ score: null, verdict: 'error' })
    }
  })

  it('limits that need no transcript are judged on text alone', async () => {
    const check = '{type: execution_metrics, max_tokens: 120, max_cost_usd: 1, max_duration_ms: 5}'
    const [result] = await gradeChecks([check], { text: '', ...USED, cost_usd: 1, duration_ms: 5 })
    expect(result).toMatchObject({
      score: 1,
      hits: ['tokens in total: 120, within 120', 'cost: $1, within $1', 'duration: 5 ms, within 5 ms'],
      misses: [],
    })
  })
})

describe('before the run', () => {
  it.each([
    'latency',
    'latency, threshold: -1',
    'cost',
    'cost, budget: -0.1',
    'token_usage',
    'token_usage, max_total: -1',
    'execution_metrics',
    'execution_metrics, exploration_tolerance: 0.2',
    'execution_metrics, target_exploration_ratio: 1.1',
    'execution_metrics, target_exploration_ratio: 0.5, exploration_tolerance: -0.1',
  ])('rejects {type: %s}', async fields => {
    const { diagnostics } = await loadTestWithDiagnostics([`{type: ${fields}}`])
    expect(diagnostics).toHaveLength(1)
  })
})

it('a run measures only the duration if it was not reported', async () => {
  const tests = [
    { id: 'in-time', assert: [{ type: 'latency', threshold: 60_000 }] },
    { id: 'late', assert: [{ type: 'latency', threshold: 0 }] },
    { id: 'price', assert: [{ type: 'cost', budget: 60_000 }] },
  ]
  const responses = [{ pattern: '', response: 'ok', delay_ms: 20 }]
  const folder = evalFolder(
    tests.map(test => ({ input: 'Hi', ...test })),
    [{ name: 'default', provider: 'mock', responses }],
  )
  const { results } = await evaluate(folder)
  expect(results.get('in-time')).toMatchObject({ verdict: 'pass', score: 1 })
  expect(results.get('late')).toMatchObject({ verdict: 'fail', score: 0 })
  expect(results.get('price')).toMatchObject({ verdict: 'error', score: null })
})
