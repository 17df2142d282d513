import { symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Queue } from 'bullmq'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import manifest from '../../../package.json' with { type: 'json' }
import { sha256 } from '../../../src/lib/sha256.ts'
import { describeWithRedis, TestRedis } from '../../support/external/redis.ts'
import { assay, folderWith } from '../../support/program.ts'
import { type Server, serve } from '../../support/servers/server.ts'
import { resultsIn } from '../../support/suite-run.ts'
import { Checkouts, endStarted, httpTarget, numbers, sendMail, until } from './queued-run.ts'

let server: Server
let redis: TestRedis
let client: Redis
/** Whether the server delays its responses. */
let isSlow = false

const { version } = manifest

/** A forged description of a run. */
const runWith = (more: object) => ({
  version,
  run_id: 'strange',
  is_over: false,
  queues: [{ name: 'target-x', target: 'default' }],
  asked: {},
  ...more,
})

/** Adds a run to Redis with this text as its description. */
async function announce(text: string): Promise<void> {
  await client.sadd('assay:runs', 'strange')
  await client.set('assay:strange:about', text)
}

function queueOf(name: string): Queue {
  return new Queue(name, { connection: client, prefix: 'assay:strange' })
}

/** A forged job with one attempt. */
const jobWith = (more: object) => ({
  attempts: [
    {
      id: 'x',
      suite: 'EVAL.yaml',
      suite_hash: 'x',
      test_id: 't0',
      target: 'default',
      judges: '',
      trial: 1,
      occurrence: 1,
      ...more,
    },
  ],
})

describeWithRedis('an attacker with access to Redis', () => {
  let checkouts: Checkouts

  beforeAll(async () => {
    redis = await TestRedis.start()
    client = new Redis(redis.url, { maxRetriesPerRequest: null })
    server = await serve(async ({ body }, response) => {
      while (isSlow) await new Promise(resolve => setTimeout(resolve, 20))
      response.end(JSON.stringify({ text: `You said: ${JSON.parse(body).prompt}` }))
    })
  })

  beforeEach(() => {
    checkouts = new Checkouts({ 'EVAL.yaml': numbers(3), '.assay/targets.yaml': httpTarget(server.url) })
  })

  afterEach(async () => {
    isSlow = false
    await endStarted()
    await client.flushall()
  })

  afterAll(async () => {
    client?.disconnect()
    await server?.close()
    await redis?.end()
  })

  it('cannot make a worker run files outside its repository, or other targets', async () => {
    const cwd = checkouts.copy()
    const outside = folderWith({ 'EVAL.yaml': numbers(3), 'targets.yaml': httpTarget(server.url) })
    symlinkSync(outside, join(cwd, 'link'))
    writeFileSync(join(cwd, 'notes.txt'), 'no suite')
    await assay(['eval'], { cwd: outside })
    const [made] = resultsIn(outside)
    const known = { id: made?.attempt_id, suite_hash: sha256(numbers(3)) }
    const before = server.calls.length
    const worker = checkouts.work(redis, { cwd })
    await announce(JSON.stringify(runWith({})))
    const queue = queueOf('target-x')
    const up = relative(cwd, join(outside, 'EVAL.yaml'))
    const suites = [join(outside, 'EVAL.yaml'), up, 'link/EVAL.yaml', 'notes.txt', '', '\0', 'no.yaml']
    const jobs = [
      ...suites.map(suite => jobWith({ ...known, suite })),
      jobWith({ target: 'other' }),
      jobWith({ id: 'y' }),
    ]
    for (const data of jobs) await queue.add('attempts', data, { attempts: 1 })
    await until(async () => (await queue.getFailedCount()) === jobs.length)
    const reasons = (await queue.getFailed()).map(({ failedReason }) => failedReason)
    for (const reason of reasons) expect(reason).toMatch(/checkout differs from the coordinator's|cannot be run here/)
    expect(server.calls.length).toBe(before)
    expect(worker.child.exitCode).toBeNull()
  })

  it('cannot crash a worker', async () => {
    const worker = checkouts.work(redis)
    await announce('{"version":')
    await announce(JSON.stringify(runWith({ queues: 'many' })))
    for (const name of ['target:x', ':', '', 'mail:x']) {
      await announce(JSON.stringify(runWith({ queues: [{ name, target: 'default' }] })))
      await worker.prints(/Not working on strange/)
    }
    await announce(JSON.stringify(runWith({})))
    const queue = queueOf('target-x')
    const jobs = [
      {},
      { attempts: [] },
      { attempts: [{}] },
      jobWith({ trial: -1 }),
      jobWith({ trial: 1e9 }),
      'text',
      null,
    ]
    for (const data of jobs) await queue.add('attempts', data, { attempts: 1 })
    await until(async () => (await queue.getFailedCount()) === jobs.length)
    await client.flushall()
    expect(await checkouts.coordinate(redis).ended).toBe(0)
    expect(worker.child.exitCode).toBeNull()
    expect(worker.stderr).not.toContain('bug')
  })

  it('cannot make a worker run a different version', async () => {
    const worker = checkouts.work(redis)
    await announce(JSON.stringify(runWith({ version: '99.0.0' })))
    await worker.prints(new RegExp(`Not working on strange: this worker is Assay ${version}, the run needs 99.0.0`))
  })

  it('cannot have invalid or repeated results recorded', async () => {
    isSlow = true
    const worker = checkouts.work(redis)
    const run = checkouts.coordinate(redis)
    await worker.prints(/Working on/)
    await until(() => server.calls.length > 0)
    const [name = ''] = await client.smembers('assay:runs')
    const ids = (await client.keys(`assay:${name}:target-*:attempt-*`)).flatMap(
      key => /attempt-(\w+)$/.exec(key)?.[1] ?? [],
    )
    expect(ids).toHaveLength(3)
    const [id = ''] = ids
    const forged = { type: 'result', worker: 'w', attempt_id: id, spent_usd: 0, uncounted: 0 }
    const mails = [
      {},
      'text',
      { ...forged, result: {} },
      { ...forged, result: { run_id: 'other', attempt_id: id, verdict: 'pass', score: 1 } },
      { ...forged, result: { run_id: name, attempt_id: id, verdict: 'pass', score: 0 } },
      { ...forged, attempt_id: 'unknown', result: { run_id: name, attempt_id: 'unknown' } },
      { type: 'started', worker: 'w', attempt_id: 'unknown' },
      { type: 'refused', worker: '\u001b[31mred', reason: '::error::no\nreason' },
    ]
    for (const data of mails) await sendMail(client, name, data)
    await run.prints(/skips attempts and leaves them for other workers/)
    expect(checkouts.results()).toEqual([])
    isSlow = false
    expect(await run.ended).toBe(0)
    expect(checkouts.results()).toHaveLength(3)
    expect(run.stderr).not.toContain('\u001b[31m')
    expect(run.stderr).not.toMatch(/^::error/m)
  })
})
