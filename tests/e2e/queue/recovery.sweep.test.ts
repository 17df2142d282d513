import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { describeWithRedis, TestRedis } from '../../support/external/redis.ts'
import { assay, PROGRAM } from '../../support/program.ts'
import { type Server, serve } from '../../support/servers/server.ts'
import { Checkouts, endStarted, httpTarget, numbers, PATIENT, sendMail, until } from './queued-run.ts'

let server: Server
let redis: TestRedis
let answerMs = 20
/** Text added to each answer. */
let more = ''

afterEach(async () => {
  answerMs = 20
  more = ''
  await endStarted()
  await redis.end()
})

/** A suite with two targets, each with its own endpoint. */
function twoTargets(count: number): Checkouts {
  const [a, b] = ['a', 'b'].map(name => JSON.parse(httpTarget(`${server.url}/${name}`, { name })).targets[0])
  return new Checkouts({
    'EVAL.yaml': numbers(count, { execution: { targets: ['a', 'b'] } }),
    '.assay/targets.yaml': JSON.stringify({ targets: [a, b] }),
  })
}

describeWithRedis('a queue', () => {
  let checkouts: Checkouts

  beforeAll(async () => {
    server = await serve(async ({ body }, response) => {
      await sleep(answerMs)
      response.end(JSON.stringify({ text: `You said: ${JSON.parse(body).prompt}${more}` }))
    })
  })

  afterAll(() => server?.close())

  beforeEach(async () => {
    redis = await TestRedis.start()
    checkouts = new Checkouts({ 'EVAL.yaml': numbers(20), '.assay/targets.yaml': httpTarget(server.url) })
  })

  it('stops the run when the disk of the coordinator is full, and loses no result', async () => {
    more = 'x'.repeat(3000)
    const before = server.calls.length
    checkouts.work(redis, { args: ['--workers', '2', ...PATIENT] })
    const command = `ulimit -f 20; exec "${process.execPath}" "${PROGRAM}" eval --queue ${redis.url}`
    const child = spawn('bash', ['-c', command], { cwd: checkouts.folder })
    let stderr = ''
    child.stderr.on('data', chunk => {
      stderr += chunk
    })
    expect(await new Promise(resolve => child.on('close', resolve))).toBe(3)
    expect(stderr).toContain('Cannot write the records: EFBIG')
    expect(await checkouts.coordinate(redis, '--resume').ended).toBe(1)
    expect(checkouts.results()).toHaveLength(20)
    // Only attempts that were running when it stopped are run again.
    expect(server.calls.length - before).toBeLessThanOrEqual(20 + 3)
    expect(await redis.keys()).toEqual([])
  })

  it('keeps results that Redis rejects, and sends them again', async () => {
    more = 'x'.repeat(2_000_000)
    const before = server.calls.length
    const worker = checkouts.work(redis, { args: ['--workers', '2', ...PATIENT] })
    await worker.prints(/is waiting for jobs/)
    await redis.ask(client => client.config('SET', 'maxmemory', '5mb'))
    const run = checkouts.coordinate(redis)
    await worker.prints(/Redis rejected a result, which is kept and sent again: OOM/)
    await redis.ask(client => client.config('SET', 'maxmemory', '0'))
    expect(await run.ended).toBe(1)
    expect(checkouts.results()).toHaveLength(20)
    expect(server.calls.length - before).toBe(20)
  })

  it('keeps a worker with `--once` running when Redis loses its data', async () => {
    answerMs = 200
    const worker = checkouts.work(redis, { args: ['--once', '--workers', '2'] })
    const run = checkouts.coordinate(redis)
    await until(() => checkouts.results().length > 4)
    await redis.ask(client => client.flushall())
    expect(await run.ended).toBe(1)
    expect(await worker.ended).toBe(0)
    expect(checkouts.results()).toHaveLength(20)
  })

  it('tells a finishing worker that the run is over', async () => {
    answerMs = 60_000
    const before = server.calls.length
    const worker = checkouts.work(redis, { args: ['--workers', '2'] })
    const run = checkouts.coordinate(redis)
    await until(() => server.calls.length === before + 2)
    worker.child.kill('SIGINT')
    await worker.prints(/Finishing running attempts/)
    expect(await run.kill('SIGINT')).toBe(130)
    expect(await worker.ended).toBe(130)
    expect(server.calls.length).toBe(before + 2)
    expect(await redis.keys()).toEqual([])
  })

  it('ends a run without waiting for other runs', async () => {
    answerMs = 60_000
    const before = server.calls.length
    const worker = checkouts.work(redis, { args: ['--workers', '1'] })
    const first = checkouts.coordinate(redis, '--runs-dir', '.assay/one')
    await until(() => server.calls.length === before + 1)
    const second = checkouts.coordinate(redis, '--runs-dir', '.assay/two')
    await until(() => (worker.stderr.match(/Working on/g) ?? []).length === 2)
    await sleep(500)
    expect(await second.kill('SIGINT')).toBe(130)
    await until(() => (worker.stderr.match(/is over/g) ?? []).length === 1)
    expect(await first.kill('SIGINT')).toBe(130)
    await until(() => (worker.stderr.match(/is over/g) ?? []).length === 2)
    expect(server.calls.length).toBe(before + 1)
  })

  it('leaves jobs for other workers if a worker has no free slot', async () => {
    // Longer than the second worker takes to start on a busy machine.
    answerMs = 5000
    checkouts = twoTargets(1)
    const first = checkouts.work(redis, { args: ['--name', 'first', '--workers', '1'] })
    const before = server.calls.length
    const run = checkouts.coordinate(redis)
    await until(() => server.calls.length === before + 1)
    const second = checkouts.work(redis, { args: ['--name', 'second', '--workers', '1'] })
    expect(await run.ended).toBe(0)
    expect(
      checkouts
        .results()
        .map(({ worker }) => worker)
        .sort(),
    ).toEqual(['first', 'second'])
    expect([first, second].map(({ child }) => child.exitCode)).toEqual([null, null])
  })

  it('discards waiting results of an earlier run in a rerun', async () => {
    await assay(['eval', '--test-id', 't4'], { cwd: checkouts.folder })
    const [failed] = checkouts.results()
    expect(failed?.verdict).toBe('fail')
    const run = String(failed?.['run_id'])
    const attempt_id = String(failed?.['attempt_id'])
    const data = { type: 'result', worker: 'late', attempt_id, result: failed, spent_usd: 0, uncounted: 0 }
    await redis.ask(client => client.sadd(`assay:${run}:delivered`, attempt_id))
    await redis.ask(client => sendMail(client, run, data))
    checkouts.work(redis, { args: ['--name', 'new'] })
    expect(await checkouts.coordinate(redis, '--rerun-failed').ended).toBe(1)
    expect(checkouts.results().map(({ worker }) => worker)).toEqual([undefined, 'new'])
  })

  it('records a result only once if it arrives again', async () => {
    answerMs = 400
    checkouts.work(redis, { args: ['--workers', '1'] })
    const run = checkouts.coordinate(redis, '--test-id', 't0', '--test-id', 't1', '--test-id', 't2')
    await until(() => checkouts.results().length === 1)
    const [first] = checkouts.results()
    const attempt_id = String(first?.['attempt_id'])
    const data = { type: 'result', worker: 'late', attempt_id, result: first, spent_usd: 0, uncounted: 0 }
    for (let again = 0; again < 3; again++) await redis.ask(client => sendMail(client, String(first?.['run_id']), data))
    expect(await run.ended).toBe(0)
    expect(
      checkouts
        .results()
        .map(({ test_id }) => test_id)
        .sort(),
    ).toEqual(['t0', 't1', 't2'])
  })

  it('leaves an attempt for other workers if the judge differs', async () => {
    const judge = (score: number) => ({ name: 'judge', provider: 'mock', response: JSON.stringify({ score }) })
    const targets = (score: number) =>
      JSON.stringify({ targets: [{ name: 'default', provider: 'mock', response: 'hi' }, judge(score)] })
    const check = { type: 'llm_judge', prompt: 'Is it kind? {{answer}}' }
    const suite = { name: 'judged', tests: [{ id: 'a', criteria: 'kind', input: 'hi', assert: [check] }] }
    checkouts = new Checkouts({ 'EVAL.yaml': JSON.stringify(suite), 'targets.yaml': targets(1) })
    const cwd = checkouts.copy()
    writeFileSync(join(cwd, 'targets.yaml'), targets(0))
    const other = checkouts.work(redis, { cwd, args: ['--name', 'other'] })
    const run = checkouts.coordinate(redis)
    await run.prints(/other skips attempts and leaves them for other workers: .*EVAL.yaml has a different judge/)
    checkouts.work(redis, { args: ['--name', 'same'] })
    expect(await run.ended).toBe(0)
    expect(checkouts.results()).toMatchObject([{ worker: 'same', score: 1 }])
    expect(other.child.exitCode).toBeNull()
  })

  it('replays recorded answers on the coordinator', async () => {
    const again = { name: 'again', provider: 'replay', from: 'latest', target: 'default' }
    const targets = JSON.parse(httpTarget(server.url)).targets
    writeFileSync(join(checkouts.folder, '.assay/targets.yaml'), JSON.stringify({ targets: [...targets, again] }))
    await assay(['eval', '--test-id', 't0'], { cwd: checkouts.folder })
    const args = ['--test-id', 't0', '--target', 'again']
    expect(await checkouts.coordinate(redis, ...args).ended).toBe(0)
  })

  it('stops a worker that has lost its lease, and leaves no key without expiry', async () => {
    answerMs = 1500
    const tests = [0, 1, 2].map(turn => ({
      id: `z${turn}`,
      conversation_id: 'z',
      criteria: 'Says it',
      input: `turn ${turn}`,
      assert: [{ type: 'contains', value: 'turn' }],
    }))
    checkouts = new Checkouts({
      'EVAL.yaml': JSON.stringify({ name: 'z', tests }),
      '.assay/targets.yaml': httpTarget(server.url),
    })
    const before = server.calls.length
    const stopped = checkouts.work(redis, { args: ['--name', 'stopped', '--workers', '1'] })
    const run = checkouts.coordinate(redis)
    await until(() => server.calls.length === before + 1)
    stopped.child.kill('SIGSTOP')
    checkouts.work(redis, { args: ['--name', 'other', '--workers', '1'] })
    await until(() => server.calls.length === before + 2)
    stopped.child.kill('SIGCONT')
    expect(await run.ended).toBe(0)
    expect(checkouts.results().map(({ test_id }) => test_id)).toEqual(['z0', 'z1', 'z2'])
    // The first turn is asked twice, the others once.
    expect(server.calls.length - before).toBeLessThanOrEqual(4)
    await stopped.prints(/is over/)
    await until(async () => {
      const left = await redis.ask(async client => Promise.all((await client.keys('*')).map(key => client.pttl(key))))
      return left.every(ms => ms > 0)
    })
  })
})
