import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'
import {
  EACH_VERDICT,
  latestId,
  mockTargets,
  recordsOf,
  suiteFolder,
  verdictsOf,
  wordTest,
} from '../../support/runs.ts'
import { linesOf } from '../../support/suite-run.ts'

describe('grade of a run with errors', () => {
  const CRASHES = `import { appendFileSync, readFileSync } from 'node:fs'
appendFileSync('calls.txt', '.')
if (readFileSync('calls.txt', 'utf8').length % 2 === 0) process.exit(3)
console.log('yes')
`
  const SUITE = {
    name: 'crashes',
    execution: { target: 'program' },
    tests: ['a', 'b'].map(id => wordTest(id, id, 'yes')),
  }
  const TARGETS = { targets: [{ name: 'program', provider: 'cli', command: ['node', 'agent.mjs'], retries: 0 }] }
  const RUN = ['eval', '--trials', '2', '--workers', '1', '--quiet']
  const crashing = () => suiteFolder(SUITE, JSON.stringify(TARGETS), { 'agent.mjs': CRASHES })
  const facts = (cwd: string, id?: string) =>
    recordsOf(cwd, id).map(({ test_id, trial, verdict, answer, error }) => [test_id, trial, verdict, answer, error])

  it('keeps the errors, and the run is incomplete', async () => {
    const cwd = crashing()
    expect((await assay(RUN, { cwd })).code).toBe(3)
    const source = latestId(cwd)
    const graded = await assay(['grade', source], { cwd })
    expect(facts(cwd).sort()).toEqual(facts(cwd, source).sort())
    expect(
      facts(cwd)
        .map(([, , verdict]) => verdict)
        .sort(),
    ).toEqual(['error', 'error', 'pass', 'pass'])
    expect(graded.code).toBe(3)
    expect(readFileSync(join(cwd, 'calls.txt'), 'utf8')).toBe('....')
    const again = await assay(['grade', 'latest', '--quiet'], { cwd })
    expect([again.code, recordsOf(cwd).length]).toEqual([3, 4])
  })

  it('keeps whether the agent was reached', async () => {
    const cwd = suiteFolder(EACH_VERDICT)
    await assay(['eval', '--quiet'], { cwd })
    const errors = () => recordsOf(cwd).flatMap(({ error }) => error ?? [])
    const before = errors()
    expect(before).toMatchObject([{ code: 'no-match', never_reached: true }])
    expect((await assay(['grade', 'latest', '--quiet'], { cwd })).code).toBe(3)
    expect(errors()).toEqual(before)
  })

  it('uses the latest result of a repeated attempt', async () => {
    const cwd = suiteFolder(EACH_VERDICT)
    await assay(['eval', '--quiet'], { cwd })
    writeFileSync(join(cwd, '.assay/targets.yaml'), mockTargets(['^yes', 'yes'], ['^no$', 'no'], ['Well', 'yes']))
    await assay(['eval', '--rerun-failed', '--quiet'], { cwd })
    const { code } = await assay(['grade', 'latest', '--quiet'], { cwd })
    expect([code, verdictsOf(recordsOf(cwd))]).toMatchObject([1, { broken: 'pass' }])
  })

  it('skips errors of changed tests, and reports them', async () => {
    const cwd = suiteFolder(EACH_VERDICT)
    await assay(['eval', '--quiet'], { cwd })
    writeFileSync(join(cwd, 'EVAL.yaml'), EACH_VERDICT.replace('Well?', 'And?'))
    const { code, stderr } = await assay(['grade', 'latest'], { cwd })
    expect([code, Object.keys(verdictsOf(recordsOf(cwd)))]).toEqual([1, ['good', 'middling', 'bad']])
    expect(stderr).toContain('1 attempt skipped, since the test was removed or changed: broken\n')
  })

  it('is partial if its source was not finished', async () => {
    const cwd = suiteFolder({ ...SUITE, execution: {} }, mockTargets(['', 'yes']))
    await assay(RUN, { cwd })
    const source = latestId(cwd)
    const folder = join(cwd, '.assay/runs', source)
    for (const file of ['results.jsonl', 'answers.jsonl'])
      writeFileSync(join(folder, file), `${linesOf(join(folder, file))[0]}\n`)
    for (const run of [source, 'latest']) {
      const { code, stderr } = await assay(['grade', run], { cwd })
      expect(stderr).toContain(
        'partial run: 1 of 2 tests have an answer; source run not finished, 1 of 4 attempts made',
      )
      expect([code, recordsOf(cwd).length]).toEqual([3, 1])
    }
    const report = await assay(['report', 'latest', '--format', 'text'], { cwd })
    expect(report.stdout).toContain('source run not finished, 1 of 4 attempts made')
    const { stderr } = await assay(['grade', source], { cwd })
    expect(stderr).toContain(`\nResume with: assay eval --resume=${source}\n`)
  })
})

describe('grade of suites with equal names and inputs', () => {
  const suite = (value: string) => JSON.stringify({ name: 'same', tests: [wordTest('x', 'x', value)] })
  const FILES = { 'a/EVAL.yaml': suite('yes'), 'b/EVAL.yaml': suite('yes') }
  const folderTargets = (response: string) =>
    JSON.stringify({ targets: [{ name: 'default', provider: 'mock', response }] })
  const byFile = (cwd: string) =>
    Object.fromEntries(recordsOf(cwd).map(({ file, verdict }) => [file.split('/')[0], verdict]))
  let cwd: string
  let source: string

  beforeAll(async () => {
    cwd = folderWith({
      ...FILES,
      '.assay/config.yaml': '',
      'a/.assay/targets.yaml': folderTargets('yes'),
      'b/.assay/targets.yaml': folderTargets('no'),
    })
    await assay(['eval', 'a/EVAL.yaml', 'b/EVAL.yaml', '--quiet'], { cwd })
    source = latestId(cwd)
    expect(byFile(cwd)).toEqual({ a: 'pass', b: 'fail' })
  })

  it('uses the answers of each file', async () => {
    expect((await assay(['grade', source, '--quiet'], { cwd })).code).toBe(1)
    expect(byFile(cwd)).toEqual({ a: 'pass', b: 'fail' })
  })

  it('uses the answers of each file after one was moved', async () => {
    renameSync(join(cwd, 'b'), join(cwd, 'c'))
    await assay(['grade', source, '--quiet', '--suite', 'a/EVAL.yaml', '--suite', 'c/EVAL.yaml'], { cwd })
    expect(byFile(cwd)).toEqual({ a: 'pass', c: 'fail' })
  })

  it('skips ambiguous answers', async () => {
    writeFileSync(join(cwd, 'd.yaml'), suite('yes'))
    const { code, stderr } = await assay(['grade', source, '--suite', 'd.yaml'], { cwd })
    expect({ code, stderr }).toEqual({
      code: 5,
      stderr: 'No answer of the run belongs to a test as it is written now.\n',
    })
  })
})
