import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { describeWithRedis, TestRedis } from '../../support/external/redis.ts'
import { assay } from '../../support/in-process.ts'
import { assay as builtAssay, folderWith, PROGRAM, run } from '../../support/program.ts'
import { type Server, serve } from '../../support/servers/server.ts'
import { Checkouts, endStarted, httpTarget, numbers } from './queued-run.ts'

let redis: TestRedis
let server: Server

afterEach(endStarted)

beforeAll(async () => {
  server = await serve(({ body }, response) => {
    const cost = { text: `You said: ${JSON.parse(body).prompt}`, cost: 0.5 }
    response.end(JSON.stringify(cost))
  })
})

afterAll(() => server?.close())

function checkoutsOf(count: number, target: object = {}, suite: object = {}): Checkouts {
  return new Checkouts({ 'EVAL.yaml': numbers(count, suite), '.assay/targets.yaml': httpTarget(server.url, target) })
}

const COUNTED = { response: { text: 'text', cost_usd: 'cost' }, workers: 1 }

describeWithRedis('with a queue', () => {
  beforeAll(async () => {
    redis = await TestRedis.start()
  })

  afterEach(() => redis.ask(client => client.flushall()))

  afterAll(() => redis?.end())

  it('`assay queue` shows jobs and workers', async () => {
    const checkouts = checkoutsOf(3)
    const cwd = checkouts.folder
    const empty = await assay(['queue', '--queue', redis.url], { cwd })
    expect([empty.code, empty.stdout]).toEqual([0, 'No runs.\nNo workers.\n'])
    const other = checkouts.copy()
    writeFileSync(join(other, 'EVAL.yaml'), numbers(2))
    const coordinator = checkouts.coordinate(redis)
    const worker = checkouts.work(redis, { cwd: other, args: ['--name', 'bee'] })
    await worker.prints(/Skipped; left for other workers/)
    // The coordinator may have yet to read a message.
    const shown = async () => (await assay(['queue'], { cwd, env: { ASSAY_QUEUE: redis.url } })).stdout
    await expect
      .poll(shown, { timeout: 60_000 })
      .toMatch(/^2026\S+\n {2}default: [23] waiting, [01] running, 0 failed\n1 worker: bee\n$/)
    const json = await assay(['queue', '--queue', redis.url, '--json'], { cwd })
    expect(JSON.parse(json.stdout)).toMatchObject({ targets: [{ target: 'default' }], workers: ['bee'] })
    await coordinator.kill('SIGINT')
  })

  it('a worker with `--once` ends when the queues are empty, or when no run appears', async () => {
    const checkouts = checkoutsOf(6)
    const worker = checkouts.work(redis, { args: ['--once', '--name', 'once'] })
    await worker.prints(/is waiting for jobs/)
    expect((await checkouts.coordinated(redis)).code).toBe(1)
    expect(await worker.ended).toBe(0)
    const explained = await assay(['explain', 'latest', 't0'], { cwd: checkouts.folder })
    expect(explained.stdout).toMatch(/^worker: once$/m)
    const idle = checkouts.work(redis, { args: ['--once', '--wait', '4'] })
    expect(await idle.ended).toBe(0)
    expect(idle.stderr).not.toContain('Warning')
  })

  it('a worker with `--once` exits with 3 if it can run none of the remaining jobs', async () => {
    const checkouts = checkoutsOf(2)
    const cwd = checkouts.copy()
    writeFileSync(join(cwd, 'EVAL.yaml'), numbers(3, { name: 'other' }))
    const coordinator = checkouts.coordinate(redis)
    const worker = checkouts.work(redis, { cwd, args: ['--once'] })
    expect(await worker.ended).toBe(3)
    expect(worker.stderr).toContain('The remaining attempts cannot be run on this machine.')
    await coordinator.prints(/Waiting for a worker/)
    expect(await coordinator.kill('SIGTERM')).toBe(143)
    expect(await redis.keys()).toEqual([])
  })

  it('the first failure stops a run with `--fail-fast`', async () => {
    const checkouts = checkoutsOf(40, { workers: 1 })
    checkouts.work(redis)
    const coordinator = await checkouts.coordinated(redis, '--fail-fast')
    expect(coordinator.code).toBe(1)
    const made = checkouts.results().length
    expect(made).toBeGreaterThanOrEqual(5)
    expect(made).toBeLessThan(40)
    expect(coordinator.stderr).toContain('Resume with: assay eval --resume=')
    expect(await redis.keys()).toEqual([])
  })

  it('a budget ends the run, and a budget of a suite only its tests', async () => {
    const spent = checkoutsOf(40, COUNTED)
    spent.work(redis, { args: ['--name', 'a'] })
    const coordinator = await spent.coordinated(redis, '--max-cost', '2')
    expect(coordinator.code).toBe(3)
    expect(coordinator.stderr).toContain('The budget is spent.')
    expect(spent.results().length).toBeLessThan(40)
    const two = new Checkouts({
      'a.eval.yaml': numbers(40, { name: 'rich' }),
      'b.eval.yaml': numbers(40, { name: 'poor', execution: { budget_usd: 1 } }),
      '.assay/targets.yaml': httpTarget(server.url, COUNTED),
    })
    two.work(redis, { args: ['--name', 'b'] })
    expect((await two.coordinated(redis, 'b.eval.yaml', 'a.eval.yaml')).code).toBe(3)
    const suites = two.results().map(({ suite }) => suite)
    expect(suites.filter(suite => suite === 'rich')).toHaveLength(40)
    expect(suites.filter(suite => suite === 'poor').length).toBeLessThan(40)
  })

  it('an answer without a grade is graded without a worker', async () => {
    const checkouts = checkoutsOf(3)
    const { folder } = checkouts
    await assay(['eval'], { cwd: folder })
    const asked = server.calls.length
    const file = join(checkouts.run(), 'results.jsonl')
    const lines = readFileSync(file, 'utf8').split('\n')
    truncateSync(file, lines.slice(0, 2).join('\n').length + 1)
    const again = await assay(['eval', '--resume', '--queue', redis.url], { cwd: folder })
    expect(again.code).toBe(0)
    expect(checkouts.results()).toHaveLength(3)
    expect(server.calls.length).toBe(asked)
  })

  it('equal tests in suites of the same name are distinguished', async () => {
    const checkouts = new Checkouts({
      'a.eval.yaml': numbers(3),
      'b.eval.yaml': numbers(3),
      '.assay/targets.yaml': httpTarget(server.url),
    })
    checkouts.work(redis)
    expect((await checkouts.coordinated(redis, '--trials', '2')).code).toBe(0)
    expect(new Set(checkouts.results().map(({ attempt_id }) => attempt_id)).size).toBe(12)
  })

  describe('reports', () => {
    const cases: [string, string[], RegExp][] = [
      [
        'an unreachable Redis',
        ['--queue', 'redis://127.0.0.1:1'],
        /^Cannot reach Redis at 127.0.0.1:1: .*ECONNREFUSED/,
      ],
      [
        'an unknown host',
        ['--queue', 'redis://no-such-host.invalid'],
        /^Cannot reach Redis at no-such-host.invalid:6379: /,
      ],
      ['a host instead of a URL', ['--queue', 'localhost:6379'], /^The queue must be a URL such as redis:/],
      ['an http URL', ['--queue', 'http://127.0.0.1:6379'], /^The queue must be a URL such as redis:/],
      ['no value', ['--queue'], /^No queue given.\nName one with `--queue redis:/],
      [
        'an unset variable',
        ['--queue', '${{ NO_SUCH }}'],
        /^The variable NO_SUCH, in the URL of the queue, is not set/,
      ],
    ]
    for (const command of ['eval', 'worker', 'queue']) {
      it.each(cases)(`${command} with %s`, async (_, args, expected) => {
        const { code, stderr } = await assay([command, ...args], { cwd: checkoutsOf(1).folder })
        expect(stderr).toMatch(expected)
        expect(code).toBe(2)
      })
    }

    it('eval with --workers', async () => {
      const { code, stderr } = await assay(['eval', '--queue', redis.url, '--workers', '3'], {
        cwd: checkoutsOf(1).folder,
      })
      expect(stderr).toContain("option '--queue [url]' cannot be used with option '--workers <n>'")
      expect(code).toBe(2)
    })

    it('eval of a suite outside the repository', async () => {
      const outside = folderWith({ 'EVAL.yaml': numbers(1), 'targets.yaml': httpTarget(server.url) })
      const { code, stderr } = await assay(['eval', outside, '--queue', redis.url], { cwd: checkoutsOf(1).folder })
      expect(stderr).toMatch(/is outside the repository .*: workers cannot find it/)
      expect(code).toBe(2)
    })

    it('a worker name that Redis rejects', async () => {
      const { code, stderr } = await assay(['worker', '--name', 'a b'], { cwd: checkoutsOf(1).folder })
      expect(stderr).toContain('It must be letters, digits')
      expect(code).toBe(2)
    })

    it('a missing BullMQ', async () => {
      const home = folderWith()
      const dist = dirname(PROGRAM)
      mkdirSync(join(home, 'node_modules/assay'), { recursive: true })
      execFileSync('cp', ['-r', dist, join(dist, '../package.json'), join(home, 'node_modules/assay')])
      const { dependencies } = JSON.parse(readFileSync(join(dist, '../package.json'), 'utf8'))
      for (const name of Object.keys(dependencies)) {
        mkdirSync(dirname(join(home, 'node_modules', name)), { recursive: true })
        symlinkSync(join(dist, '../node_modules', name), join(home, 'node_modules', name))
      }
      const program = join(home, 'node_modules/assay/dist/assay.cjs')
      const { code, stderr } = await run(process.execPath, [program, 'queue', '--queue', redis.url], { cwd: home })
      expect(stderr).toBe(
        'A queue needs BullMQ, which is not installed.\nInstall it where Assay is installed: npm install bullmq ioredis\n',
      )
      expect(code).toBe(2)
    })
  })
})

describeWithRedis('a Redis with a password', () => {
  it('can be named by ASSAY_QUEUE or a variable; the password is never printed or passed to a target', async () => {
    const secret = 'hush/hush&hush'
    const own = await TestRedis.start('--requirepass', secret)
    try {
      const url = own.url.replace('//', `//:${encodeURIComponent(secret)}@`)
      const target = {
        name: 'default',
        provider: 'cli',
        command: [process.execPath, '-e', 'process.stdout.write(JSON.stringify(process.env) + " 0")'],
      }
      const checkouts = new Checkouts({
        'EVAL.yaml': numbers(1),
        'targets.yaml': JSON.stringify({ targets: [target] }),
      })
      const wrong = await builtAssay(['queue'], {
        cwd: checkouts.folder,
        env: { ASSAY_QUEUE: own.url.replace('//', '//:wrong@') },
      })
      expect(wrong.stderr).toMatch(/^Cannot reach Redis at 127.0.0.1:\d+: .*WRONGPASS/)
      expect(wrong.stderr).not.toContain('wrong@')
      const cwd = checkouts.copy()
      const worker = checkouts.work(own, { cwd, env: { ASSAY_QUEUE: url }, args: ['--once', '--queue'] })
      const args = ['eval', '-v', '--queue', '${{ MY_REDIS }}']
      const made = await builtAssay(args, { cwd: checkouts.folder, env: { MY_REDIS: url } })
      expect(made.code).toBe(0)
      await worker.ended
      expect(existsSync(join(cwd, '.assay/runs'))).toBe(false)
      const alone = await builtAssay(['eval', '-v'], { cwd: checkouts.folder, env: { ASSAY_QUEUE: url } })
      expect(alone.stdout + alone.stderr).toContain('PATH')
      expect(alone.stdout + alone.stderr).not.toContain('ASSAY_QUEUE')
      const records = ['results.jsonl', 'answers.jsonl', 'run.json'].map(name =>
        readFileSync(join(checkouts.run(), name), 'utf8'),
      )
      expect(records[0]).toContain('PATH')
      const seen = [made.stdout, made.stderr, worker.stdout, worker.stderr, ...records].join('\n')
      for (const form of [secret, encodeURIComponent(secret), 'ASSAY_QUEUE']) expect(seen).not.toContain(form)
    } finally {
      await own.end()
    }
  })

  it('is reached over TLS', async () => {
    const folder = folderWith()
    const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2']
    const files = ['-keyout', 'key.pem', '-out', 'cert.pem']
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...files, ...subject], {
      cwd: folder,
      stdio: 'ignore',
    })
    const cert = join(folder, 'cert.pem')
    const own = await TestRedis.startTls(cert, join(folder, 'key.pem'))
    try {
      const cwd = folderWith()
      const trusted = await builtAssay(['queue', '--queue', own.url], { cwd, env: { NODE_EXTRA_CA_CERTS: cert } })
      expect([trusted.code, trusted.stdout]).toEqual([0, 'No runs.\nNo workers.\n'])
      const untrusted = await builtAssay(['queue', '--queue', own.url], { cwd })
      expect([untrusted.code, untrusted.stderr]).toEqual([2, expect.stringMatching(/self.signed certificate/)])
    } finally {
      await own.end()
    }
  })
})
