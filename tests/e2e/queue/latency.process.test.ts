import { afterEach, expect, it } from 'vitest'
import { describeWithRedis, TestRedis } from '../../support/external/redis.ts'
import { Checkouts, endStarted, numbers, Running } from './queued-run.ts'
import { SlowProxy } from './slow-proxy.ts'

const ROUND_TRIP_MS = 400
const TESTS = 12

/** Four are needed: for a job, for its turn, for the result to arrive and for the end of the job. The others are for a slow machine. */
const ROUND_TRIPS = 6

describeWithRedis('a worker far away', () => {
  let redis: TestRedis
  let proxy: SlowProxy
  afterEach(async () => {
    await endStarted()
    proxy.end()
    await redis.end()
  })

  it('needs few round trips per attempt', async () => {
    redis = await TestRedis.start()
    proxy = await SlowProxy.start(redis.port, ROUND_TRIP_MS / 2)
    const target = { name: 'default', provider: 'cli', command: 'cat' }
    const checkouts = new Checkouts({
      'EVAL.yaml': numbers(TESTS),
      '.assay/targets.yaml': JSON.stringify({ targets: [target] }),
    })
    const coordinator = checkouts.coordinate(redis)
    new Running(['worker', '--queue', proxy.url, '--workers', '1'], checkouts.copy(), {})
    expect(await coordinator.ended).toBe(1)
    const results = checkouts.results()
    expect(results).toHaveLength(TESTS)
    const begun = results.map(({ timestamp }) => Date.parse(String(timestamp))).sort((a, b) => a - b)
    // The first and the last are begun with a delay of their own.
    const each = ((begun.at(-2) ?? 0) - (begun[1] ?? 0)) / (TESTS - 3)
    expect(each / ROUND_TRIP_MS).toBeLessThan(ROUND_TRIPS)
  }, 120_000)
})
