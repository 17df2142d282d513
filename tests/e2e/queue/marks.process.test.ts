import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { describeWithRedis, TestRedis } from '../../support/external/redis.ts'
import { mockTargets, runInfoOf, wordTest } from '../../support/runs.ts'
import { Checkouts, endStarted, RunningCommand } from './queued-run.ts'

/** The time zones with the earliest and with the latest day. */
const EARLIEST = 'Etc/GMT+12'
const LATEST = 'Etc/GMT-14'

const today = new Date(Date.now() - 12 * 3600 * 1000).toISOString().slice(0, 10)

const TESTS = [
  wordTest('plain', 'a', 'yes'),
  wordTest('known', 'b', 'no', { execution: { expected_failure: 'wrong currency' } }),
  wordTest('shaky', 'c', 'no', { execution: { quarantine: { reason: 'flaky', until: today } } }),
  wordTest('off', 'd', 'no', { execution: { skip: 'no sandbox' } }),
]

describeWithRedis('a queued run with marked tests', () => {
  let redis: TestRedis
  beforeAll(async () => {
    redis = await TestRedis.start()
  })
  afterEach(endStarted)
  afterAll(() => redis?.end())

  it('has the marks of the coordinator, by whose day a quarantine ends', async () => {
    const made = new Checkouts({
      'EVAL.yaml': JSON.stringify({ name: 'marks', tests: 'tests.yaml' }),
      'tests.yaml': JSON.stringify(TESTS),
      '.assay/targets.yaml': mockTargets(['.', 'yes']),
    })
    const cwd = made.copy()
    const file = join(cwd, 'tests.yaml')
    writeFileSync(file, readFileSync(file, 'utf8').replace('wrong currency', 'another reason'))
    const worker = made.work(redis, { args: ['--once'], cwd, env: { TZ: LATEST } })
    const run = new RunningCommand(['eval', '--queue', redis.url], made.folder, { TZ: EARLIEST })
    const code = await run.ended
    await worker.kill('SIGTERM')
    expect([code, run.stderr]).toEqual([
      0,
      expect.stringContaining('2 tests: 1 passed, 1 expected failure; 1 skipped; 1'),
    ])
    const results = made.results() as unknown as { test_id: string; worker?: string; expected_failure?: string }[]
    expect(results.map(({ worker }) => worker === undefined)).toEqual([false, false, false])
    expect(results.find(({ test_id }) => test_id === 'known')?.expected_failure).toBe('wrong currency')
    expect(runInfoOf(made.folder).skipped).toMatchObject([{ test_id: 'off', reason: 'no sandbox' }])
  })
})
