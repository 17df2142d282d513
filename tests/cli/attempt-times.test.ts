import { expect, it } from 'vitest'
import type { Result } from '../../src/model/result.ts'
import { assay } from '../support/in-process.ts'
import { folderWith } from '../support/program.ts'

const TARGETS = `targets:
  - {name: slow, provider: cli, command: "sleep 20", timeout_seconds: 1, retries: 0}
  - {name: killed, provider: cli, command: "sh -c 'sleep 0.2; kill -9 $$'", retries: 0}
`
const SUITE = `name: s
execution: {targets: [slow, killed]}
tests: [{id: a, criteria: c, input: Hi, assert: [{type: contains, value: x}]}]
`

it('records how long an attempt without an answer took, and reports it in JUnit and CSV', async () => {
  const cwd = folderWith({ 'EVAL.yaml': SUITE, '.assay/targets.yaml': TARGETS })
  const { code, stderr } = await assay(['eval'], { cwd })
  expect(code, stderr).toBe(3)
  const report = async (format: string) => (await assay(['report', 'latest', '--format', format], { cwd })).stdout
  const results: Result[] = (await report('jsonl'))
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  const times = results.map(({ target, duration_ms, elapsed_ms = 0 }) => ({ target, duration_ms, elapsed_ms }))
  expect(times).toEqual([
    { target: 'slow', duration_ms: undefined, elapsed_ms: expect.toSatisfy((ms: number) => ms >= 990 && ms < 15_000) },
    {
      target: 'killed',
      duration_ms: undefined,
      elapsed_ms: expect.toSatisfy((ms: number) => ms >= 190 && ms < 15_000),
    },
  ])
  const rows = (await report('csv')).split('\r\n').slice(1, 3)
  expect(rows.map(row => Number(row.split(',')[9]))).toEqual(times.map(({ elapsed_ms }) => elapsed_ms))
  const cases = [...(await report('junit')).matchAll(/<testcase [^>]*time="([^"]*)"/g)]
  expect(cases.map(([, time]) => Number(time))).toEqual(times.map(({ elapsed_ms }) => elapsed_ms / 1000))
})
