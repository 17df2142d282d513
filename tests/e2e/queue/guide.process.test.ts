import { spawn } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithRedis, TestRedis } from '../../support/external/redis.ts'
import { folderWith, PROGRAM, run } from '../../support/program.ts'

const ROOT = join(import.meta.dirname, '../../..')
const page = readFileSync(join(ROOT, 'docs/guide/machines.md'), 'utf8')

/** The commands of the page for one machine. */
function commandsOn(machine: string): string[] {
  const blocks = page.matchAll(/<!-- on: (.*?) -->\n\s*```sh\n([\s\S]*?)\n\s*```/g)
  return [...blocks].flatMap(([, on, text = '']) => (on === machine ? text.replace(/^ {3}/gm, '') : []))
}

interface Step {
  readonly run?: string
}

/** The commands of a job of the workflow, without `npm install`, which `.ci/run` executes. */
function workflowCommands(job: string): string[] {
  const text = /```yaml\n([\s\S]*?)\n```/.exec(page)?.[1] ?? ''
  const { jobs } = load(text) as { jobs: Record<string, { steps: Step[] }> }
  return (jobs[job]?.steps ?? []).flatMap(({ run }) => run ?? []).filter(command => !command.startsWith('npm install'))
}

/** Simulates a machine: a checkout, and the program on PATH. */
function machine(): { cwd: string; env: NodeJS.ProcessEnv } {
  const cwd = folderWith({ '.git/HEAD': '' })
  cpSync(join(ROOT, 'examples'), join(cwd, 'examples'), { recursive: true })
  const bin = join(cwd, 'node_modules/.bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'assay'), `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`)
  chmodSync(join(bin, 'assay'), 0o755)
  symlinkSync(ROOT, join(cwd, 'node_modules/assay'))
  return { cwd, env: { PATH: `${bin}:${process.env['PATH']}` } }
}

/** The results of the newest run in a folder. */
function resultsIn(cwd: string, runs: string): { worker?: string; verdict: string }[] {
  const latest = readFileSync(join(cwd, runs, 'latest'), 'utf8').trim()
  const lines = readFileSync(join(cwd, runs, latest, 'results.jsonl'), 'utf8')
    .trim()
    .split('\n')
  return lines.map(line => JSON.parse(line))
}

describeWithRedis('docs/guide/machines.md', () => {
  let redis: TestRedis

  beforeAll(async () => {
    redis = await TestRedis.start()
  })

  afterAll(() => redis?.end())

  /** A command of the page, with the Redis of this test. */
  const withRedis = (command: string) => command.replaceAll('127.0.0.1:6390', `127.0.0.1:${redis.port}`)

  it('has a command that starts Redis', async () => {
    const [command = ''] = commandsOn('redis')
    const own = await TestRedis.start()
    const { port } = own
    await own.end()
    const cwd = folderWith()
    const { code } = await run('sh', ['-ec', command.replace('6390', String(port))], { cwd })
    expect(code).toBe(0)
    const ping = `until redis-cli -p ${port} ping; do sleep 0.1; done; redis-cli -p ${port} shutdown`
    const { stdout } = await run('sh', ['-c', ping], { cwd })
    expect(stdout).toContain('PONG')
  })

  it('can be followed on two machines', async () => {
    const [first, second] = [machine(), machine()]
    const [work = ''] = commandsOn('the second machine')
    const [evaluate = '', overview = ''] = commandsOn('the first machine')
    const worker = spawn('sh', ['-ec', withRedis(work)], { cwd: second.cwd, env: { ...process.env, ...second.env } })
    const ended = new Promise(resolve => worker.on('close', resolve))
    const done = await run('sh', ['-ec', withRedis(evaluate)], first)
    expect(done).toMatchObject({ code: 0 })
    expect(await ended).toBe(0)
    const results = resultsIn(first.cwd, '.assay/runs')
    expect(results.length).toBeGreaterThan(0)
    expect(new Set(results.map(({ worker }) => worker))).toEqual(new Set(['second-machine']))
    const shown = await run('sh', ['-ec', withRedis(overview)], first)
    expect([shown.code, shown.stdout]).toEqual([0, 'No runs.\nNo workers.\n'])
  })

  it('has a workflow whose commands work', async () => {
    const suite = {
      name: 'w',
      tests: [{ id: 'a', criteria: 'x', input: 'hi', assert: [{ type: 'contains', value: 'hi' }] }],
    }
    const targets = { targets: [{ name: 'default', provider: 'mock', response: 'hi' }] }
    const machines = [machine(), machine()] as const
    for (const { cwd } of machines) {
      folderWith({ 'evals/EVAL.yaml': JSON.stringify(suite), '.assay/targets.yaml': JSON.stringify(targets) }, cwd)
      await run('rm', ['-rf', 'examples'], { cwd })
    }
    const env = { ASSAY_QUEUE: redis.url }
    const [work, evaluate] = [workflowCommands('workers'), workflowCommands('eval')]
    expect([work.length, evaluate.length]).toEqual([1, 1])
    const [first, second] = machines
    const working = run('sh', ['-ec', work.join('\n')], { cwd: second.cwd, env: { ...second.env, ...env } })
    const done = await run('sh', ['-ec', evaluate.join('\n')], { cwd: first.cwd, env: { ...first.env, ...env } })
    expect(done).toMatchObject({ code: 0 })
    expect(readFileSync(join(first.cwd, 'report.html'), 'utf8')).toContain('<html')
    expect(await working).toMatchObject({ code: 0 })
  })
})
