import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { PROGRAM, run } from '../../../support/program.ts'
import {
  endLeftovers,
  evaluate,
  linesOf,
  markerEnv,
  resultsIn,
  runFolder,
  suiteFolder,
} from '../../../support/suite-run.ts'

afterEach(endLeftovers)

it('stops on a full disk inside a line, prints the resume command, and can be resumed', async () => {
  const tests = Array.from({ length: 40 }, (_, index) => ({
    id: `t${index}`,
    criteria: 'Agrees',
    input: `Say yes, ${'please, '.repeat(index * 7)}thanks`,
    assert: [{ type: 'equals', value: 'yes' }],
  }))
  const folder = suiteFolder({ tests }, [{ name: 'default', provider: 'mock', response: 'yes' }])
  // No file may be larger than 32 kB: the results do not fit.
  const script = `trap '' XFSZ; ulimit -f 32; exec "${process.execPath}" "${PROGRAM}" eval`
  const { code, stderr } = await run('bash', ['-c', script], { cwd: folder, env: markerEnv(folder) })
  expect(stderr).toMatch(/^40 tests: \d+ passed, \d+ not run$/m)
  expect(stderr).toMatch(/^Cannot write the records: EFBIG: file too large/m)
  expect(stderr).toMatch(/^Resume with: assay eval --resume=/m)
  expect(code).toBe(3)
  const path = join(runFolder(folder), 'results.jsonl')
  const before = linesOf(path)
  expect(before.length).toBeGreaterThan(5)
  // The incomplete line was removed.
  for (const line of before) expect(JSON.parse(line).verdict).toBe('pass')
  const resumed = await evaluate(folder, ['--resume'])
  expect([resumed.code, resumed.stderr]).toEqual([0, expect.stringContaining('40 tests: 40 passed')])
  expect(linesOf(path).slice(0, before.length)).toEqual(before)
  expect(new Set(resultsIn(folder).map(({ test_id }) => test_id)).size).toBe(40)
  expect(linesOf(path).length).toBe(40)
})
