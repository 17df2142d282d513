import * as conventions from '@opentelemetry/semantic-conventions/incubating'
import { afterEach, describe, expect, it } from 'vitest'
import { assay } from '../../../support/in-process.ts'
import { folderWith } from '../../../support/program.ts'
import { EACH_VERDICT, suiteFolder, YES_AND_NO } from '../../../support/runs.ts'
import { type Collector, collector, type ReceivedSpan } from '../../../support/servers/otlp-collector.ts'

let receiver: Collector
afterEach(() => receiver.close())

const ENV = { OTEL_SERVICE_NAME: undefined, OTEL_EXPORTER_OTLP_HEADERS: undefined, OTEL_RESOURCE_ATTRIBUTES: undefined }

async function send(cwd: string, args: readonly string[] = [], env: Record<string, string> = {}) {
  return assay(['eval', ...args, '--otel', receiver.url], { cwd, env: { ...ENV, ...env } })
}

const named = (start: string) => receiver.spans.filter(({ name }) => name.startsWith(start))
const childrenOf = ({ spanId, traceId }: ReceivedSpan) =>
  receiver.spans.filter(span => span.traceId === traceId && span.parentSpanId === spanId)

describe('assay eval --otel', () => {
  it('sends each attempt as a trace that links to the span of the run', async () => {
    receiver = await collector()
    const cwd = suiteFolder(EACH_VERDICT)
    const { code, stderr } = await send(cwd)
    expect(code).toBe(3)
    expect(stderr).toContain(`9 spans sent to ${receiver.url}/v1/traces`)
    const [run] = named('assay run')
    const attempts = named('test ')
    expect(attempts.map(({ name, attributes }) => [name, attributes['assay.verdict']]).sort()).toEqual([
      ['test bad', 'fail'],
      ['test broken', 'error'],
      ['test good', 'pass'],
      ['test middling', 'borderline'],
    ])
    for (const attempt of attempts) {
      expect(attempt.parentSpanId).toBeUndefined()
      expect(attempt.links).toEqual([{ traceId: run?.traceId, spanId: run?.spanId }])
      const [answer, ...others] = childrenOf(attempt)
      expect(others).toEqual([])
      expect(answer).toMatchObject({ name: 'invoke_agent default', kind: 3 })
      expect(attempt.start <= (answer?.start ?? 0n) && (answer?.end ?? 0n) <= attempt.end).toBe(true)
      expect(run && run.start <= attempt.start && attempt.end <= run.end).toBe(true)
    }
    expect(new Set(attempts.map(({ traceId }) => traceId)).size).toBe(4)
  })

  it('sends checks as evaluation events of the answer', async () => {
    receiver = await collector()
    await send(suiteFolder(EACH_VERDICT))
    const [bad] = named('test bad').flatMap(childrenOf)
    expect(bad?.events.map(({ name, attributes }) => [name, attributes])).toEqual([
      [
        'gen_ai.evaluation.result',
        {
          'gen_ai.evaluation.name': expect.any(String),
          'gen_ai.evaluation.score.value': 0,
          'gen_ai.evaluation.score.label': 'fail',
          'gen_ai.evaluation.explanation': expect.stringContaining('yes'),
          'assay.check.type': 'contains',
          'assay.check.weight': 1,
          'assay.check.required': true,
        },
      ],
      [
        'gen_ai.evaluation.result',
        expect.objectContaining({
          'gen_ai.evaluation.name': 'denial',
          'gen_ai.evaluation.score.value': 1,
          'gen_ai.evaluation.score.label': 'pass',
        }),
      ],
    ])
  })

  it('marks only attempts without a score as errors', async () => {
    receiver = await collector()
    await send(suiteFolder(EACH_VERDICT))
    const [broken] = named('test broken')
    expect(broken).toMatchObject({ status: { code: 2 }, attributes: { 'error.type': 'no-match' } })
    expect(broken && childrenOf(broken)[0]).toMatchObject({
      status: { code: 2 },
      attributes: { 'error.type': 'no-match' },
    })
    expect(named('test bad')[0]?.status).toBeUndefined()
  })

  it('nests calls in the answer, and calls of subagents in the subagent', async () => {
    receiver = await collector()
    await send(folderWith(AGENT_SUITE))
    const [attempt] = named('test looks')
    const [answer] = attempt ? childrenOf(attempt) : []
    expect(answer?.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'agent',
      'gen_ai.response.model': 'tiny-1',
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.usage.output_tokens': 4,
      'gen_ai.usage.cache_read.input_tokens': 3,
      'assay.cost_usd': 0.25,
    })
    const inside = answer ? childrenOf(answer) : []
    expect(inside.map(({ name }) => name).sort()).toEqual([
      'execute_tool Task',
      'execute_tool search',
      'invoke_agent helper',
    ])
    const [subagent] = inside.filter(({ name }) => name === 'invoke_agent helper')
    expect(subagent && childrenOf(subagent)).toMatchObject([
      { name: 'execute_tool Read', status: { code: 2 }, attributes: { 'error.type': 'tool_error' } },
    ])
    const [search] = inside.filter(({ name }) => name === 'execute_tool search')
    expect(search && search.end - search.start).toBe(40_000_000n)
    for (const { start, end } of inside) expect(answer && answer.start <= start && end <= answer.end).toBe(true)
  })

  it('sends prompts and answers only with --otel-content', async () => {
    receiver = await collector()
    const cwd = folderWith(AGENT_SUITE)
    await send(cwd)
    expect(JSON.stringify(receiver.calls.map(({ body }) => body))).not.toMatch(/violet|indigo|lost page/)
    await send(cwd, ['--otel-content'])
    const [, answer] = named('invoke_agent agent')
    const said = JSON.parse(String(answer?.attributes['gen_ai.output.messages']))
    expect(said.at(-1)).toEqual({
      role: 'assistant',
      parts: [{ type: 'text', content: 'It is indigo.' }],
      finish_reason: 'stop',
    })
    expect(JSON.parse(String(answer?.attributes['gen_ai.input.messages']))).toEqual([
      { role: 'user', parts: [{ type: 'text', content: 'What is violet?' }] },
    ])
  })

  it('sends one trace per target and trial, each id once', async () => {
    receiver = await collector()
    const targets = ['one', 'two'].map(name => ({ name, provider: 'mock', response: 'yes' }))
    const cwd = suiteFolder(EACH_VERDICT, JSON.stringify({ targets }))
    await send(cwd, ['--target', 'one', '--target', 'two', '--trials', '3'])
    const attempts = named('test ')
    expect(attempts).toHaveLength(24)
    const keys = attempts.map(({ name, attributes: a }) => `${name} ${a['assay.target']} ${a['assay.trial']}`)
    expect(new Set(keys).size).toBe(24)
    expect(new Set(receiver.spans.map(({ traceId, spanId }) => traceId + spanId)).size).toBe(receiver.spans.length)
  })

  it('uses the variables of OpenTelemetry', async () => {
    receiver = await collector()
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-team=a%20b, api-key=planted-key-1234',
      OTEL_SERVICE_NAME: 'my-agent-tests',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,deployment.environment.name=ci%2Fnight',
    }
    const { code } = await assay(['eval', '--otel'], { cwd: suiteFolder(EACH_VERDICT), env })
    expect(code).toBe(3)
    expect(receiver.calls[0]?.headers).toMatchObject({ 'x-team': 'a b', 'api-key': 'planted-key-1234' })
    expect(receiver.spans[0]?.resource).toEqual({
      'service.name': 'my-agent-tests',
      'deployment.environment.name': 'ci/night',
    })
  })

  it('uses only attributes of the conventions besides its own', async () => {
    receiver = await collector()
    await send(folderWith(AGENT_SUITE), ['--otel-content'])
    await send(suiteFolder(EACH_VERDICT, YES_AND_NO))
    const known = new Set<unknown>(Object.values(conventions))
    const used = receiver.spans.flatMap(({ attributes, events }) => [
      attributes,
      ...events.map(event => event.attributes),
    ])
    const unknown = used.flatMap(Object.keys).filter(key => !key.startsWith('assay.') && !known.has(key))
    expect(unknown).toEqual([])
    for (const { attributes } of receiver.spans.filter(({ name }) => !/^(test|assay)/.test(name)))
      expect(known).toContain(attributes['gen_ai.operation.name'])
  })
})

/** A program that answers with a transcript, calls and a subagent. */
const ANSWER = {
  output_messages: [
    {
      role: 'assistant',
      content: 'Let me look.',
      tool_calls: [
        { tool: 'search', input: { q: 'violet' }, output: 'none', duration_ms: 40 },
        { tool: 'Task', input: {}, output: 'indigo', duration_ms: 100 },
      ],
    },
    { role: 'assistant', agent_id: 'helper', tool_calls: [{ tool: 'Read', input: { path: 'a' }, error: 'lost page' }] },
    { role: 'assistant', content: 'It is indigo.' },
  ],
  token_usage: { input: 10, output: 4, cached: 3 },
  cost_usd: 0.25,
  duration_ms: 500,
  model: 'tiny-1',
}

const AGENT_SUITE = {
  'EVAL.yaml': JSON.stringify({
    tests: [
      { id: 'looks', criteria: 'Looks', input: 'What is violet?', assert: [{ type: 'contains', value: 'It is' }] },
    ],
  }),
  '.assay/targets.yaml': JSON.stringify({
    targets: [{ name: 'agent', provider: 'cli', command: ['cat', 'answer.json'] }],
  }),
  '.assay/config.yaml': 'target: agent\n',
  'answer.json': JSON.stringify(ANSWER),
}
