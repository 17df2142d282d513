import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT_CONTEXT, SpanStatusCode, trace } from '@opentelemetry/api'
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { attributes, chat, imported, request, span, TRACE, text } from '../../support/otel-traces.ts'
import { folderWith } from '../../support/program.ts'

describe('traces of an agent', () => {
  it('reads what the SDK of OpenTelemetry writes', async () => {
    const exporter = new InMemorySpanExporter()
    const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
    const tracer = provider.getTracer('agent')
    const agent = tracer.startSpan('invoke_agent shop', {
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': 'shop',
        'gen_ai.usage.input_tokens': 12,
        'gen_ai.input.messages': JSON.stringify([text('user', 'Find my order')]),
        'gen_ai.output.messages': JSON.stringify([
          { role: 'assistant', parts: [{ type: 'tool_call', id: 'x', name: 'lookup', arguments: { id: 7 } }] },
          { role: 'tool', parts: [{ type: 'tool_call_response', id: 'x', response: 'gone' }] },
          { ...text('assistant', 'It is lost.'), finish_reason: 'stop' },
        ]),
      },
    })
    const inside = trace.setSpan(ROOT_CONTEXT, agent)
    const tool = tracer.startSpan(
      'execute_tool lookup',
      {
        attributes: {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': 'lookup',
          'gen_ai.tool.call.id': 'x',
        },
      },
      inside,
    )
    tool.setStatus({ code: SpanStatusCode.ERROR, message: 'no row' })
    tool.end()
    agent.end()
    const bytes = JsonTraceSerializer.serializeRequest(exporter.getFinishedSpans())
    const { code, stdout, suite, answers } = await imported(new TextDecoder().decode(bytes), 'traces.json')
    expect(code).toBe(0)
    expect(stdout).toContain('1 test carried over')
    expect(suite).toContain('Find my order')
    expect(answers).toMatchObject([
      {
        target: 'shop',
        answer: {
          text: 'It is lost.',
          token_usage: { input: 12 },
          output_messages: [
            { role: 'assistant', tool_calls: [{ tool: 'lookup', input: { id: 7 }, output: 'gone', error: 'no row' }] },
            { role: 'assistant', content: 'It is lost.' },
          ],
        },
      },
    ])
  })

  it('reads spans that are out of order, split over requests and sent twice', async () => {
    const parent = span({ id: '2222222222222222', attributes: { 'http.route': '/ask' } })
    const first = span({
      id: '3333333333333333',
      parent: '2222222222222222',
      from: 10,
      to: 30,
      attributes: chat({
        'gen_ai.usage.input_tokens': 5,
        'gen_ai.usage.output_tokens': 1,
        'gen_ai.input.messages': JSON.stringify([text('user', 'Hi')]),
        'gen_ai.output.messages': JSON.stringify([
          { role: 'assistant', parts: [{ type: 'tool_call', id: 'c', name: 'clock', arguments: '{}' }] },
        ]),
      }),
    })
    const tool = span({
      id: '4444444444444444',
      parent: '2222222222222222',
      from: 31,
      to: 41,
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'clock',
        'gen_ai.tool.call.id': 'c',
        'gen_ai.tool.call.result': '"noon"',
      },
    })
    const second = span({
      id: '5555555555555555',
      parent: '2222222222222222',
      from: 50,
      to: 90,
      attributes: chat({
        'gen_ai.usage.input_tokens': 9,
        'gen_ai.usage.output_tokens': 2,
        'gen_ai.input.messages': JSON.stringify([
          text('user', 'Hi'),
          { role: 'assistant', parts: [{ type: 'tool_call', id: 'c', name: 'clock', arguments: '{}' }] },
          { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c', result: 'noon' }] },
        ]),
        'gen_ai.output.messages': JSON.stringify([text('assistant', 'Noon.')]),
      }),
    })
    const { answers, stdout } = await imported(
      request(second, tool) + request(first) + request(parent) + request(second),
    )
    expect(stdout).toContain('1 test carried over, 0 approximated, 0 left out')
    expect(answers).toMatchObject([
      {
        test_id: TRACE,
        answer: {
          text: 'Noon.',
          model: 'm-1',
          duration_ms: 100,
          token_usage: { input: 14, output: 3 },
          output_messages: [
            { role: 'assistant', tool_calls: [{ tool: 'clock', input: {}, output: 'noon', duration_ms: 10 }] },
            { role: 'assistant', content: 'Noon.' },
          ],
        },
      },
    ])
  })

  it.each([
    [
      'events of one message each',
      span({
        attributes: chat({}),
        events: [
          { name: 'gen_ai.user.message', attributes: { 'gen_ai.event.content': '{"content":"Hi"}' } },
          {
            name: 'gen_ai.choice',
            attributes: {
              'gen_ai.event.content':
                '{"index":0,"finish_reason":"stop","message":{"content":"Noon.","tool_calls":[{"id":"c","type":"function","function":{"name":"clock","arguments":"{\\"zone\\":1}"}}]}}',
            },
          },
        ],
      }),
    ],
    [
      'an event with the details',
      span({
        attributes: chat({}),
        events: [
          {
            name: 'gen_ai.client.inference.operation.details',
            attributes: {
              'gen_ai.input.messages': JSON.stringify([text('user', 'Hi')]),
              'gen_ai.output.messages': JSON.stringify([
                {
                  role: 'assistant',
                  parts: [
                    { type: 'text', content: 'Noon.' },
                    { type: 'tool_call', id: 'c', name: 'clock', arguments: { zone: 1 } },
                  ],
                },
              ]),
            },
          },
        ],
      }),
    ],
    [
      'numbered attributes',
      span({
        attributes: {
          'llm.request.type': 'chat',
          'gen_ai.prompt.0.role': 'user',
          'gen_ai.prompt.0.content': 'Hi',
          'gen_ai.completion.0.role': 'assistant',
          'gen_ai.completion.0.content': 'Noon.',
          'gen_ai.completion.0.tool_calls.0.name': 'clock',
          'gen_ai.completion.0.tool_calls.0.arguments': '{"zone":1}',
        },
      }),
    ],
  ])('reads older conventions: %s', async (_, written) => {
    const { answers, suite } = await imported(request(written))
    expect(suite).toContain('content: Hi')
    expect(answers).toMatchObject([
      {
        answer: {
          text: 'Noon.',
          output_messages: [{ content: 'Noon.', tool_calls: [{ tool: 'clock', input: { zone: 1 } }] }],
        },
      },
    ])
  })

  it('reads log records that belong to a span', async () => {
    const log = {
      traceId: TRACE,
      spanId: '1111111111111111',
      eventName: 'gen_ai.client.inference.operation.details',
      attributes: attributes({
        'gen_ai.input.messages': JSON.stringify([text('user', 'Hi')]),
        'gen_ai.output.messages': JSON.stringify([text('assistant', 'Noon.')]),
      }),
    }
    const logs = `${JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: [log] }] }] })}\n`
    const { answers } = await imported(logs + request(span({ attributes: chat({}) })))
    expect(answers).toMatchObject([{ answer: { text: 'Noon.' } }])
  })

  it('names what cannot be read, with its place', async () => {
    const id = (digit: string) => digit.repeat(32)
    const lines = [
      request(span({ traceId: id('a'), attributes: { 'http.route': '/' } })),
      request(span({ traceId: id('b'), attributes: chat({}) })),
      '{"resourceMetrics": []}\n',
      request(
        span({
          traceId: id('c'),
          attributes: chat({
            'gen_ai.input.messages': JSON.stringify([
              { role: 'user', parts: [{ type: 'blob', mime_type: 'image/png', data: '' }] },
            ]),
          }),
        }),
      ),
      request({ name: 'no ids' }),
    ]
    const { stdout, stderr, code } = await imported(lines.join(''))
    expect([code, stderr]).toEqual([5, expect.stringContaining('No test could be imported.')])
    for (const line of [1, 2, 3, 4, 5]) expect(stdout).toMatch(new RegExp(`traces\\.jsonl:${line}:\\d+`))
    expect(stdout).toContain('0 tests carried over, 0 approximated, 2 left out')
    const broken = await imported(`${request(span({ attributes: chat({}) }))}{"resourceSpans": [\n`)
    expect(broken.code).toBe(2)
    expect(broken.stderr).toMatch(/\(2:\d+\)/)
  })

  it('keeps a trace that failed, as a test without an answer', async () => {
    const failed = span({
      attributes: chat({ 'gen_ai.input.messages': JSON.stringify([text('user', 'Hi')]), 'error.type': 'timeout' }),
      status: { code: 2 },
    })
    const { stdout, cwd, answers } = await imported(request(failed))
    expect(stdout).toContain('failed without an answer')
    expect(answers).toEqual([])
    const run = await assay(['eval'], { cwd: join(cwd, 'out') })
    expect(run.code).not.toBe(0)
  })

  it('replaces API keys, and survives hostile traces', async () => {
    const key = `sk-${'a1'.repeat(20)}`
    const loop = ['6', '7'].map((digit, index) =>
      span({
        id: digit.repeat(16),
        parent: (index === 0 ? '7' : '6').repeat(16),
        traceId: 'f'.repeat(32),
        attributes: chat({}),
      }),
    )
    const deep = Array.from({ length: 3000 }, (_, index) =>
      span({
        id: String(index + 1).padStart(16, '0'),
        parent: String(index).padStart(16, '0'),
        traceId: 'e'.repeat(32),
      }),
    )
    const leak = span({
      attributes: chat({
        'gen_ai.input.messages': JSON.stringify([text('user', `Use ${key}`)]),
        'gen_ai.output.messages': JSON.stringify([text('assistant', `Used ${key} \u001b]0;x`)]),
      }),
    })
    const { code, suite, answers, stdout } = await imported(request(leak, ...loop, ...deep))
    expect(code).toBe(0)
    expect(suite + JSON.stringify(answers)).not.toContain(key)
    expect(stdout).toContain('API key')
    expect(answers).toMatchObject([{ answer: { text: 'Used [key] \u001b]0;x' } }])
  })

  it('is recognized without --from', async () => {
    const cwd = folderWith({})
    writeFileSync(join(cwd, 'x.json'), request(span({ attributes: chat({}) })))
    const { stdout } = await assay(['import', 'x.json', '--dry-run'], { cwd })
    expect(stdout).toContain('traces of OpenTelemetry')
  })
})
