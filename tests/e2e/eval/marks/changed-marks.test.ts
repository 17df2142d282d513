import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay } from '../../../support/in-process.ts'
import { EXPECTED, fails, folderOf, passes, QUARANTINE, SKIP, writeSuite } from '../../../support/marked-suite.ts'
import { latestId, recordsOf } from '../../../support/runs.ts'

describe('a mark that changes', () => {
  it('does not make attempts again when the run is resumed, and counts as it is now', async () => {
    const cwd = folderOf([passes('a'), fails('b'), fails('c', QUARANTINE), passes('d', EXPECTED), fails('e')])
    expect((await assay(['eval'], { cwd })).code).toBe(1)
    writeSuite(cwd, [passes('a'), fails('b', EXPECTED), fails('c', EXPECTED), passes('d'), fails('e', SKIP)])
    const { code, stderr } = await assay(['eval', '--resume'], { cwd })
    expect(code).toBe(0)
    expect(stderr).toContain('3 recorded attempts marked as in the suite now.\n')
    expect(stderr).toContain('4 tests: 2 passed, 2 expected failures; 1 skipped\n')
    const report = await assay(['report', 'latest', '--format', 'text'], { cwd })
    expect(report.stdout).toContain('4 tests: 2 passed, 2 expected failures; 1 skipped\n')
    writeSuite(cwd, [passes('a'), fails('b'), fails('c', QUARANTINE), passes('d'), fails('e')])
    const again = await assay(['eval', '--resume'], { cwd })
    expect(again.code).toBe(1)
    expect(again.stderr).toContain('4 tests: 2 passed, 2 failed; 1 quarantined (1 failed), until 9999-12-31\n')
  })

  it('is not part of the identity of a test', async () => {
    const cwd = folderOf([passes('a')])
    await assay(['eval'], { cwd })
    const [before] = recordsOf(cwd)
    writeSuite(cwd, [passes('a', EXPECTED)])
    await assay(['eval'], { cwd })
    const [after] = recordsOf(cwd)
    expect([after?.test_hash, after?.attempt_id]).toEqual([before?.test_hash, before?.attempt_id])
  })

  it('counts as it is now when answers are graded again', async () => {
    const cwd = folderOf([fails('a'), passes('b')])
    await assay(['eval'], { cwd })
    writeSuite(cwd, [fails('a', EXPECTED), passes('b', SKIP)])
    const { code, stderr } = await assay(['grade', 'latest'], { cwd })
    expect(code).toBe(0)
    expect(stderr).toContain('1 test: 1 expected failure; 1 skipped\n')
    expect(stderr).not.toContain('removed or changed')
    writeSuite(cwd, [fails('a', SKIP), passes('b', SKIP)])
    const none = await assay(['grade', 'latest'], { cwd })
    expect(none.code).toBe(5)
    expect(none.stderr).toContain('are marked with `skip` now')
  })

  it('replaces the mark of the suite', async () => {
    const cwd = folderOf([fails('a'), fails('b', EXPECTED), passes('c', QUARANTINE)], SKIP)
    const { code, stderr } = await assay(['eval'], { cwd })
    expect(code).toBe(0)
    expect(stderr).toContain('1 test: 1 expected failure; 1 skipped; 1 quarantined (1 passed), until 9999-12-31\n')
  })
})

it('does not believe a record with two marks', async () => {
  const cwd = folderOf([passes('a', EXPECTED)])
  await assay(['eval'], { cwd })
  const file = join(cwd, '.assay/runs', latestId(cwd), 'results.jsonl')
  const line = readFileSync(file, 'utf8').trim()
  appendFileSync(file, `${line.replace(/}$/, ',"quarantine":{"reason":"x","until":"9999-12-31"}}')}\n`)
  const { stdout } = await assay(['report', 'latest', '--format', 'text'], { cwd })
  expect(stdout).toContain('1 unexpected pass')
  expect(stdout).toContain('damaged')
})
