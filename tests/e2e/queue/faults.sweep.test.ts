import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { describeWithRedis, TestRedis } from '../../support/external/redis.ts'
import { type Server, serve } from '../../support/servers/server.ts'
import { Checkouts, endStarted, httpTarget, numbers, type RunningCommand, until } from './queued-run.ts'

const TESTS = 60
const ANSWER_MS = 100

let server: Server
let redis: TestRedis

afterEach(async () => {
  await endStarted()
  await redis.end()
})

/** Expects each test once, with the same verdict as on one machine. */
function expectAll(checkouts: Checkouts, count = TESTS): void {
  const results = checkouts.results()
  const ids = results.map(({ test_id }) => test_id).sort()
  expect(ids).toEqual(Array.from({ length: count }, (_, index) => `t${index}`).sort())
  const failed = results.filter(({ verdict }) => verdict !== 'pass').map(({ test_id }) => test_id)
  expect(failed.sort()).toEqual(ids.filter(id => Number(id.slice(1)) % 5 === 4))
}

function startWorker(checkouts: Checkouts, args: readonly string[] = []): RunningCommand {
  return checkouts.work(redis, { args: ['--workers', '2', ...args] })
}

describeWithRedis('every result is recorded exactly once', () => {
  let checkouts: Checkouts

  beforeAll(async () => {
    server = await serve(async ({ body }, response) => {
      await sleep(ANSWER_MS)
      response.end(JSON.stringify({ text: `You said: ${JSON.parse(body).prompt}` }))
    })
  })

  afterAll(() => server?.close())

  beforeEach(async () => {
    redis = await TestRedis.start('--appendonly', 'yes')
    checkouts = new Checkouts({ 'EVAL.yaml': numbers(TESTS), '.assay/targets.yaml': httpTarget(server.url) })
  })

  it('when two of four workers are killed', async () => {
    const workers = [1, 2, 3, 4].map(() => startWorker(checkouts))
    const run = checkouts.coordinate(redis)
    await until(() => checkouts.results().length > 10)
    await Promise.all(workers.slice(0, 2).map(worker => worker.kill()))
    expect(await run.ended).toBe(1)
    expectAll(checkouts)
    expect(await redis.keys()).toEqual([])
  })

  it('when the coordinator is killed and resumed; results finished meanwhile are recorded', async () => {
    startWorker(checkouts)
    const run = checkouts.coordinate(redis)
    await until(() => checkouts.results().length > 5)
    await run.kill()
    // Jobs stay for a day, for a resumed run.
    const jobs = (await redis.keys()).filter(key => /:attempt-[0-9a-f]+$/.test(key))
    const ttls = await redis.ask(client => Promise.all(jobs.map(key => client.pttl(key))))
    // Finished jobs are gone: their TTL is -2.
    const waiting = ttls.filter(ms => ms !== -2)
    expect(waiting.length).toBeGreaterThan(5)
    for (const ms of waiting) expect(ms).toBeGreaterThan(23 * 60 * 60 * 1000)
    const asked = server.calls.length
    await until(() => server.calls.length > asked + 10)
    // All remaining keys expire.
    const endless = () =>
      redis.ask(async client => {
        const keys = await client.keys('*')
        const left = await Promise.all(keys.map(key => client.pttl(key)))
        return keys.filter((_, index) => left[index] === -1)
      })
    expect((await redis.keys()).length).toBeGreaterThan(5)
    await until(async () => (await endless()).length === 0)
    const before = server.calls.length
    const again = checkouts.coordinate(redis, '--resume')
    expect(await again.ended).toBe(1)
    expectAll(checkouts)
    // Attempts that were answered without a coordinator are not repeated.
    expect(server.calls.length - before).toBeLessThan(TESTS - 15)
    expect(await redis.keys()).toEqual([])
  })

  it('when Redis is down for five seconds and keeps its data', async () => {
    await expectAllAfter(() => sleep(5000))
  })

  it('when Redis restarts without its data', async () => {
    await expectAllAfter(async () => {
      const { port } = redis
      redis = await TestRedis.startAt(port)
    })
  })

  async function expectAllAfter(outage: () => Promise<unknown>): Promise<void> {
    const workers = [startWorker(checkouts), startWorker(checkouts)]
    const run = checkouts.coordinate(redis)
    await until(() => checkouts.results().length > 10)
    await redis.end()
    const before = checkouts.results().length
    await outage()
    if (!redis.isRunning) await redis.begin()
    expect(await run.ended).toBe(1)
    expect(before).toBeLessThan(TESTS)
    for (const each of [run, ...workers]) {
      expect(each.stderr).toContain('Redis is not responding')
      expect(each.stderr).toContain('Redis is back')
    }
    expectAll(checkouts)
  }

  it('when Redis is frozen for a while', async () => {
    const worker = startWorker(checkouts)
    const run = checkouts.coordinate(redis)
    await until(() => checkouts.results().length > 10)
    redis.freeze()
    for (const each of [run, worker]) await each.prints(/Redis is not responding/)
    redis.thaw()
    expect(await run.ended).toBe(1)
    for (const each of [run, worker]) expect(each.stderr).toContain('Redis is back')
    expectAll(checkouts)
  })

  it('when a script keeps Redis busy for longer than its limit', async () => {
    const before = server.calls.length
    const worker = startWorker(checkouts)
    const run = checkouts.coordinate(redis)
    await until(() => checkouts.results().length > 10)
    await redis.ask(client => client.config('SET', 'busy-reply-threshold', '100'))
    const endless = redis.ask(client => client.eval('while true do end', 0)).catch(() => {})
    try {
      for (const each of [run, worker]) await each.prints(/Redis is busy with a script; waiting until it answers/)
    } finally {
      // A client of ours would not become ready.
      spawnSync('redis-cli', ['-p', String(redis.port), 'SCRIPT', 'KILL'])
    }
    await endless
    expect(await run.ended).toBe(1)
    expectAll(checkouts)
    expect(server.calls.length - before).toBe(TESTS)
    expect(await redis.keys()).toEqual([])
  })

  it('when one worker has a different checkout and another lacks the API key', async () => {
    const withKey = { headers: { authorization: '${{ THE_KEY }}' } }
    writeFileSync(join(checkouts.folder, '.assay/targets.yaml'), httpTarget(server.url, withKey))
    const other = checkouts.copy()
    writeFileSync(join(other, 'EVAL.yaml'), numbers(TESTS - 1))
    const env = { THE_KEY: 'a-very-secret-key' }
    const strange = checkouts.work(redis, { cwd: other, env, args: ['--name', 'strange'] })
    const keyless = checkouts.work(redis, { args: ['--name', 'keyless'] })
    const right = checkouts.work(redis, { env, args: ['--name', 'right', '--workers', '2'] })
    process.env['THE_KEY'] = env.THE_KEY
    const run = checkouts.coordinate(redis)
    delete process.env['THE_KEY']
    expect(await run.ended).toBe(1)
    expectAll(checkouts)
    expect(new Set(checkouts.results().map(({ worker }) => worker))).toEqual(new Set(['right']))
    expect(run.stderr).toContain(
      "strange skips attempts and leaves them for other workers: this worker's checkout differs from the coordinator's",
    )
    expect(run.stderr).toMatch(/keyless skips attempts and leaves them for other workers: .*THE_KEY/)
    for (const each of [strange, keyless]) expect(each.stderr).toContain('Skipped; left for other workers:')
    expect(right.stderr).not.toContain('Skipped; left for other workers:')
  })

  it('when the clock of a worker is an hour off', async () => {
    const clocks = ['3_600_000', '-3_600_000'].map(
      ms => `data:text/javascript,const%20now=Date.now;Date.now=()=>now()+${ms}`,
    )
    const workers = clocks.map((clock, index) =>
      checkouts.work(redis, {
        env: { NODE_OPTIONS: `--import ${clock}` },
        args: ['--name', `w${index}`, '--workers', '2'],
      }),
    )
    for (const worker of workers) await worker.prints(/is waiting for jobs/)
    const run = checkouts.coordinate(redis)
    await until(() => checkouts.results().filter(({ worker }) => worker === 'w0').length > 2)
    await workers[0]?.kill()
    expect(await run.ended).toBe(1)
    expectAll(checkouts)
    expect(new Set(checkouts.results().map(({ worker }) => worker)).size).toBe(2)
  })

  it('when the user interrupts all commands while Redis is down', async () => {
    const worker = startWorker(checkouts)
    const run = checkouts.coordinate(redis)
    await until(() => checkouts.results().length > 5)
    await redis.end()
    await run.prints(/Redis is not responding/)
    expect(await run.kill('SIGINT')).toBe(130)
    worker.child.kill('SIGINT')
    await worker.prints(/Finishing running attempts/)
    expect(await worker.kill('SIGINT')).toBe(130)
    await redis.begin()
    startWorker(checkouts)
    expect(await checkouts.coordinate(redis, '--resume').ended).toBe(1)
    expectAll(checkouts)
    expect(await redis.keys()).toEqual([])
  })

  it('when the suite has changed before the coordinator is resumed', async () => {
    const run = checkouts.coordinate(redis)
    await until(async () => (await redis.keys()).filter(key => key.includes(':attempt-')).length === TESTS)
    await run.kill()
    writeFileSync(join(checkouts.folder, 'EVAL.yaml'), numbers(TESTS).replaceAll('my secret prompt', 'if you please'))
    const before = server.calls.length
    const stale = new Set((await redis.keys()).filter(key => key.includes(':attempt-')))
    const again = checkouts.coordinate(redis, '--resume')
    await until(async () => (await redis.keys()).every(key => !stale.has(key)))
    const worker = startWorker(checkouts)
    expect(await again.ended).toBe(1)
    expectAll(checkouts)
    const asked = server.calls.slice(before).map(({ body }) => body)
    expect(asked).toHaveLength(TESTS)
    expect(asked.filter(body => body.includes('my secret prompt'))).toEqual([])
    // The jobs of the first coordinator were removed.
    expect(worker.stderr).not.toContain('Skipped; left for other workers')
  })

  it('when Redis is full: the error is reported, and the run can be resumed', async () => {
    await redis.ask(client => client.config('SET', 'maxmemory', '1'))
    const full = checkouts.coordinate(redis)
    expect(await full.ended).toBe(2)
    expect(full.stderr).toMatch(
      /^Redis rejected a command: OOM .*\nRecorded results are kept. Resume with: `assay eval --resume --queue`/m,
    )
    await redis.ask(client => client.config('SET', 'maxmemory', '0'))
    startWorker(checkouts)
    expect(await checkouts.coordinate(redis, '--resume').ended).toBe(1)
    expectAll(checkouts)
  })

  it('when an attempt kills every worker: it is an error, and the other attempts continue', async () => {
    const killer = `let text = ''
for await (const chunk of process.stdin) text += chunk
if (text.includes('Say 7,')) process.kill(process.ppid, 'SIGKILL')
else process.stdout.write('You said: ' + text)`
    const target = { name: 'default', provider: 'cli', command: [process.execPath, 'agent.mjs'], retries: 0 }
    checkouts = new Checkouts({
      'EVAL.yaml': numbers(12),
      'agent.mjs': killer,
      'targets.yaml': JSON.stringify({ targets: [target] }),
    })
    const workers = [1, 2, 3, 4, 5].map(() => checkouts.work(redis, { args: ['--workers', '1'] }))
    const run = checkouts.coordinate(redis)
    expect(await run.ended).toBe(3)
    const results = checkouts.results()
    expect(results).toHaveLength(12)
    const lost = results.find(({ test_id }) => test_id === 't7')
    expect(lost).toMatchObject({ verdict: 'error', error: { code: 'worker-lost', stage: 'answer' } })
    expect(results.filter(({ verdict }) => verdict === 'error')).toHaveLength(1)
    expect(workers.filter(({ child }) => child.signalCode === 'SIGKILL')).toHaveLength(3)
  })
})
