import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'
import { EACH_VERDICT, latestId, runIds, suiteFolder } from '../../support/runs.ts'
import { backdate, holdLock } from './run-folders.ts'

/** A folder with runs of these ages in days, oldest first, and their ids. */
async function withRuns(...days: number[]): Promise<{ cwd: string; ids: string[] }> {
  const cwd = suiteFolder(EACH_VERDICT)
  const ids: string[] = []
  for (const age of days) {
    await assay(['eval', '--test-id', 'good', '--label', `age ${age}`], { cwd })
    ids.push(latestId(cwd))
    backdate(cwd, latestId(cwd), age)
  }
  return { cwd, ids }
}

const runs = (cwd: string, ...args: string[]) => assay(['runs', ...args], { cwd })

describe('assay runs rm', () => {
  it('removes named runs and prints the space', async () => {
    const { cwd, ids } = await withRuns(2, 1, 0)
    const [first = '', second = '', third = ''] = ids
    const { code, stdout } = await runs(cwd, 'rm', first, `.assay/runs/${second}`, first)
    expect(code).toBe(0)
    expect(stdout).toMatch(
      new RegExp(`^removed ${first} \\(.+ kB\\)\nremoved ${second} .*\n2 runs in .assay/runs, .+ kB freed\n$`),
    )
    expect(runIds(cwd)).toEqual([third])
  })

  it('makes the newest remaining run the latest', async () => {
    const { cwd, ids } = await withRuns(2, 1, 0)
    await runs(cwd, 'rm', 'latest')
    expect(latestId(cwd)).toBe(ids[1])
    await runs(cwd, 'rm', ids[0] ?? '')
    expect(latestId(cwd)).toBe(ids[1])
    await runs(cwd, 'rm', 'latest')
    expect(readdirSync(join(cwd, '.assay/runs'))).toEqual([])
    expect((await assay(['report', 'latest', '--format', 'text'], { cwd })).code).toBe(2)
  })

  it('removes runs that match all options', async () => {
    const { cwd, ids } = await withRuns(40, 40, 1)
    await runs(cwd, 'rm', '--older-than', '30d', '--label', 'age 40')
    expect(runIds(cwd)).toEqual([ids[2]])
    expect((await runs(cwd, 'rm', '--label', 'other')).stdout).toBe('No runs to remove in .assay/runs.\n')
  })

  it('removes nothing on --dry-run', async () => {
    const { cwd, ids } = await withRuns(1, 0)
    const { stdout } = await runs(cwd, 'rm', ...ids, '--dry-run')
    expect(stdout).toContain(`would remove ${ids[0]}`)
    expect(stdout).toContain('to free\n')
    expect(runIds(cwd)).toEqual([...ids].sort())
  })

  it.each([
    ['neither names nor options', []],
    ['names and options', ['latest', '--label', 'x']],
    ['a name that does not exist', ['latest', 'nope']],
    ['an ambiguous beginning', ['2']],
    ['an empty name', ['']],
    ['the folder of the runs', ['.assay/runs']],
    ['a folder above', ['.']],
    ['a folder outside', ['../../..']],
    ['the file latest', ['.assay/runs/latest']],
  ])('rejects %s, and removes nothing', async (_, args) => {
    const { cwd, ids } = await withRuns(1, 0)
    const { code, stderr } = await runs(cwd, 'rm', ...args)
    expect(code).toBe(2)
    expect(stderr).not.toBe('')
    expect(runIds(cwd)).toEqual([...ids].sort())
  })

  it('removes no link and no folder that is not a run', async () => {
    const { cwd } = await withRuns(0)
    const outside = folderWith({ 'run.json': '{}', 'results.jsonl': '' })
    const folder = join(cwd, '.assay/runs')
    symlinkSync(outside, join(folder, 'link'))
    folderWith({ 'notes/text.txt': '' }, folder)
    mkdirSync(join(folder, 'empty'))
    for (const name of ['link', 'notes', 'empty']) {
      const { code, stderr } = await runs(cwd, 'rm', name)
      expect(code).toBe(2)
      expect(stderr).toContain('Nothing was removed.')
    }
    await runs(cwd, 'prune', '--keep', '1')
    await runs(cwd, 'rm', '--newer-than', '9999w')
    expect(readdirSync(folder).sort()).toEqual(['empty', 'link', 'notes'])
    expect(readdirSync(outside).sort()).toEqual(['results.jsonl', 'run.json'])
  })

  it('does not follow links inside of a run', async () => {
    const { cwd, ids } = await withRuns(0)
    const outside = folderWith({ 'keep.txt': 'x' })
    symlinkSync(outside, join(cwd, '.assay/runs', ids[0] ?? '', 'link'))
    expect((await runs(cwd, 'rm', 'latest')).code).toBe(0)
    expect(existsSync(join(outside, 'keep.txt'))).toBe(true)
  })

  it('keeps a run that a live process works on', async () => {
    const { cwd, ids } = await withRuns(1, 0)
    const [first = '', second = ''] = ids
    const release = await holdLock(join(cwd, '.assay/runs', first))
    const { code, stdout } = await runs(cwd, 'rm', first, second)
    expect(code).toBe(2)
    expect(stdout).toContain(`kept ${first}: process ${process.pid} works on it\nremoved ${second}`)
    expect((await runs(cwd, 'rm', '--older-than', '1h', '--dry-run')).stdout).toContain(`kept ${first}`)
    expect((await runs(cwd, 'rm', '--older-than', '1h')).code).toBe(0)
    expect(runIds(cwd)).toEqual([first])
    await release()
    expect((await runs(cwd, 'rm', first)).code).toBe(0)
  })

  it('removes the run of a killed process, and damaged runs', async () => {
    const { cwd, ids } = await withRuns(0)
    const folder = join(cwd, '.assay/runs')
    writeFileSync(join(folder, ids[0] ?? '', 'lock'), JSON.stringify({ pid: 2 ** 30, host: hostname() }))
    folderWith({ '20200101-000000-aaaa/run.json': '{', 'mine/run.json': '{' }, folder)
    expect((await runs(cwd, 'rm', 'latest')).code).toBe(0)
    await runs(cwd, 'rm', '--older-than', '100w')
    expect(readdirSync(folder)).not.toContain('20200101-000000-aaaa')
    expect((await runs(cwd, 'rm', 'mine')).code).toBe(0)
    expect(readdirSync(folder)).not.toContain('mine')
  })
})

describe('assay runs prune', () => {
  it('keeps the newest runs', async () => {
    const { cwd, ids } = await withRuns(0, 3, 2, 1)
    const { code, stdout } = await runs(cwd, 'prune', '--keep', '2')
    expect(code).toBe(0)
    expect(stdout).toContain('2 runs in .assay/runs')
    expect(runIds(cwd).sort()).toEqual([ids[0], ids[3]].sort())
    expect((await runs(cwd, 'prune', '--keep', '2')).stdout).toBe('No runs to remove in .assay/runs.\n')
  })

  it('keeps the newest of those that match', async () => {
    const { cwd, ids } = await withRuns(5, 5, 1, 0)
    await runs(cwd, 'prune', '--keep', '1', '--label', 'age 5')
    expect(runIds(cwd)).toHaveLength(3)
    expect(runIds(cwd)).toEqual(expect.arrayContaining(ids.slice(2)))
  })

  it.each([[[]], [['--keep', '0']], [['--keep', 'all']]])('rejects %j', async args => {
    const { cwd, ids } = await withRuns(1, 0)
    expect((await runs(cwd, 'prune', ...args)).code).toBe(2)
    expect(runIds(cwd)).toEqual([...ids].sort())
  })

  it('may run many times at once, beside runs that start', async () => {
    const { cwd } = await withRuns(6, 5, 4, 3, 2, 1)
    const all = await Promise.all([
      ...[1, 2, 3].map(() => runs(cwd, 'prune', '--keep', '1')),
      assay(['eval', '--test-id', 'good', '--label', 'new'], { cwd }),
      ...[1, 2, 3].map(() => runs(cwd, 'prune', '--keep', '1')),
    ])
    expect(all.map(({ code, stderr }) => (code === 0 ? '' : stderr)).join('')).toBe('')
    const left = runIds(cwd)
    expect(left.filter(name => name.startsWith('.'))).toEqual([])
    const latest = readFileSync(join(cwd, '.assay/runs/latest'), 'utf8').trim()
    expect(left).toContain(latest)
    const { stdout } = await runs(cwd, 'show', 'latest')
    expect(stdout).toMatch(/^label +new$/m)
    await runs(cwd, 'prune', '--keep', '1')
    expect(runIds(cwd)).toEqual([latest])
  })
})
