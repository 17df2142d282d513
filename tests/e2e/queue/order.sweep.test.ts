import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { describeWithRedis, TestRedis } from '../../support/external/redis.ts'
import { folderWith } from '../../support/program.ts'
import { type Server, serve } from '../../support/servers/server.ts'
import { Checkouts, endStarted, httpTarget, numbers, PATIENT, until } from './queued-run.ts'

let server: Server
let redis: TestRedis
let answerMs = 50

afterEach(async () => {
  answerMs = 50
  await endStarted()
})

/** A suite of conversations, each of several turns. */
function conversations(count: number, turns: number): string {
  const tests = Array.from({ length: count * turns }, (_, index) => ({
    id: `c${index % count}-${Math.floor(index / count)}`,
    conversation_id: `c${index % count}`,
    criteria: 'Says it',
    input: `turn c${index % count}-${Math.floor(index / count)}.`,
    assert: [{ type: 'contains', value: 'turn' }],
  }))
  return JSON.stringify({ name: 'conversations', tests })
}

/** A suite whose agents run for a minute, and write their process ids to a folder. */
function sleepingAgents(pids: string) {
  const program = `import { writeFileSync } from 'node:fs'
import { spawn } from 'node:child_process'
const child = spawn('sleep', ['600'])
for (const pid of [process.pid, child.pid]) writeFileSync(${JSON.stringify(pids)} + '/' + pid, '')
setTimeout(() => {}, 600000)
process.on('SIGTERM', () => setTimeout(() => process.exit(), 40 * (process.pid % 8)))`
  const target = { name: 'default', provider: 'cli', command: [process.execPath, 'agent.mjs'] }
  return new Checkouts({
    'EVAL.yaml': numbers(6),
    'agent.mjs': program,
    'targets.yaml': JSON.stringify({ targets: [target] }),
  })
}

/** The process ids in the folder that are still running. */
function runningIn(pids: string): string[] {
  return readdirSync(pids).filter(pid => existsSync(`/proc/${pid}`) && !isZombie(pid))
}

function isZombie(pid: string): boolean {
  return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
}

describeWithRedis('a queue', () => {
  beforeAll(async () => {
    redis = await TestRedis.start()
    server = await serve(async ({ body }, response) => {
      await sleep(answerMs)
      response.end(JSON.stringify({ text: `You said ${/(\d+|turn)/.exec(JSON.parse(body).prompt)?.[0]}` }))
    })
  })

  afterAll(async () => {
    await server?.close()
    await redis?.end()
  })

  afterEach(() => redis.ask(client => client.flushall()))

  it('keeps a conversation in order and on one worker, even after that worker is killed', async () => {
    const checkouts = new Checkouts({
      'EVAL.yaml': conversations(6, 5),
      '.assay/targets.yaml': httpTarget(server.url),
    })
    const before = server.calls.length
    const workers = ['w0', 'w1', 'w2'].map(name => checkouts.work(redis, { args: ['--name', name, '--workers', '2'] }))
    for (const worker of workers) await worker.prints(/is waiting for jobs/)
    const run = checkouts.coordinate(redis)
    await until(() => checkouts.results().filter(({ worker }) => worker === 'w0').length > 2)
    await workers[0]?.kill()
    expect(await run.ended).toBe(0)
    const results = checkouts.results()
    expect(results).toHaveLength(30)
    for (let at = 0; at < 6; at++) {
      const made = results.filter(({ test_id }) => test_id.startsWith(`c${at}-`))
      expect(made.map(({ test_id }) => test_id)).toEqual([0, 1, 2, 3, 4].map(turn => `c${at}-${turn}`))
      const madeBy = made.map(({ worker }) => worker)
      // A killed worker is replaced by one other worker.
      const changes = madeBy.filter((worker, index) => index > 0 && worker !== madeBy[index - 1])
      expect(madeBy[0] === 'w0' ? changes.length : 0).toBeLessThanOrEqual(1)
      if (madeBy[0] !== 'w0') expect(new Set(madeBy).size).toBe(1)
    }
    // Delivered turns are not repeated.
    expect(server.calls.length - before).toBeLessThanOrEqual(30 + 2)
  })

  it('stops all attempts when the coordinator is interrupted, without waiting for their agents', async () => {
    const pids = folderWith()
    const checkouts = sleepingAgents(pids)
    const workers = [0, 1].map(at => checkouts.work(redis, { args: ['--name', `w${at}`, '--workers', '2'] }))
    const run = checkouts.coordinate(redis)
    await until(() => runningIn(pids).length === 8)
    // Looking for the keys of a run takes longer among many others, and workers may return jobs meanwhile.
    // In parts: a Redis that is busy with one script for 5 seconds rejects the commands of workers.
    const add = "for at = 1, 10000 do redis.call('SET', KEYS[1] .. at, '') end"
    await redis.ask(async client => {
      for (let part = 0; part < 50; part++) await client.eval(add, 1, `other-${part}-`)
    })
    run.child.kill('SIGINT')
    await until(() => runningIn(pids).length === 0 && workers.every(({ stderr }) => / is over/.test(stderr)))
    expect(await run.ended).toBe(130)
    expect(run.stderr).toMatch(/Resume with: assay eval --resume=\S+ --queue redis:/)
    expect(await redis.ask(client => client.keys('assay:*'))).toEqual([])
    expect(workers.map(({ child }) => child.exitCode)).toEqual([null, null])
  })

  it('requeues the jobs of a worker that is interrupted twice', async () => {
    const pids = folderWith()
    const checkouts = sleepingAgents(pids)
    const worker = checkouts.work(redis, { args: ['--workers', '2'] })
    const run = checkouts.coordinate(redis, '--test-id', 't0', '--test-id', 't1')
    await until(() => runningIn(pids).length === 4)
    worker.child.kill('SIGINT')
    await worker.prints(/Finishing running attempts/)
    await sleep(300)
    expect(runningIn(pids)).toHaveLength(4)
    worker.child.kill('SIGINT')
    expect(await worker.ended).toBe(130)
    expect(runningIn(pids)).toEqual([])
    const counts = await redis.ask(async client => {
      const lists = (await client.keys('*:wait')).filter(key => key.includes(':target-'))
      return Promise.all(lists.map(key => client.llen(key)))
    })
    expect(counts).toEqual([2])
    expect(await run.kill('SIGTERM')).toBe(143)
    expect(await redis.keys()).toEqual([])
  })

  it('waits for the jobs of a worker that is interrupted once', async () => {
    answerMs = 500
    const checkouts = new Checkouts({ 'EVAL.yaml': numbers(4), '.assay/targets.yaml': httpTarget(server.url) })
    const worker = checkouts.work(redis, { args: ['--workers', '2', '--name', 'first', ...PATIENT] })
    const run = checkouts.coordinate(redis)
    const before = server.calls.length
    await until(() => server.calls.length === before + 2)
    worker.child.kill('SIGINT')
    expect(await worker.ended).toBe(130)
    await until(() => checkouts.results().length === 2)
    checkouts.work(redis, { args: ['--workers', '2', '--name', 'second', ...PATIENT] })
    await run.ended
    expect(
      checkouts
        .results()
        .map(({ worker }) => worker)
        .sort(),
    ).toEqual(['first', 'first', 'second', 'second'])
    expect(server.calls.length - before).toBe(4)
  })

  it('contains no prompts or secrets during a run, and nothing after it', async () => {
    answerMs = 200
    const key = 'a-very-secret-key'
    const headers = { authorization: '${{ THE_KEY }}' }
    const checkouts = new Checkouts({
      'EVAL.yaml': numbers(20),
      '.env': `THE_KEY=${key}\n`,
      '.assay/targets.yaml': httpTarget(server.url, { headers }),
    })
    checkouts.work(redis, { args: ['--workers', '2'] })
    const run = checkouts.coordinate(redis)
    const dumps: string[] = []
    const dumpUntil = async (isEnough: () => boolean) => {
      while (!isEnough()) {
        dumps.push(await redis.dump())
        await sleep(20)
      }
    }
    await dumpUntil(() => dumps.filter(dump => dump.includes('t19')).length > 5)
    // Results wait while the coordinator does not read them.
    run.child.kill('SIGSTOP')
    await dumpUntil(() => dumps.at(-1)?.includes('You said') === true)
    run.child.kill('SIGCONT')
    await dumpUntil(() => run.child.exitCode !== null)
    for (const dump of dumps) {
      expect(dump).not.toContain('my secret prompt')
      expect(dump).not.toContain(key)
    }
    expect(await redis.dump()).toBe('')
  })
})
