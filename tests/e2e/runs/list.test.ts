import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commitAll } from '../../support/git.ts'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'
import { EACH_VERDICT, latestId, runIds, runInfoOf, suiteFolder } from '../../support/runs.ts'
import { backdate, holdLock } from './run-folders.ts'

const eval_ = (cwd: string, ...args: string[]) => assay(['eval', ...args], { cwd })

/** The ids that a list shows. */
const listed = async (cwd: string, ...args: string[]) => {
  const { code, stdout } = await assay(['runs', ...args, '--json'], { cwd })
  expect(code).toBe(0)
  return JSON.parse(stdout).map((run: { run_id: string }) => run.run_id)
}

describe('assay runs', () => {
  it('lists runs with their outcome, newest first', async () => {
    const cwd = suiteFolder(EACH_VERDICT)
    const commit = await commitAll(cwd)
    await eval_(cwd, '--label', 'first')
    const [first = ''] = runIds(cwd)
    backdate(cwd, first, 3)
    writeFileSync(join(cwd, 'notes.txt'), '')
    await eval_(cwd, '--test-id', 'good')
    const { code, stdout } = await assay(['runs'], { cwd })
    expect(code).toBe(0)
    const [header = '', newest = '', oldest = '', ...rest] = stdout.split('\n')
    expect(header).toMatch(/^run +started +outcome +label +branch +commit +notes$/)
    expect(newest).toContain(`${latestId(cwd)}  `)
    expect(newest).toContain('1 test: 1 passed')
    expect(newest).toContain(`main    ${commit.slice(0, 7)} (dirty)  1 of 4 tests selected (--test-id good)`)
    expect(oldest).toContain('4 tests: 1 passed, 1 borderline, 1 failed, 1 with errors  first')
    expect(rest).toEqual([''])
    expect((await assay(['runs', 'list'], { cwd })).stdout).toBe(stdout)
  })

  it('leaves out columns without content', async () => {
    const cwd = suiteFolder(EACH_VERDICT)
    await eval_(cwd)
    expect((await assay(['runs'], { cwd })).stdout).toMatch(/^run +started +outcome\n/)
  })

  it.each([
    ['no folder', () => {}],
    ['an empty folder', (cwd: string) => mkdirSync(join(cwd, '.assay/runs'), { recursive: true })],
  ])('says that there are no runs with %s', async (_, make) => {
    const cwd = folderWith()
    make(cwd)
    expect(await assay(['runs'], { cwd })).toEqual({ code: 0, stdout: 'No runs found in .assay/runs.\n', stderr: '' })
    expect(await listed(cwd)).toEqual([])
  })

  it('selects by label, commit, branch and age', async () => {
    const cwd = suiteFolder(EACH_VERDICT)
    await eval_(cwd, '--label', 'old')
    const [old = ''] = runIds(cwd)
    backdate(cwd, old, 40)
    const commit = await commitAll(cwd)
    await eval_(cwd, '--label', 'new')
    const id = latestId(cwd)
    expect(await listed(cwd)).toEqual([id, old])
    expect(await listed(cwd, '--label', 'old')).toEqual([old])
    expect(await listed(cwd, '--label', 'ol')).toEqual([])
    expect((await assay(['runs', '--label', 'ol'], { cwd })).stdout).toBe('None of 2 runs in .assay/runs matches.\n')
    expect(await listed(cwd, '--commit', commit.slice(0, 6).toUpperCase())).toEqual([id])
    expect(await listed(cwd, '--branch', 'main', '--newer-than', '12h')).toEqual([id])
    expect(await listed(cwd, '--older-than', '30d')).toEqual([old])
    expect(await listed(cwd, '--older-than', '6w')).toEqual([])
    expect(await listed(cwd, '--label', 'new', '--older-than', '45m')).toEqual([])
  })

  it.each([
    ['--older-than', '30'],
    ['--older-than', '-1d'],
    ['--newer-than', '1y'],
    ['--commit', ''],
    ['--commit', 'xyz1'],
    ['--label', ''],
    ['--branch', ' '],
    ['--limit', '0'],
  ])('rejects %s %j', async (option, value) => {
    expect((await assay(['runs', option, value], { cwd: folderWith() })).code).toBe(2)
  })

  it('counts what it does not show', async () => {
    const cwd = suiteFolder(EACH_VERDICT)
    for (const _ of [1, 2, 3]) await eval_(cwd, '--test-id', 'good')
    const { stdout } = await assay(['runs', '--limit', '1'], { cwd })
    expect(stdout.split('\n')).toHaveLength(4)
    expect(stdout).toContain('and 2 older runs: show more with --limit\n')
  })

  it('shows damaged, foreign and running folders as such', async () => {
    const cwd = suiteFolder(EACH_VERDICT)
    await eval_(cwd)
    const good = latestId(cwd)
    const runs = join(cwd, '.assay/runs')
    folderWith(
      {
        '20200101-000000-aaaa/run.json': '{',
        '20200102-000000-bbbb/results.jsonl': '',
        'notes/text.txt': 'x',
        '.merging-20200103-000000-cccc/run.json': '{}',
        'file.txt': '',
      },
      runs,
    )
    mkdirSync(join(runs, 'empty'))
    symlinkSync(cwd, join(runs, 'link'))
    const release = await holdLock(join(runs, good))
    appendFileSync(join(runs, good, 'results.jsonl'), 'not JSON\n')
    const { code, stdout } = await assay(['runs'], { cwd })
    await release()
    expect(code).toBe(0)
    const lines = Object.fromEntries(
      stdout
        .trim()
        .split('\n')
        .map(line => [line.split(' ')[0], line]),
    )
    expect(Object.keys(lines)).toEqual([
      ...['run', good, '20200102-000000-bbbb', '20200101-000000-aaaa', 'notes', 'link', 'empty'],
      '.merging-20200103-000000-cccc',
    ])
    expect(lines[good]).toContain(`running: process ${process.pid}; 1 damaged line`)
    expect(lines['20200101-000000-aaaa']).toMatch(/ - +damaged run\.json$/)
    expect(lines['20200102-000000-bbbb']).toContain('no run.json')
    expect(lines['notes']).toMatch(/ - +- +not a run$/)
    expect(lines['link']).toContain('a link, which is not followed')
    expect(lines['empty']).toContain('an empty folder')
  })

  it('prints labels and branches without control characters', async () => {
    const cwd = suiteFolder(EACH_VERDICT)
    await eval_(cwd, '--label', '\u001b[31mred\n::error::x')
    const { stdout } = await assay(['runs'], { cwd })
    expect(stdout).not.toContain('\u001b')
    expect(stdout.split('\n')).toHaveLength(3)
  })
})

describe('assay runs show', () => {
  it('shows where a run comes from, what was run, and the outcome', async () => {
    const cwd = suiteFolder(EACH_VERDICT)
    const commit = await commitAll(cwd)
    await eval_(cwd, '--label', 'my run', '--test-id', 'good')
    const id = latestId(cwd)
    const { code, stdout } = await assay(['runs', 'show', 'latest'], { cwd })
    expect(code).toBe(0)
    const lines = stdout.split('\n').map(line => line.replace(/ {2,}/, ': '))
    expect(lines).toEqual(
      expect.arrayContaining([
        `run: ${id}`,
        `commit: ${commit}`,
        'branch: main',
        'uncommitted changes: no',
        'label: my run',
        "command: assay eval --label 'my run' --test-id good",
        'suites: each (EVAL.yaml)',
        'targets: default',
        'outcome: 1 test: 1 passed',
        'note: partial run: 1 of 4 tests selected (--test-id good)',
      ]),
    )
    expect(stdout).toMatch(new RegExp(`size +[\\d.]+ kB in .assay/runs/${id}\n$`))
    const { stdout: json } = await assay(['runs', 'show', id, '--json'], { cwd })
    expect(JSON.parse(json)).toMatchObject({ run: runInfoOf(cwd), summary: { counts: { pass: 1 } } })
  })

  it('reports a run that does not exist or is damaged', async () => {
    const cwd = folderWith({ '.assay/runs/20200101-000000-aaaa/run.json': '{' })
    expect(await assay(['runs', 'show', 'nope'], { cwd })).toMatchObject({ code: 2 })
    const { code, stderr } = await assay(['runs', 'show', '2020'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain('run.json is damaged')
  })
})
