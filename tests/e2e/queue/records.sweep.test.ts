import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { describeWithRedis, TestRedis } from '../../support/external/redis.ts'
import { assay } from '../../support/program.ts'
import { type Server, serve } from '../../support/servers/server.ts'
import { Checkouts, endStarted, httpTarget, numbers, type Recorded } from './queued-run.ts'

const ANSWER_MS = 100

let redis: TestRedis
let server: Server

afterEach(endStarted)

describeWithRedis('three workers', () => {
  beforeAll(async () => {
    redis = await TestRedis.start()
    server = await serve(async ({ body }, response) => {
      await sleep(ANSWER_MS)
      response.end(JSON.stringify({ text: `You said: ${JSON.parse(body).prompt}` }))
    })
  })

  afterAll(async () => {
    await server?.close()
    await redis?.end()
  })

  it('share the attempts, and write the same records as one machine', async () => {
    const checkouts = new Checkouts({
      'evals/EVAL.yaml': numbers(300),
      '.assay/targets.yaml': httpTarget(server.url, { workers: 64 }),
    })
    const alone = await assay(['eval', '--workers', '32', '-o', 'alone.json'], { cwd: checkouts.folder })
    const local = checkouts.results()
    const three = await runWith(checkouts, 3)
    expect([alone.code, three.code]).toEqual([1, 1])
    expect(local).toHaveLength(300)
    expect(three.workers).toEqual(new Set(['w0', 'w1', 'w2']))
    expect(three.results.map(comparable).sort()).toEqual(local.map(comparable).sort())
    expect(three.summary).toEqual(summaryOf(join(checkouts.folder, 'alone.json')))
    const shares = [...three.workers].map(name => three.results.filter(({ worker }) => worker === name).length)
    expect(Math.min(...shares)).toBeGreaterThan(30)
    expect(await redis.keys()).toEqual([])
  })

  async function runWith(checkouts: Checkouts, count: number) {
    const workers = Array.from({ length: count }, (_, index) =>
      checkouts.work(redis, { args: ['--name', `w${index}`, '--workers', '2', '-q'] }),
    )
    for (const worker of workers) await worker.prints(/is waiting for jobs/)
    const run = checkouts.coordinate(redis, '-o', 'report.json', '-q')
    const code = await run.ended
    for (const worker of workers) await worker.kill('SIGTERM')
    const results = checkouts.results()
    const summary = summaryOf(join(checkouts.folder, 'report.json'))
    return { code, results, summary, workers: new Set(results.map(({ worker }) => worker)) }
  }
})

/** A record as text, without the fields that differ between runs. */
function comparable(record: Recorded): string {
  return JSON.stringify(record, (key, value) =>
    ['run_id', 'timestamp', 'duration_ms', 'worker'].includes(key) ? undefined : value,
  )
}

function summaryOf(file: string): unknown {
  const { summary } = JSON.parse(readFileSync(file, 'utf8'))
  expect(summary).toBeDefined()
  return JSON.parse(JSON.stringify(summary, (key, value) => (/duration|latency|_ms$/.test(key) ? undefined : value)))
}
