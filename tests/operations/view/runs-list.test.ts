import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeHost } from '../../../src/host/node.ts'
import { emptyProject, startView, writeRun } from './view-server.ts'

const failed = { verdict: 'fail', score: 0 } as const

describe('the list of runs', () => {
  it('is empty in a folder without runs', async () => {
    const project = emptyProject()
    const { send } = await startView(project)
    expect((await send('api/runs')).json).toEqual({ runs: [], more: 0 })
    expect((await send('api/project')).json).toMatchObject({
      name: basename(project),
      assay_version: expect.stringMatching(/^\d/),
    })
  })

  it('has figures for each target, never pooled, and marks parts of runs', async () => {
    const project = emptyProject()
    writeRun(project, '20261117-090000-aaaa', [{ target: 'a' }, { target: 'b', test_id: 't0', ...failed }], {
      info: { label: 'nightly', git_commit: 'c0ffee', git_branch: 'main', command: ['assay', 'eval'] },
    })
    writeRun(project, '20261117-100000-bbbb', [{}], { missing: 3 })
    const { send } = await startView(project)
    const { runs, more } = (await send('api/runs')).json
    expect(more).toBe(0)
    expect(runs.map(({ id }: { id: string }) => id)).toEqual(['20261117-100000-bbbb', '20261117-090000-aaaa'])
    expect(runs[0]).toMatchObject({ is_live: false, partial: 'not finished, 1 of 4 attempts made' })
    expect(runs[1]).toMatchObject({
      facts: { label: 'nightly', commit: 'c0ffee', branch: 'main', is_dirty: false, command: 'assay eval' },
      targets: [
        { name: 'a', tests: 1, pass_rate: { rate: 1 } },
        { name: 'b', tests: 1, pass_rate: { rate: 0 } },
      ],
    })
    expect(runs[1].partial).toBeUndefined()
    expect(runs[1].baseline).toBeUndefined()
  })

  it('names what is damaged, and shows the rest', async () => {
    const project = emptyProject()
    writeRun(project, '20261117-090000-aaaa', [{}], {
      more: `{"half":\n${'x'.repeat(3_000_000)}\n${'['.repeat(9000)}\n`,
    })
    writeFileSync(join(writeRun(project, '20261117-100000-bbbb', [{}]), 'run.json'), '{"schema_version":')
    writeFileSync(join(writeRun(project, '20261117-110000-cccc', [{}]), 'results.jsonl'), 'not a record\n')
    rmSync(join(writeRun(project, '20261117-120000-dddd', [{}]), 'results.jsonl'))
    const { send } = await startView(project)
    const { runs } = (await send('api/runs')).json
    const said = runs.map((run: { problem?: string; partial?: string }) => run.problem ?? run.partial)
    expect(said).toEqual([
      'not finished, 0 of 1 attempts made',
      'not finished, 0 of 1 attempts made; 1 damaged line left out',
      'damaged run.json',
      '3 damaged lines left out',
    ])
    const page = await send('api/runs/20261117-090000-aaaa')
    expect(page.json.notes).toEqual(['3 damaged lines left out'])
    expect(page.json.rows).toHaveLength(1)
    const broken = await send('api/runs/20261117-100000-bbbb')
    expect([broken.status, broken.json.error]).toEqual([422, expect.stringContaining('run.json is damaged.')])
    expect((await send('api/project')).status).toBe(200)
  })

  it('reads a run once, and again when one of its files has changed', async () => {
    const project = emptyProject()
    for (let n = 0; n < 60; n++) writeRun(project, `20261117-0900${String(n).padStart(2, '0')}-aaaa`, [{}])
    const host = nodeHost(project)
    const read: string[] = []
    const readLines = (path: string, from?: number) => {
      read.push(path)
      return host.files.readLines(path, from)
    }
    const { send } = await startView(project, { ...host, files: { ...host.files, readLines } })
    const first = (await send('api/runs')).json
    expect(first.runs).toHaveLength(60)
    expect(first.runs.filter(({ is_unread }: { is_unread?: true }) => is_unread)).toHaveLength(10)
    expect(read).toHaveLength(50)
    const second = (await send('api/runs')).json
    expect(second.runs.every(({ targets }: { targets: unknown[] }) => targets.length === 1)).toBe(true)
    expect(read).toHaveLength(60)
    const changed = join(project, '.assay/runs/20261117-090030-aaaa/results.jsonl')
    appendFileSync(changed, 'damaged\n')
    const third = (await send('api/runs')).json
    expect(read.slice(60)).toEqual([changed])
    expect(third.runs[29]).toMatchObject({ id: '20261117-090030-aaaa', partial: '1 damaged line left out' })
    rmSync(join(project, '.assay/runs/20261117-090030-aaaa'), { recursive: true })
    expect((await send('api/runs')).json.runs).toHaveLength(59)
  })
})
