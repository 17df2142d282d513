import { describe, expect, it } from 'vitest'
import { assay } from '../../../support/in-process.ts'
import { EXPECTED, fails, folderOf, madeIn, passes, QUARANTINE, SKIP, UNTIL } from '../../../support/marked-suite.ts'
import { latestId, runInfoOf } from '../../../support/runs.ts'

describe('a skipped test', () => {
  it('is not run on any target, and is counted with its reason', async () => {
    const cwd = folderOf([passes('a'), fails('b', SKIP)], { target: undefined, targets: ['one', 'two'] })
    const { code, stderr } = await assay(['eval'], { cwd })
    expect(code).toBe(0)
    expect(madeIn(cwd).sort()).toEqual(['a on one', 'a on two'])
    expect(stderr).toContain('1 test × 2 targets: 2 passed; 1 skipped\n')
    expect(stderr).toMatch(/skipped b EVAL\.yaml:\d+: no sandbox\n/)
    expect(stderr).not.toContain('partial')
    expect(runInfoOf(cwd).skipped).toEqual([
      { suite: 'suite', file: 'EVAL.yaml', line: expect.any(Number), test_id: 'b', tags: [], reason: 'no sandbox' },
    ])
  })

  it('needs no target that can be used', async () => {
    const cwd = folderOf([passes('a'), passes('b', { ...SKIP, target: 'no-such-target' })])
    expect((await assay(['eval'], { cwd })).code).toBe(0)
  })

  it('ends a run without any other test, which is said', async () => {
    const cwd = folderOf([passes('a', SKIP), fails('b', { skip: 'no\u001b[31m time' })])
    const { code, stderr } = await assay(['eval'], { cwd })
    expect(code).toBe(5)
    expect(stderr).toMatch(
      /^No tests to run: all selected tests are skipped\. 2 tests skipped:\n {2}a EVAL\.yaml:\d+: no/,
    )
    expect(stderr).not.toContain('\u001b')
  })

  it('is in the plan and in the list', async () => {
    const cwd = folderOf([passes('a'), fails('b', SKIP), fails('c', EXPECTED), fails('d', QUARANTINE)])
    const { stdout } = await assay(['eval', '--plan'], { cwd })
    expect(stdout).toMatch(/\nskipped b EVAL\.yaml:\d+: no sandbox\n/)
    expect(stdout).toMatch(/\nexpected failure c EVAL\.yaml:\d+: wrong currency\n/)
    expect(stdout).toMatch(/\nquarantined d EVAL\.yaml:\d+: until 9999-12-31: a flaky upstream\n3 attempts\n/)
    const plan = JSON.parse((await assay(['eval', '--plan', '--json'], { cwd })).stdout)
    expect(plan.skipped).toMatchObject([{ test_id: 'b', file: 'EVAL.yaml', mark: 'skip', reason: 'no sandbox' }])
    expect(plan.marked).toMatchObject([
      { test_id: 'c', mark: 'expected_failure' },
      { test_id: 'd', mark: 'quarantine', until: UNTIL },
    ])
    const list = await assay(['list'], { cwd })
    expect(list.stdout).toContain(')  skipped: no sandbox\n')
    expect(list.stdout).toContain(')  expected failure: wrong currency\n')
    expect(list.stdout).toContain(')  quarantined until 9999-12-31: a flaky upstream\n')
    const [suite] = JSON.parse((await assay(['list', '--json'], { cwd })).stdout)
    expect(suite.tests.map(({ skip }: { skip?: string }) => skip)).toEqual([
      undefined,
      'no sandbox',
      undefined,
      undefined,
    ])
  })

  it('is counted once after its shards are merged', async () => {
    const cwd = folderOf([passes('a'), passes('b'), fails('c', SKIP)])
    const ids: string[] = []
    for (const shard of ['1/2', '2/2']) {
      await assay(['eval', '--shard', shard], { cwd })
      ids.push(latestId(cwd))
    }
    const { code, stderr } = await assay(['merge', ...ids], { cwd })
    expect(code).toBe(0)
    expect(stderr).toContain('2 tests: 2 passed; 1 skipped\n')
  })
})
