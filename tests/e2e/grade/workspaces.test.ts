import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { folderWith, type Result } from '../../support/program.ts'
import { latestId, recordsOf, verdictsOf } from '../../support/runs.ts'

const LOOKS = `console.log(JSON.stringify({ score: require('node:fs').existsSync('made.txt') ? 1 : 0, hits: [process.cwd()], misses: [], reasoning: '' }))`
const LOOKING = { id: 'fails', criteria: 'x', input: 'Go on', assert: [{ type: 'agent_judge' }] }

describe('grade with an agent judge', () => {
  let cwd: string
  let kept: string
  let source: string
  let graded: Result

  const tests = (wanted: string) => [
    { id: 'passes', criteria: 'x', input: 'Go', assert: [{ type: 'contains', value: 'made' }] },
    { id: 'fails', criteria: 'x', input: 'Go on', assert: [{ type: 'contains', value: wanted }] },
  ]

  beforeAll(async () => {
    const command = ['node', '-e', `require('node:fs').writeFileSync('made.txt', ''); console.log('made it')`]
    const targets = [
      { name: 'default', provider: 'cli', command, workspace: 'app' },
      { name: 'judge', provider: 'cli', command: ['node', '-e', LOOKS] },
    ]
    cwd = folderWith({
      'EVAL.yaml': JSON.stringify({ name: 'made', tests: tests('unmade') }),
      'app/x.txt': '',
      '.assay/targets.yaml': JSON.stringify({ targets }),
    })
    await assay(['eval', '--quiet'], { cwd })
    source = latestId(cwd)
    kept = recordsOf(cwd).find(({ test_id }) => test_id === 'fails')?.workspace_path ?? 'nowhere'
    const looking = tests('made').map(test => ({ ...test, assert: [...test.assert, { type: 'agent_judge' }] }))
    writeFileSync(join(cwd, 'EVAL.yaml'), JSON.stringify({ name: 'made', tests: looking }))
    graded = await assay(['grade', 'latest'], { cwd })
  })

  it('uses the kept workspace, and keeps it after a pass', () => {
    const record = recordsOf(cwd).find(({ test_id }) => test_id === 'fails')
    expect(record).toMatchObject({ verdict: 'pass', workspace_path: kept })
    expect(record?.hits).toContain(kept)
    expect(existsSync(join(kept, 'made.txt'))).toBe(true)
  })

  it('is an error if the workspace is gone', () => {
    expect(graded.code).toBe(3)
    expect(recordsOf(cwd).find(({ test_id }) => test_id === 'passes')).toMatchObject({
      verdict: 'error',
      score: null,
      error: { message: expect.stringMatching(/the workspace of this answer no longer exists/) },
    })
  })

  it('needs no workspace if the checks do not use it', async () => {
    writeFileSync(join(cwd, 'EVAL.yaml'), JSON.stringify({ name: 'made', tests: tests('made') }))
    const { code } = await assay(['grade', source, '--quiet'], { cwd })
    expect([code, verdictsOf(recordsOf(cwd))]).toEqual([0, { passes: 'pass', fails: 'pass' }])
    expect(existsSync(join(kept, 'made.txt'))).toBe(true)
  })

  it('ignores a workspace path in the records that assay did not create', async () => {
    const private_ = join(folderWith({ 'private/made.txt': '' }), 'private')
    writeFileSync(join(cwd, 'EVAL.yaml'), JSON.stringify({ name: 'made', tests: [LOOKING] }))
    const run = join(cwd, '.assay/runs', source)
    const records = ['answers.jsonl', 'results.jsonl'].map(name => {
      const text = readFileSync(join(run, name), 'utf8')
      return [name, text.replaceAll(kept, private_)] as const
    })
    expect(records[0]?.[1]).toContain(private_)
    const theirs = folderWith({ 'run.json': readFileSync(join(run, 'run.json')), ...Object.fromEntries(records) })
    await assay(['grade', theirs, '--suite', 'EVAL.yaml'], { cwd })
    const [record] = recordsOf(cwd)
    expect(record).toMatchObject({ test_id: 'fails', verdict: 'error', score: null })
    expect(JSON.stringify(record?.evaluator_results)).not.toContain(private_)
    expect(existsSync(join(private_, 'made.txt'))).toBe(true)
  })
})
