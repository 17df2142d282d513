import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { evaluate } from '../../../support/evaluation.ts'
import { assay } from '../../../support/in-process.ts'
import { pluginWith } from '../../../support/plugin-evals.ts'
import { resultsIn } from '../../../support/suite-run.ts'

const CASES = {
  one: { settings: { runs: 1 }, script: [{ text: 'one' }], graders: { says: { type: 'regex', pattern: 'one' } } },
  two: { settings: { runs: 1 }, script: [{ text: 'two' }], graders: { says: { type: 'regex', pattern: 'two' } } },
}

describe('a suite of plugin evals', () => {
  let folder: string
  const run = (...args: string[]) => assay(args, { cwd: folder })
  const edit = (path: string, from: string, to: string) =>
    writeFileSync(join(folder, path), readFileSync(join(folder, path), 'utf8').replace(from, to))

  beforeEach(async () => {
    folder = pluginWith(CASES)
    expect((await evaluate(folder, ['.'])).code).toBe(0)
  })

  it('is resumed without a new attempt', async () => {
    const { code, stderr } = await run('eval', '--resume')
    expect([code, resultsIn(folder).length]).toEqual([0, 4])
    expect(stderr).toContain('2 tests')
  })

  it('makes attempts again only of the case whose grader or prompt changed', async () => {
    edit('evals/one/graders/says.md', 'one', 'on.')
    const { stderr } = await run('eval', '--resume')
    expect(stderr).toContain('2 attempts made again: evals changed.')
    edit('evals/two/prompt.md', 'Do it.', 'Do it now.')
    const status = await run('status', '--why')
    expect(status.stdout).toMatch(/two/)
  })

  it('is graded again by graders as they are now', async () => {
    edit('evals/one/graders/says.md', 'one', 'three')
    const { code } = await run('grade', 'latest')
    expect(code).toBe(1)
    const verdicts = resultsIn(folder).map(({ test_id, verdict }) => `${test_id} ${verdict}`)
    expect([...new Set(verdicts)].sort()).toEqual(['one fail', 'two pass'])
  })

  it('is carried over from a baseline but for the case that changed', async () => {
    expect((await run('baseline', 'save')).code).toBe(0)
    edit('evals/one/graders/says.md', 'one', 'on.')
    const { code, stderr } = await run('eval', '.', '--affected')
    expect([code, resultsIn(folder).map(({ test_id }) => test_id)]).toEqual([0, ['one', 'one']])
    expect(stderr).toContain('carried')
  })

  it('is one suite of a folder that also has other suites', async () => {
    writeFileSync(
      join(folder, 'evals/evals.json'),
      JSON.stringify({
        skill_name: 'commit-style',
        evals: [{ id: 1, prompt: 'Hi', assertions: ["Output contains 'x'"] }],
      }),
    )
    const { stdout } = await run('list', '.')
    expect(stdout).toMatch(/^commit-style {2}1 test {2}evals\/evals\.json$/m)
    expect(stdout).toMatch(/^sample {2}2 tests {2}evals {2}control arm: without-plugin$/m)
  })

  it('cannot run in part by the path of a case', async () => {
    for (const path of ['evals/one', 'evals/one/prompt.md']) {
      const { code, stderr } = await run('eval', path)
      expect([code, stderr]).toEqual([2, expect.stringContaining('evals --test-id one')])
    }
    const { code } = await run('eval', 'evals', '--test-id', 'one')
    expect([code, resultsIn(folder).map(({ test_id }) => test_id)]).toEqual([0, ['one', 'one']])
  })
})
