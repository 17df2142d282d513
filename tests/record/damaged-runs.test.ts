import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeHost } from '../../src/host/node.ts'
import type { Result } from '../../src/model/result.ts'
import type { RunInfo } from '../../src/model/run-info.ts'
import { readRun } from '../../src/record/read-run.ts'
import { recordedRuns } from '../fuzz/recorded-runs.ts'
import { folderWith } from '../support/program.ts'

const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)

/** Reads a recorded run with changes to its `run.json` and its first result. */
async function readChanged(change: { info?: (info: RunInfo) => object; first?: (result: Result) => object }) {
  const runs = await recordedRuns()
  const path = Object.keys(runs).find(each => each.endsWith('/run.json')) ?? ''
  const info: RunInfo = JSON.parse(text(runs[path]))
  const [first = '', ...rest] = text(runs[path.replace('run.json', 'results.jsonl')]).split('\n')
  const results = [
    change.first ? JSON.stringify({ ...JSON.parse(first), ...change.first(JSON.parse(first)) }) : first,
    ...rest,
  ]
  const folder = folderWith({
    'run.json': JSON.stringify({ ...info, ...change.info?.(info) }),
    'results.jsonl': results.join('\n'),
  })
  const run = await readRun({ folder, results: join(folder, 'results.jsonl') }, nodeHost(folder))
  run.close()
  return { damaged: run.damaged, read: [...run.facts()].length, attempts: info.attempts.length }
}

it('reads a run as it was recorded', async () => {
  const { damaged, read, attempts } = await readChanged({})
  expect([damaged, read]).toEqual([0, attempts])
})

describe('an invalid run.json is damaged', () => {
  const cases: [what: string, info: (info: RunInfo) => object][] = [
    ['test ids that are not a list', ({ options }) => ({ options: { ...options, test_ids: {} } })],
    ['a path that is a number', ({ options }) => ({ options: { ...options, paths: [1] } })],
    ['no trial at all', ({ options }) => ({ options: { ...options, trials: 0 } })],
    ['fewer attempts in all than there are', ({ attempts }) => ({ total: attempts.length - 1 })],
    ['fewer tests in all than there are', ({ tests }) => ({ total_tests: tests - 1 })],
    ['an attempt twice', ({ attempts }) => ({ attempts: [...attempts.slice(1), attempts.at(-1)] })],
    ['the third shard of two', () => ({ shard: { index: 3, of: 2 } })],
    ['a shard before the first', () => ({ shard: { index: 0, of: 2 } })],
    ['defaults that are a text', ({ options }) => ({ options: { ...options, defaults: 'x' } })],
  ]

  it.each(cases)('%s', async (_, info) => {
    await expect(readChanged({ info })).rejects.toThrow(/run\.json is damaged\.$/)
  })

  it('accepts unknown options', async () => {
    expect(await readChanged({ info: ({ options }) => ({ options: { ...options, own: [1] } }) })).toMatchObject({
      damaged: 0,
    })
  })
})

describe('an inconsistent result counts as damaged', () => {
  const cases: [what: string, first: (result: Result) => object][] = [
    ['a result of another run', () => ({ run_id: '20000101-000000-abcd' })],
    ['a pass with a score that fails', () => ({ score: 0.1 })],
    ['a fail with a score that passes', () => ({ verdict: 'fail' })],
    ['a pass without a score', () => ({ score: null })],
    ['an error with a score', () => ({ verdict: 'error' })],
    [
      'a pass that misses a required check',
      ({ evaluator_results: [check, ...rest] }) => ({
        evaluator_results: [{ ...check, required: 0.5, passed: false }, ...rest],
      }),
    ],
    [
      'a pass with a check that could not be judged',
      ({ evaluator_results: [check, ...rest] }) => ({
        evaluator_results: [{ ...check, score: null, error: { code: 'x', message: 'y' } }, ...rest],
      }),
    ],
    [
      'a pass of checks that have another score',
      ({ evaluator_results: [check, ...rest] }) => ({
        evaluator_results: [{ ...check, score: 0.3 }, ...rest],
      }),
    ],
  ]

  it.each(cases)('%s', async (_, first) => {
    const { damaged, read, attempts } = await readChanged({ first })
    expect([damaged, read]).toEqual([1, attempts - 1])
  })
})
