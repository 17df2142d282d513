import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { nodeHost } from '../../../src/host/node.ts'
import { resultWith } from '../../support/recorded-run.ts'
import { emptyProject, startView, writeRun } from './view-server.ts'

const RUN = '20261117-090000-aaaa'
const failed = { verdict: 'fail', score: 0 } as const

/** Takes the lock of a run, as the process that makes it does. */
async function lockRun(folder: string): Promise<() => Promise<void>> {
  const lock = await nodeHost().locks.take(join(folder, 'lock'))
  if (!('release' in lock)) throw new Error('the run is locked')
  onTestFinished(lock.release)
  return lock.release
}

function liveRun(project: string) {
  const ids = Array.from({ length: 6 }, (_, index) => `attempt-${index}`)
  const attempts = ids.map((id, index): [number, string] => [index, id])
  const info = { attempts, total: 6, tests: 6, total_tests: 6 }
  const folder = writeRun(project, RUN, [], { info })
  const add = (index: number, more = {}) => {
    const result = resultWith({ run_id: RUN, ...more }, index)
    appendFileSync(join(folder, 'results.jsonl'), `${JSON.stringify(result)}\n`)
  }
  return { folder, add }
}

describe('a run that goes on', () => {
  it('is followed without reading its results again, and its rows keep their index', async () => {
    const project = emptyProject()
    const { folder, add } = liveRun(project)
    const release = await lockRun(folder)
    const host = nodeHost(project)
    const starts: (number | undefined)[] = []
    const readLines = (path: string, from?: number) => {
      starts.push(from)
      return host.files.readLines(path, from)
    }
    const { send } = await startView(project, { ...host, files: { ...host.files, readLines } })
    add(3, failed)
    add(4)
    const first = (await send(`api/runs/${RUN}/live`)).json
    expect(first).toMatchObject({ is_live: true, counts: { pass: 1, fail: 1 }, latest_failures: [{ index: 0 }] })
    const size = readFileSync(join(folder, 'results.jsonl')).length
    add(0, failed)
    appendFileSync(join(folder, 'results.jsonl'), '{"half of a line')
    const second = (await send(`api/runs/${RUN}/live`)).json
    expect(starts).toEqual([0, size])
    expect(second.counts).toEqual({ pass: 1, borderline: 0, fail: 2, error: 0 })
    expect(second.latest_failures).toMatchObject([
      { index: 0, name: 't3 on default' },
      { index: 2, name: 't0 on default' },
    ])
    const page = (await send(`api/runs/${RUN}`)).json
    expect(page.rows.map(([id]: string[]) => id)).toEqual(['t3', 't4', 't0'])
    expect(page.notes).toEqual(['partial run: not finished, 3 of 6 attempts made'])
    expect((await send(`api/runs/${RUN}/tests/2`)).json).toMatchObject([{ test_id: 't0' }])
    expect((await send('api/runs')).json.runs[0]).toMatchObject({
      is_live: true,
      partial: expect.stringMatching(/^not f/),
    })
    expect(starts.slice(1).every(start => start !== undefined && start >= size)).toBe(true)
    await release()
    expect((await send(`api/runs/${RUN}/live`)).json).toMatchObject({ is_live: false })
    const ended = (await send(`api/runs/${RUN}`)).json
    expect(ended.rows.map(([id]: string[]) => id)).toEqual(['t3', 't4', 't0'])
    expect(ended.notes).toContain('1 damaged line left out')
  })

  it('is not live by its files alone, and its status must be one', async () => {
    const project = emptyProject()
    const { folder, add } = liveRun(project)
    add(0)
    const status = {
      updated: 'now',
      total: 6,
      done: 1,
      elapsed_ms: 1,
      cost_usd: 0,
      running: [],
      waiting: [],
      evidence: [],
    }
    writeFileSync(join(folder, 'live.json'), JSON.stringify(status))
    // Of a process that was killed.
    writeFileSync(join(folder, 'lock'), JSON.stringify({ pid: 2 ** 30, host: (await import('node:os')).hostname() }))
    const { send } = await startView(project)
    expect((await send(`api/runs/${RUN}/live`)).json).toMatchObject({ is_live: false })
    expect((await send(`api/runs/${RUN}/live`)).json.status).toBeUndefined()
    expect((await send(`api/runs/${RUN}/stop`, { method: 'POST' })).status).toBe(409)
    await lockRun(folder)
    expect((await send(`api/runs/${RUN}/live`)).json.status).toEqual(status)
    for (const text of ['', '{}', '[]', JSON.stringify({ ...status, done: 'many' }), '{"__proto__":1}']) {
      writeFileSync(join(folder, 'live.json'), text)
      const { status: code, json } = await send(`api/runs/${RUN}/live`)
      expect([code, json.status]).toEqual([200, undefined])
    }
  })

  it('writes a request to stop that only its own process obeys', async () => {
    const project = emptyProject()
    const { folder } = liveRun(project)
    const release = await lockRun(folder)
    const { send } = await startView(project)
    expect((await send(`api/runs/${RUN}/stop`, { method: 'POST' })).status).toBe(202)
    const request = readFileSync(join(folder, 'stop'), 'utf8')
    expect(request).toBe(readFileSync(join(folder, 'lock'), 'utf8'))
    await release()
    await lockRun(folder)
    expect(readFileSync(join(folder, 'lock'), 'utf8')).not.toBe(request)
  })
})
