import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'
import { collector } from '../../support/servers/otlp-collector.ts'

/** Checks that need no model: of text, calls, their order, usage, cost and time. */
const SUITE = {
  name: 'computed',
  tests: [
    {
      id: 'looks',
      criteria: 'Looks it up',
      input: 'What is violet?',
      assert: [
        { type: 'contains', value: 'indigo' },
        { type: 'tool_trajectory', mode: 'in_order', expected: [{ tool: 'search' }, { tool: 'Read' }] },
        { type: 'tool_used', name: 'uses', tool: 'search' },
        { type: 'token_usage', max_total: 100 },
        { type: 'cost', budget: 0.1 },
        { type: 'latency', threshold: 1000 },
      ],
    },
    { id: 'fails', criteria: 'Says no', input: 'Violet?', assert: [{ type: 'contains', value: 'no such word' }] },
    {
      id: 'talks',
      criteria: 'Goes on',
      input: [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: 'Hi ✨\n\u202eevil' },
        { role: 'assistant', content: 'Hello' },
        { role: 'user', content: 'What is violet?' },
      ],
      assert: [{ type: 'equals', value: 'It is indigo.' }],
    },
  ],
}

const ANSWER = {
  output_messages: [
    {
      role: 'assistant',
      content: 'Let me look.',
      tool_calls: [
        { tool: 'search', input: { q: 'violet' }, output: { hits: [] }, duration_ms: 40 },
        { tool: 'Task', input: {}, output: 'indigo', duration_ms: 100 },
      ],
    },
    { role: 'assistant', agent_id: 'helper', tool_calls: [{ tool: 'Read', input: { path: 'a' }, error: 'lost page' }] },
    { role: 'assistant', content: 'It is indigo.' },
  ],
  token_usage: { input: 10, output: 4 },
  cost_usd: 0.25,
  duration_ms: 500,
  model: 'tiny-1',
  finish_reason: 'stop',
}

const TARGETS = {
  targets: [
    { name: 'agent', provider: 'cli', command: ['cat', 'answer.json'] },
    { name: 'plain', provider: 'mock', response: 'It is indigo.' },
  ],
}

interface Line {
  readonly test_id: string
  readonly target: string
  readonly trial: number
  readonly verdict: string
  readonly output_messages?: unknown
  readonly evaluator_results: readonly {
    readonly name: string
    readonly score: number
    readonly error?: { code: string }
  }[]
}

function linesOf(stdout: string): Line[] {
  return stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
}

const verdicts = (lines: readonly Line[]) =>
  lines
    .map(({ test_id, target, trial, verdict, evaluator_results: checks }) => [
      `${test_id} ${target.replace('recorded-', '')} ${trial}`,
      verdict,
      ...checks.map(({ name, score, error }) => `${name} ${error?.code ?? score}`),
    ])
    .sort()

describe('assay import --from otel', () => {
  it('gives the same verdicts to the answers of a run that was sent to a collector', async () => {
    const receiver = await collector()
    const cwd = folderWith({
      'EVAL.yaml': JSON.stringify(SUITE),
      '.assay/targets.yaml': JSON.stringify(TARGETS),
      'answer.json': JSON.stringify(ANSWER),
    })
    const args = ['--target', 'agent', '--target', 'plain', '--trials', '2']
    const first = await assay(['eval', ...args, '--json', '--otel', receiver.url, '--otel-content'], { cwd })
    await receiver.close()
    const home = folderWith({})
    writeFileSync(
      join(home, 'traces.json'),
      receiver.calls
        .map(({ body }) => `${body}\n`)
        .reverse()
        .join(''),
    )
    const imported = await assay(['import', '--from', 'otel', 'traces.json', '-o', 'recorded'], { cwd: home })
    expect(imported.stderr).toBe('')
    expect(imported.code).toBe(0)
    const targets = readFileSync(join(home, 'recorded/.assay/targets.yaml'), 'utf8')
    writeFileSync(join(home, 'recorded/original.eval.yaml'), JSON.stringify(SUITE))
    const again = await assay(
      [
        'eval',
        'original.eval.yaml',
        '--target',
        'recorded-agent',
        '--target',
        'recorded-plain',
        '--trials',
        '2',
        '--json',
      ],
      { cwd: join(home, 'recorded') },
    )
    expect(targets).toContain('provider: replay')
    expect(verdicts(linesOf(again.stdout))).toEqual(verdicts(linesOf(first.stdout)))
    const transcripts = (text: string) =>
      linesOf(text).find(({ test_id, target }) => test_id === 'looks' && /agent/.test(target))
    expect(transcripts(again.stdout)?.output_messages).toEqual(transcripts(first.stdout)?.output_messages)
    expect(again.code).toBe(first.code)
    const own = await assay(['eval', 'EVAL.yaml', '--json'], { cwd: join(home, 'recorded') })
    expect(own.code).toBe(0)
    expect(linesOf(own.stdout).map(({ verdict }) => verdict)).toEqual(Array(6).fill('pass'))
  })
})
