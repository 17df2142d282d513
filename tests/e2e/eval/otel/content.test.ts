import { afterEach, describe, expect, it } from 'vitest'
import { assay } from '../../../support/in-process.ts'
import { folderWith } from '../../../support/program.ts'
import { suiteFolder, wordTest } from '../../../support/runs.ts'
import { type Collector, collector } from '../../../support/servers/otlp-collector.ts'

let receiver: Collector | undefined
afterEach(async () => {
  await receiver?.close()
  receiver = undefined
})

const testOf = (id: string, ...assert: object[]) => ({ id, criteria: 'c', input: 'Well?', assert })

/** Agents whose answer, or whose error, has a word that nothing else has; the judge quotes it. */
const QUOTING = {
  'EVAL.yaml': JSON.stringify({
    tests: [
      testOf('missed', { type: 'equals', value: 'Paris' }),
      testOf('judged', { type: 'llm_judge', target: 'judge' }),
      { ...testOf('failed', { type: 'contains', value: 'x' }), execution: { target: 'broken' } },
      testOf('limited', { type: 'contains', value: 'x', applies_to: ['other'] }, { type: 'contains', value: 'marmot' }),
    ],
    execution: { target: 'agent' },
  }),
  '.assay/targets.yaml': JSON.stringify({
    targets: [
      { name: 'agent', provider: 'mock', response: 'marmot' },
      { name: 'other', provider: 'mock', response: 'marmot' },
      { name: 'broken', provider: 'cli', command: 'echo marmot >&2; exit 3', retries: 0 },
      {
        name: 'judge',
        provider: 'mock',
        response: '{"score": 0, "reasoning": "It says marmot", "misses": ["marmot"]}',
      },
    ],
  }),
}

describe('texts that quote answers', () => {
  const sent = async (...args: string[]) => {
    receiver = await collector()
    await assay(['eval', '--otel', receiver.url, ...args], { cwd: folderWith(QUOTING) })
    return receiver
  }
  const textOf = ({ spans }: Collector) => JSON.stringify(spans, (_, value) => (typeof value === 'bigint' ? 0 : value))

  it('are sent only with --otel-content: misses, reasoning and messages of errors', async () => {
    const plain = await sent()
    const quoted = textOf(plain).match(/[^"]*marmot[^"]*/g) ?? []
    // The check in words has the text that its author wrote.
    expect(new Set(quoted)).toEqual(new Set(["Output contains 'marmot'"]))
    await plain.close()
    const full = textOf(await sent('--otel-content'))
    for (const part of ['It says marmot', 'exit code 3: marmot', 'the answer is']) expect(full).toContain(part)
  })

  it('have no event for a check that does not apply', async () => {
    const { spans } = await sent()
    const [limited] = spans.filter(({ name }) => name === 'test limited')
    const [answer] = spans.filter(({ parentSpanId }) => parentSpanId === limited?.spanId)
    expect(answer?.events).toHaveLength(1)
  })
})

describe('variables for traces', () => {
  it('come before those for all signals, and name the receiver itself', async () => {
    receiver = await collector(({ path }, response) => (path === '/own' ? response.end('{}') : undefined))
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${receiver.url}/own`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-of=all',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-of=traces',
    }
    const cwd = suiteFolder({ tests: [wordTest('a', 'yes', 'yes')] })
    const { stderr } = await assay(['eval', '--otel'], { cwd, env })
    expect(stderr).toContain(`3 spans sent to ${receiver.url}/own\n`)
    expect(receiver.calls.map(({ path, headers }) => [path, headers['x-of']])).toContainEqual(['/own', 'traces'])
  })
})
