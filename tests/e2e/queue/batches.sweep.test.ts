import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { describeWithRedis, TestRedis } from '../../support/external/redis.ts'
import { type Call, type Server, serve } from '../../support/servers/server.ts'
import { Checkouts, endStarted, httpTarget, numbers, PATIENT, until } from './queued-run.ts'
import { SlowProxy } from './slow-proxy.ts'

/** Enough tests for batches: fewer than 64 are jobs of their own. */
const TESTS = 200

let server: Server
let redis: TestRedis
/** Waits before the server answers. */
let beforeAnswer = async (_: Call): Promise<void> => {}
/** Text added to each answer. */
let more = ''

function checkoutsOf(count: number): Checkouts {
  return new Checkouts({ 'EVAL.yaml': numbers(count), '.assay/targets.yaml': httpTarget(server.url) })
}

/** How often each test was asked. */
function timesAsked(): Map<string, number> {
  const asked = new Map<string, number>()
  for (const { body } of server.calls) {
    const id = `t${/Say (\d+),/.exec(body)?.[1]}`
    asked.set(id, (asked.get(id) ?? 0) + 1)
  }
  return asked
}

function expectAllOnce(checkouts: Checkouts, count: number): void {
  const ids = checkouts.results().map(({ test_id }) => test_id)
  expect(ids.sort()).toEqual(Array.from({ length: count }, (_, index) => `t${index}`).sort())
}

/** Kills and resumes the coordinator of a run again and again. Expects that all tests are recorded, and were asked once. */
async function resumeOften(checkouts: Checkouts, url: string): Promise<void> {
  let coordinator = checkouts.coordinateAt(url)
  for (let recorded = 10; recorded < TESTS - 40; recorded += 30) {
    await until(() => checkouts.results().length > recorded)
    await coordinator.kill()
    coordinator = checkouts.coordinateAt(url, '--resume')
  }
  expect(await coordinator.ended).toBe(1)
  expectAllOnce(checkouts, TESTS)
  expect(Math.max(...timesAsked().values())).toBe(1)
  expect(await redis.keys()).toEqual([])
}

describeWithRedis('batches of attempts', () => {
  beforeEach(async () => {
    redis = await TestRedis.start('--appendonly', 'yes')
    server = await serve(async (call, response) => {
      await beforeAnswer(call)
      response.end(JSON.stringify({ text: `You said: ${JSON.parse(call.body).prompt}${more}` }))
    })
  })

  afterEach(async () => {
    beforeAnswer = async () => {}
    more = ''
    await endStarted()
    await server.close()
    await redis.end()
  })

  it('leave no slot of any worker idle while attempts wait', async () => {
    // No request is answered before all slots of both workers have one.
    beforeAnswer = () => until(() => server.calls.length >= 20)
    const checkouts = checkoutsOf(20)
    for (const name of ['a', 'b']) checkouts.work(redis, { args: ['--name', name, '--workers', '10', ...PATIENT] })
    expect(await checkouts.coordinate(redis).ended).toBe(1)
    expect(Math.max(...server.calls.map(({ active }) => active))).toBe(20)
    expectAllOnce(checkouts, 20)
  })

  it('give slow attempts to a worker that joins late', async () => {
    // The first attempt is answered after all others: they must not wait behind it.
    beforeAnswer = ({ nth }) => until(() => nth > 1 || checkouts.results().length === TESTS - 1)
    const checkouts = checkoutsOf(TESTS)
    checkouts.work(redis, { args: ['--name', 'first', '--workers', '1', ...PATIENT] })
    const run = checkouts.coordinate(redis)
    await until(() => server.calls.length === 1)
    checkouts.work(redis, { args: ['--name', 'late', '--workers', '4', ...PATIENT] })
    expect(await run.ended).toBe(1)
    expectAllOnce(checkouts, TESTS)
    expect(server.calls).toHaveLength(TESTS)
    expect(checkouts.results().filter(({ worker }) => worker === 'first')).toHaveLength(1)
    expect(await redis.keys()).toEqual([])
  })

  it('are finished by another worker after kill -9, without a second request for what was delivered', async () => {
    const checkouts = checkoutsOf(TESTS)
    const killed = checkouts.work(redis, { args: ['--name', 'killed', '--workers', '2'] })
    const run = checkouts.coordinate(redis)
    await until(() => checkouts.results().length > 5)
    await killed.kill()
    const [name] = await redis.ask(client => client.smembers('assay:runs'))
    const delivered = await redis.ask(client => client.smembers(`assay:${name}:delivered`))
    checkouts.work(redis, { args: ['--name', 'other', '--workers', '2'] })
    expect(await run.ended).toBe(1)
    expectAllOnce(checkouts, TESTS)
    const asked = timesAsked()
    const repeated = checkouts
      .results()
      .filter(({ attempt_id, test_id }) => delivered.includes(String(attempt_id)) && asked.get(test_id) !== 1)
    expect(delivered.length).toBeGreaterThan(5)
    expect(repeated).toEqual([])
    expect(await redis.keys()).toEqual([])
  })

  it('survive a restart of Redis, with and without its data', async () => {
    beforeAnswer = () => sleep(50)
    const checkouts = checkoutsOf(TESTS)
    for (const name of ['a', 'b']) checkouts.work(redis, { args: ['--name', name, '--workers', '2'] })
    const run = checkouts.coordinate(redis)
    await until(() => checkouts.results().length > 10)
    await redis.end()
    await redis.begin()
    const before = checkouts.results().length
    await until(() => checkouts.results().length > before + 10)
    await redis.end()
    redis = await TestRedis.startAt(redis.port)
    expect(await run.ended).toBe(1)
    expectAllOnce(checkouts, TESTS)
    expect(await redis.keys()).toEqual([])
  })

  it('are run once when the coordinator is killed and resumed', async () => {
    beforeAnswer = () => sleep(20)
    const checkouts = checkoutsOf(TESTS)
    checkouts.work(redis, { args: ['--workers', '2', ...PATIENT] })
    const first = checkouts.coordinate(redis)
    await until(() => checkouts.results().length > 10)
    await first.kill()
    expect(await checkouts.coordinate(redis, '--resume').ended).toBe(1)
    expectAllOnce(checkouts, TESTS)
    expect(Math.max(...timesAsked().values())).toBe(1)
    expect(await redis.keys()).toEqual([])
  })

  it('are run once when a worker finishes them while a coordinator resumes', async () => {
    // Answers arrive at all times, also between two commands of the coordinator.
    beforeAnswer = ({ nth }) => sleep(20 * (1 + (nth % 7)))
    const proxy = await SlowProxy.start(redis.port, { pauseAfter: ':delivered', pauseMs: 100 })
    const checkouts = checkoutsOf(TESTS)
    checkouts.work(redis, { args: ['--workers', '4', ...PATIENT] })
    await resumeOften(checkouts, proxy.url)
    proxy.end()
  })

  it('are run once when a worker divides them while a coordinator resumes', async () => {
    beforeAnswer = () => sleep(60)
    const proxy = await SlowProxy.start(redis.port, { delayMs: 25 })
    const checkouts = checkoutsOf(TESTS)
    checkouts.workAt(proxy.url, { args: ['--workers', '4', ...PATIENT] })
    await resumeOften(checkouts, redis.url)
    proxy.end()
  })

  it('deliver answers of 5 MB', async () => {
    more = 'x'.repeat(5_000_000)
    const checkouts = checkoutsOf(12)
    checkouts.work(redis, { args: ['--workers', '4', ...PATIENT] })
    expect(await checkouts.coordinate(redis).ended).toBe(1)
    expectAllOnce(checkouts, 12)
    for (const { answer } of checkouts.results()) expect(String(answer).length).toBeGreaterThan(5_000_000)
    expect(await redis.keys()).toEqual([])
  })

  it('do not repeat a single attempt for many workers', async () => {
    const checkouts = checkoutsOf(1)
    const workers = Array.from({ length: 6 }, (_, index) => checkouts.work(redis, { args: ['--name', `w${index}`] }))
    for (const worker of workers) await worker.prints(/is waiting for jobs/)
    expect(await checkouts.coordinate(redis).ended).toBe(0)
    expect(server.calls).toHaveLength(1)
    expect(await redis.keys()).toEqual([])
  })
})
