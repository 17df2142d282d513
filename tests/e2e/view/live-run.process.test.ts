import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sendTo } from '../../operations/view/view-server.ts'
import { folderWith, PROGRAM } from '../../support/program.ts'
import { latestId, recordsOf, runInfoOf } from '../../support/runs.ts'

/** Two tests answer at once; the others hang until there is a file `hurry`. */
const AGENT = `const { existsSync } = require('node:fs')
const wait = () => process.argv[2].startsWith('slow') && !existsSync('hurry') ? setTimeout(wait, 20) : console.log('Hi')
wait()`

function slowProject(): string {
  const ids = ['bad', 'quick', 'slow-1', 'slow-2', 'slow-3']
  const tests = ids.map(id => {
    const value = id === 'bad' ? 'Bye' : 'Hi'
    return { id, criteria: 'Greets', input: 'Hello', assert: [{ type: 'contains', value }] }
  })
  const target = {
    name: 'default',
    provider: 'cli',
    command: 'node agent.cjs {TEST_ID}',
    workers: 4,
  }
  return folderWith({
    '.git/HEAD': 'ref: refs/heads/main\n',
    'EVAL.yaml': JSON.stringify({ name: 'slow', tests }),
    '.assay/targets.yaml': JSON.stringify({ targets: [target] }),
    'agent.cjs': AGENT,
  })
}

interface Started {
  readonly child: ChildProcess
  readonly output: () => string
  readonly ended: Promise<number | null>
}

function start(cwd: string, args: readonly string[]): Started {
  const child = spawn(process.execPath, [PROGRAM, ...args], { cwd })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      output += chunk
    })
  return { child, output: () => output, ended: new Promise(resolve => child.on('close', resolve)) }
}

const eventually = <Value>(value: () => Value | Promise<Value>) => expect.poll(value, { timeout: 60_000, interval: 50 })

async function startView(cwd: string): Promise<URL> {
  const view = start(cwd, ['view', '--no-open'])
  await eventually(view.output).toMatch(/View at http:\S+\n/)
  return new URL(/http:\S+/.exec(view.output())?.[0] ?? '')
}

describe('assay view', () => {
  it('follows a run of another process, stops it, and the run can be resumed to its end', async () => {
    const cwd = slowProject()
    const address = await startView(cwd)
    const get = async (path: string) => (await sendTo(address, path, {})).json
    expect(await get('api/runs')).toEqual({ runs: [], more: 0 })
    const run = start(cwd, ['eval'])
    await eventually(async () => (await get('api/runs')).runs.length).toBe(1)
    const { id } = (await get('api/runs')).runs[0]
    const live = () => get(`api/runs/${id}/live`)
    await eventually(async () => (await live()).status?.done).toBe(2)
    const { status, ...recorded } = await live()
    expect(recorded).toMatchObject({
      is_live: true,
      counts: { pass: 1, fail: 1, borderline: 0, error: 0 },
      latest_failures: [{ name: 'bad on default', verdict: 'fail', reason: expect.stringContaining('Bye') }],
    })
    expect(status).toMatchObject({ total: 5, waiting: [], evidence: [] })
    expect(status.running).toHaveLength(3)
    expect((await get('api/runs')).runs[0]).toMatchObject({
      is_live: true,
      partial: 'not finished, 2 of 5 attempts made',
    })

    const stopped = await sendTo(address, `api/runs/${id}/stop`, { method: 'POST' })
    expect(stopped.status).toBe(202)
    expect(await run.ended).toBe(130)
    expect(run.output()).toContain('Stopping on a request of assay view: finished attempts are kept.')
    expect(run.output()).toContain('Resume with: assay eval --resume')
    expect(runInfoOf(cwd).stopped).toBe('signal')
    expect(recordsOf(cwd)).toHaveLength(2)
    for (const name of ['live.json', 'stop', 'lock']) expect(existsSync(join(cwd, '.assay/runs', id, name))).toBe(false)
    expect(await live()).toMatchObject({ is_live: false, counts: { pass: 1, fail: 1 } })
    expect((await sendTo(address, `api/runs/${id}/stop`, { method: 'POST' })).status).toBe(409)

    // A request that another process was sent.
    writeFileSync(join(cwd, '.assay/runs', id, 'stop'), JSON.stringify({ pid: run.child.pid, host: 'x', nonce: 1 }))
    const resumed = start(cwd, ['eval', '--resume'])
    await eventually(async () => (await live()).status?.elapsed_ms ?? 0).toBeGreaterThan(1100)
    writeFileSync(join(cwd, 'hurry'), '')
    expect(await resumed.ended).toBe(1)
    expect(await live()).toMatchObject({ is_live: false, counts: { pass: 4, fail: 1 } })
    const page = await get(`api/runs/${id}`)
    expect(page.notes).toEqual([])
    expect(page.rows).toHaveLength(5)
  })

  it('ends a run by kill -9 that is then not live, with a status file left', async () => {
    const cwd = slowProject()
    const address = await startView(cwd)
    const run = start(cwd, ['eval'])
    await eventually(() => existsSync(join(cwd, '.assay/runs/latest'))).toBe(true)
    const id = latestId(cwd)
    const live = async () => (await sendTo(address, `api/runs/${id}/live`, {})).json
    await eventually(async () => (await live()).status?.done).toBe(2)
    run.child.kill('SIGKILL')
    await run.ended
    expect(existsSync(join(cwd, '.assay/runs', id, 'live.json'))).toBe(true)
    const ended = await live()
    expect([ended.is_live, ended.status]).toEqual([false, undefined])
    expect((await sendTo(address, `api/runs/${id}/stop`, { method: 'POST' })).status).toBe(409)
    writeFileSync(join(cwd, 'hurry'), '')
    expect(await start(cwd, ['eval', '--resume']).ended).toBe(1)
    expect(existsSync(join(cwd, '.assay/runs', id, 'live.json'))).toBe(false)
  })
})
