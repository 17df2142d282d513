import { afterEach, expect, it } from 'vitest'
import { describeWithRedis, TestRedis } from '../../support/external/redis.ts'
import { Checkouts, endStarted, numbers, RunningCommand } from './queued-run.ts'
import { SlowProxy } from './slow-proxy.ts'

const ROUND_TRIP_MS = 400
const TESTS = 12

/** Four are needed: to get a job, to get its slot, to send the result and to finish the job. The rest is for slow machines. */
const ROUND_TRIPS = 6

describeWithRedis('a worker with a slow connection', () => {
  let redis: TestRedis
  let proxy: SlowProxy
  afterEach(async () => {
    await endStarted()
    proxy.end()
    await redis.end()
  })

  it('needs few round trips per attempt', async () => {
    redis = await TestRedis.start()
    proxy = await SlowProxy.start(redis.port, { delayMs: ROUND_TRIP_MS / 2 })
    const target = { name: 'default', provider: 'cli', command: 'cat' }
    const checkouts = new Checkouts({
      'EVAL.yaml': numbers(TESTS),
      '.assay/targets.yaml': JSON.stringify({ targets: [target] }),
    })
    const coordinator = checkouts.coordinate(redis)
    new RunningCommand(['worker', '--queue', proxy.url, '--workers', '1'], checkouts.copy(), {})
    expect(await coordinator.ended).toBe(1)
    const results = checkouts.results()
    expect(results).toHaveLength(TESTS)
    const starts = results.map(({ timestamp }) => Date.parse(String(timestamp))).sort((a, b) => a - b)
    // The first and the last attempt start with additional delays.
    const each = ((starts.at(-2) ?? 0) - (starts[1] ?? 0)) / (TESTS - 3)
    expect(each / ROUND_TRIP_MS).toBeLessThan(ROUND_TRIPS)
  }, 120_000)
})
