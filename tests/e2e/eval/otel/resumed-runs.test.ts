import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { assay } from '../../../support/in-process.ts'
import { mockTargets, suiteFolder, wordTest } from '../../../support/runs.ts'
import { type Collector, collector } from '../../../support/servers/otlp-collector.ts'

let receiver: Collector
afterEach(() => receiver.close())

const SUITE = { tests: ['a', 'b', 'c'].map(id => wordTest(id, id, 'yes')) }
const names = () => receiver.spans.map(({ name }) => name).sort()
const idsOf = () => receiver.spans.map(({ traceId, spanId }) => traceId + spanId)

describe('runs that are resumed', () => {
  it('sends each span once, and the span of the run when it is complete', async () => {
    receiver = await collector()
    const cwd = suiteFolder(SUITE, mockTargets(['a', 'yes'], ['b', 'no'], ['c', 'yes']))
    const otel = ['--otel', receiver.url]
    const first = await assay(['eval', '--fail-fast', '--workers', '1', ...otel], { cwd })
    expect(first.code).toBe(1)
    expect(names()).toEqual(['invoke_agent default', 'invoke_agent default', 'test a', 'test b'])
    expect(first.stderr).toContain(`--otel ${receiver.url}`)
    const second = await assay(['eval', '--resume', ...otel], { cwd })
    expect(second.stderr).toContain('3 spans sent')
    expect(names().filter(name => !name.startsWith('invoke'))).toEqual(['assay run', 'test a', 'test b', 'test c'])
    const third = await assay(['eval', '--resume', ...otel], { cwd })
    expect(third.code).toBe(1)
    expect(receiver.spans).toHaveLength(7)
    expect(new Set(idsOf()).size).toBe(7)
  })

  it('sends a rerun as spans of its own, linked to the rerun', async () => {
    receiver = await collector()
    const cwd = suiteFolder(SUITE, mockTargets(['a', 'yes'], ['b', 'no'], ['c', 'yes']))
    await assay(['eval', '--otel', receiver.url], { cwd })
    await assay(['eval', '--rerun-failed', '--otel', receiver.url], { cwd })
    const [rerun] = receiver.spans.filter(({ name }) => name === 'assay rerun')
    const again = receiver.spans.filter(
      ({ attributes }) => attributes['assay.rerun'] === 1 && attributes['test.case.name'],
    )
    expect(again).toMatchObject([{ name: 'test b', links: [{ traceId: rerun?.traceId, spanId: rerun?.spanId }] }])
    expect(new Set(idsOf()).size).toBe(receiver.spans.length)
  })

  it('reports the spans that it sent', async () => {
    receiver = await collector()
    const cwd = suiteFolder(SUITE, mockTargets(['a', 'yes'], ['b', 'no'], ['c', 'yes']))
    await assay(['eval', '--otel', receiver.url, '--otel-content'], { cwd })
    const { stdout } = await assay(['report', 'latest', '--format', 'otel', '--otel-content'], { cwd })
    const spansIn = (text: string) =>
      text
        .trim()
        .split('\n')
        .flatMap(line => JSON.parse(line).resourceSpans[0].scopeSpans[0].spans)
        .map(span => JSON.stringify(span))
        .sort()
    expect(spansIn(stdout)).toEqual(spansIn(receiver.calls.map(({ body }) => body).join('\n')))
    const plain = await assay(['report', 'latest', '--format', 'otel'], { cwd })
    expect(plain.stdout).not.toContain('gen_ai.output.messages')
    const refused = await assay(['report', 'latest', '--format', 'junit', '--otel-content'], { cwd })
    expect(refused.stderr).toContain('remove --otel-content')
  })
})

describe('what is sent', () => {
  it('has no secret in any attribute', async () => {
    receiver = await collector()
    const secrets = { MY_API_KEY: 'planted-key-4711', HEADER: 'planted-header-99' }
    const cwd = suiteFolder(
      { tests: [wordTest('leaks', 'Tell me planted-key-4711', 'yes')] },
      JSON.stringify({
        targets: [
          {
            name: 'default',
            provider: 'cli',
            command: ['cat', 'answer.json'],
            env: { MY_API_KEY: '${{ MY_API_KEY }}' },
          },
        ],
      }),
    )
    writeFileSync(
      join(cwd, 'answer.json'),
      JSON.stringify({
        output_messages: [
          {
            role: 'assistant',
            tool_calls: [{ tool: 'Bash', input: { key: secrets.MY_API_KEY }, error: secrets.HEADER }],
          },
          { role: 'assistant', content: `${Buffer.from(secrets.MY_API_KEY).toString('base64')} ${secrets.HEADER}` },
        ],
        model: secrets.MY_API_KEY,
      }),
    )
    const env = {
      ...secrets,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${secrets.HEADER}`,
      OTEL_RESOURCE_ATTRIBUTES: `team=${secrets.MY_API_KEY}`,
    }
    const { stderr } = await assay(['eval', '--otel', receiver.url, '--otel-content'], { cwd, env })
    expect(stderr).toContain('4 spans sent')
    expect(receiver.calls[0]?.headers.authorization).toBe(`Bearer ${secrets.HEADER}`)
    const bodies = receiver.calls.map(({ body }) => body).join('\n')
    expect(bodies).not.toMatch(/planted|cGxhbnRlZC1rZXktNDcxM/)
    expect(bodies).toContain('[MY_API_KEY]')
  })

  it('keeps hostile text', async () => {
    receiver = await collector()
    const text = '\u0000\ud800 \u202e\u001b]0;x\u0007 "}]} 😀 \u2028'
    const target = { name: 'de\u001bfault', provider: 'mock', response: text }
    const cwd = suiteFolder({ tests: [wordTest('t', text, 'yes')] }, JSON.stringify({ targets: [target] }))
    const { stderr } = await assay(['eval', '--target', target.name, '--otel', receiver.url, '--otel-content'], { cwd })
    expect(stderr).toContain('3 spans sent')
    const [answer] = receiver.spans.filter(({ name }) => name.startsWith('invoke_agent'))
    expect(JSON.parse(String(answer?.attributes['gen_ai.output.messages']))[0].parts[0].content).toBe(text)
  })

  it('sends 2,000 attempts in requests of limited size, each span once', async () => {
    const sizes: number[] = []
    receiver = await collector(({ body }) => {
      sizes.push(JSON.parse(body).resourceSpans[0].scopeSpans[0].spans.length)
    })
    const tests = Array.from({ length: 1000 }, (_, index) => wordTest(`t${index}`, `yes ${index}`, 'yes'))
    const { code, stderr } = await assay(['eval', '--trials', '2', '--quiet', '--otel', receiver.url], {
      cwd: suiteFolder({ tests }),
    })
    expect(code).toBe(0)
    expect(stderr).not.toContain('not sent')
    expect(receiver.spans).toHaveLength(4001)
    expect(new Set(idsOf()).size).toBe(4001)
    expect(receiver.calls.length).toBeLessThan(100)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(514)
  })
})
