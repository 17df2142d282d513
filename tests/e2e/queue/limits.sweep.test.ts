import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { describeWithRedis, TestRedis } from '../../support/external/redis.ts'
import { type Server, serve } from '../../support/servers/server.ts'
import { Checkouts, endStarted, httpTarget, numbers } from './queued-run.ts'

const ANSWER_MS = 50
/** How long a rejected worker is told to wait. */
const PAUSE_S = 6
/** How long after a rejection all workers have heard of it, on a busy machine too. */
const HEARD_MS = 2000

let server: Server
let redis: TestRedis
/** Number of the call that is rejected with `retry-after`. */
let rejectedCall: number | undefined

afterEach(endStarted)

describeWithRedis('a queue', () => {
  beforeAll(async () => {
    redis = await TestRedis.start()
    server = await serve(async ({ body }, response) => {
      const isRejected = server.calls.length === rejectedCall
      await sleep(ANSWER_MS)
      if (isRejected) response.writeHead(429, { 'retry-after': String(PAUSE_S) }).end()
      else response.end(JSON.stringify({ text: `You said ${/\d+/.exec(JSON.parse(body).prompt)?.[0]}` }))
    })
  })

  afterAll(async () => {
    await server?.close()
    await redis?.end()
  })

  it('enforces `requests_per_minute` across all workers', async () => {
    const limit = 20
    const checkouts = new Checkouts({
      'EVAL.yaml': numbers(30),
      '.assay/targets.yaml': httpTarget(server.url, { requests_per_minute: limit }),
      'warm-up/EVAL.yaml': numbers(60, { name: 'warm-up' }),
      'warm-up/.assay/targets.yaml': httpTarget(server.url),
    })
    // Two have the same name.
    const workers = ['a', 'a', 'b'].map(name => checkouts.work(redis, { args: ['--name', name, '--workers', '4'] }))
    for (const worker of workers) await worker.prints(/is waiting for jobs/)
    // The first request of a program comes seconds after it is permitted, which is more than the limit allows for.
    await checkouts.coordinate(redis, 'warm-up/EVAL.yaml').ended
    const before = server.calls.length
    const run = checkouts.coordinate(redis, 'EVAL.yaml')
    await run.ended
    const times = server.calls.slice(before).map(({ at }) => at)
    expect(times).toHaveLength(30)
    for (const from of times) {
      expect(times.filter(at => at >= from && at < from + 60_000).length).toBeLessThanOrEqual(limit)
    }
    expect(new Set(checkouts.results().map(({ worker }) => worker)).size).toBe(2)
    expect(run.stderr).toContain('requests_per_minute reached')
  })

  it('enforces `workers` of a target across all workers', async () => {
    const checkouts = new Checkouts({
      'EVAL.yaml': numbers(24),
      '.assay/targets.yaml': httpTarget(server.url, { workers: 3 }),
    })
    const before = server.calls.length
    for (const at of [0, 1, 2]) checkouts.work(redis, { args: ['--name', `w${at}`, '--workers', '4'] })
    await checkouts.coordinate(redis).ended
    const active = server.calls.slice(before).map(call => call.active)
    expect(active).toHaveLength(24)
    expect(Math.max(...active)).toBe(3)
  })

  it('slows down all workers when a target is overloaded', async () => {
    const checkouts = new Checkouts({ 'EVAL.yaml': numbers(18), '.assay/targets.yaml': httpTarget(server.url) })
    const before = server.calls.length
    rejectedCall = before + 7
    const workers = [0, 1, 2].map(at => checkouts.work(redis, { args: ['--name', `w${at}`, '--workers', '1'] }))
    for (const worker of workers) await worker.prints(/is waiting for jobs/)
    const run = checkouts.coordinate(redis)
    expect(await run.ended).toBe(1)
    const calls = server.calls.slice(before)
    expect(calls).toHaveLength(19)
    const rejectedAt = calls[6]?.at ?? 0
    const between = calls.filter(({ at }) => at > rejectedAt + HEARD_MS && at < rejectedAt + PAUSE_S * 1000)
    expect(between).toEqual([])
    // Without the pause, all requests would have arrived before the workers had heard of it.
    expect(calls.at(-1)?.at).toBeGreaterThan(rejectedAt + PAUSE_S * 1000)
    expect(new Set(checkouts.results().map(({ worker }) => worker)).size).toBe(3)
    expect(checkouts.results().filter(({ verdict }) => verdict === 'error')).toEqual([])
  })
})
