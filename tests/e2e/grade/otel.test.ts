import { afterEach, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { mockTargets, runInfoOf, suiteFolder, wordTest } from '../../support/runs.ts'
import { type Collector, collector } from '../../support/servers/otlp-collector.ts'

let receiver: Collector | undefined
afterEach(() => receiver?.close())

const TARGETS = mockTargets(['.', 'yes', { token_usage: { input: 10, output: 4 }, cost_usd: 0.25 }])

it('assay grade --otel sends the gradings as a run of its own, whose answers cost nothing', async () => {
  receiver = await collector()
  const cwd = suiteFolder({ tests: [wordTest('a', 'Well?', 'yes')] }, TARGETS)
  await assay(['eval', '--otel', receiver.url], { cwd })
  const source = runInfoOf(cwd).run_id
  const { code, stderr } = await assay(['grade', 'latest', '--otel', receiver.url], { cwd })
  expect(code).toBe(0)
  expect(stderr).toContain(`3 spans sent to ${receiver.url}/v1/traces`)
  const [first, second] = receiver.spans.filter(({ name }) => name === 'invoke_agent default')
  expect(first?.attributes).toMatchObject({ 'gen_ai.usage.input_tokens': 10, 'assay.cost_usd': 0.25 })
  expect(second?.attributes).toMatchObject({ 'assay.source_run.id': source })
  expect(Object.keys(second?.attributes ?? {}).filter(key => /usage|cost/.test(key))).toEqual([])
  expect(second?.traceId).not.toBe(first?.traceId)
  const runs = receiver.spans.filter(({ name }) => name === 'assay run').map(({ attributes }) => attributes)
  expect(runs.map(attributes => attributes['assay.source_run.id'])).toEqual([undefined, source])
})

it('assay grade --otel-content needs a collector', async () => {
  const cwd = suiteFolder({ tests: [wordTest('a', 'Well?', 'yes')] }, TARGETS)
  const { code, stderr } = await assay(['grade', 'latest', '--otel-content'], { cwd })
  expect(code).toBe(2)
  expect(stderr).toContain('--otel-content needs --otel.')
})
