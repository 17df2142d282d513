import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'
import { latestId, recordsOf } from '../../support/runs.ts'

const AGENT = `const fs = require('node:fs')
fs.writeFileSync('made.txt', 'made\\n')
fs.appendFileSync('kept.txt', 'more\\n')
fs.rmSync('old.txt')
console.log('done')`

/** Checks that the record decides, and checks that need the folder. */
const RECORDED = [
  { name: 'made', type: 'file', path: 'made.txt', state: 'created', equals: 'made' },
  { name: 'contains', type: 'file', path: 'made.txt', contains: 'made' },
  { name: 'modified', type: 'file', path: 'kept.txt', state: 'modified' },
  { name: 'deleted', type: 'file', path: 'old.txt', state: 'absent' },
  { name: 'changes', type: 'file_changes', allowed: ['*.txt'], forbidden: ['src/**'], max_files: 3 },
]
const LOOKING = [
  { name: 'unchanged', type: 'file', path: 'src/a.js' },
  { name: 'command', type: 'command', run: 'cat kept.txt made.txt; echo x > built.txt', stdout: { contains: 'more' } },
  { name: 'not-built', type: 'file', path: 'built.txt', state: 'absent' },
]

describe('checks of changed files', () => {
  let cwd: string
  let source: string

  const write = (assert: readonly object[]) =>
    writeFileSync(
      join(cwd, 'EVAL.yaml'),
      JSON.stringify({ name: 'files', tests: [{ id: 'a', criteria: 'x', input: 'Go', assert }] }),
    )
  const scores = () =>
    Object.fromEntries(
      recordsOf(cwd)[0]?.evaluator_results.map(({ name, score, error }) => [name, score ?? error?.code]) ?? [],
    )

  beforeAll(async () => {
    cwd = folderWith({
      'app/kept.txt': 'kept\n',
      'app/old.txt': 'old\n',
      'app/src/a.js': '',
      'app/agent.cjs': AGENT,
      '.assay/targets.yaml': JSON.stringify({
        targets: [{ name: 'default', provider: 'cli', command: ['node', 'agent.cjs'], workspace: 'app' }],
      }),
    })
    write([...RECORDED, ...LOOKING])
    await assay(['eval', '--quiet'], { cwd })
    source = latestId(cwd)
  })

  it('are graded in a run, commands last', () => {
    expect(recordsOf(cwd)[0]?.verdict).toBe('pass')
    expect(new Set(Object.values(scores()))).toEqual(new Set([1]))
  })

  it('have the same grades from the record once the workspace is removed', async () => {
    expect(recordsOf(cwd)[0]?.workspace_path).toBe(undefined)
    write(RECORDED)
    const { code } = await assay(['grade', source, '--quiet'], { cwd })
    expect([code, recordsOf(cwd)[0]?.verdict]).toEqual([0, 'pass'])
    expect(new Set(Object.values(scores()))).toEqual(new Set([1]))
  })

  it('are errors where the record does not decide', async () => {
    write([...RECORDED, ...LOOKING])
    const { code } = await assay(['grade', source, '--quiet'], { cwd })
    expect([code, recordsOf(cwd)[0]?.verdict]).toEqual([3, 'error'])
    expect(scores()).toMatchObject({
      ...Object.fromEntries(RECORDED.map(({ name }) => [name, 1])),
      ...Object.fromEntries(LOOKING.map(({ name }) => [name, 'workspace-gone'])),
    })
  })

  it('are graded in the workspace that is kept after a fail', async () => {
    write([{ type: 'file', path: 'src/a.js', state: 'absent' }])
    await assay(['eval', '--quiet'], { cwd })
    expect(existsSync(recordsOf(cwd)[0]?.workspace_path ?? '')).toBe(true)
    write([...RECORDED, ...LOOKING])
    await assay(['grade', 'latest', '--quiet'], { cwd })
    expect(new Set(Object.values(scores()))).toEqual(new Set([1]))
  })

  it('are reported before the run for a target without a workspace', async () => {
    write(RECORDED)
    writeFileSync(
      join(cwd, 'plain.yaml'),
      JSON.stringify({ targets: [{ name: 'default', provider: 'cli', command: ['cat'] }] }),
    )
    const { code, stdout, stderr } = await assay(['eval', '--targets', 'plain.yaml'], { cwd })
    expect(code).toBe(2)
    expect(`${stdout}${stderr}`).toContain('error no-workspace')
  })
})

describe('a workspace in which a command has written', () => {
  const checks = [
    { name: 'failing', type: 'command', run: 'echo x > built.txt; echo more >> src/a.js; exit 1', required: true },
    { name: 'not-built', type: 'file', path: 'built.txt', state: 'absent' },
    { name: 'unchanged', type: 'file', path: 'src/a.js', equals: '' },
    { name: 'made', type: 'file', path: 'made.txt', state: 'created' },
  ]

  it('decides no check that looks at what the agent left, when answers are graded again', async () => {
    const cwd = folderWith({
      'app/src/a.js': '',
      'app/agent.cjs': `require('node:fs').writeFileSync('made.txt', ''); console.log('done')`,
      '.assay/targets.yaml': JSON.stringify({
        targets: [{ name: 'default', provider: 'cli', command: ['node', 'agent.cjs'], workspace: 'app' }],
      }),
      'EVAL.yaml': JSON.stringify({
        name: 'built',
        tests: [{ id: 'a', criteria: 'x', input: 'Go', assert: checks }],
      }),
    })
    const scores = () =>
      recordsOf(cwd)[0]?.evaluator_results.map(({ name, score, error }) => [name, score ?? error?.code])
    expect((await assay(['eval', '--quiet'], { cwd })).code).toBe(1)
    expect(scores()).toEqual([
      ['failing', 0],
      ['not-built', 1],
      ['unchanged', 1],
      ['made', 1],
    ])
    expect((await assay(['grade', 'latest'], { cwd })).code).toBe(3)
    expect(scores()).toEqual([
      ['failing', 0],
      ['not-built', 'workspace-changed'],
      ['unchanged', 'workspace-changed'],
      ['made', 1],
    ])
  })
})
