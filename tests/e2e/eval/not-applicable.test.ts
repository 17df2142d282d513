import { describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'
import { latestId, recordsOf, runInfoOf } from '../../support/runs.ts'

const TARGETS = {
  targets: [
    { name: 'one', provider: 'mock', response: 'yes' },
    { name: 'two', provider: 'mock', response: 'yes' },
    { name: 'judge', provider: 'mock', response: '{}' },
  ],
}

const test = (id: string, ...assert: object[]) => ({ id, criteria: 'Says yes', input: id, assert })
const yes = (more: object = {}) => ({ type: 'contains', value: 'yes', ...more })
const ON_ONE = { applies_to: ['one'] }

/** Of four tests, two apply to `one` only. */
const TESTS = [
  test('both', yes(), yes({ name: 'more', ...ON_ONE })),
  test('first', yes(ON_ONE)),
  test('second', yes(ON_ONE), { type: 'composite', evaluators: [yes(ON_ONE)] }),
  test('last', yes()),
]

/** What a summary says about the targets of these tests. */
const NOTES = '2 tests do not apply to two\n1 test has checks that do not apply to two\n'

function folderOf(tests: readonly object[], more: object = {}): string {
  const suite = { name: 'suite', execution: { targets: ['one', 'two'] }, ...more, tests }
  return folderWith({ 'EVAL.yaml': JSON.stringify(suite), '.assay/targets.yaml': JSON.stringify(TARGETS) })
}

const madeIn = (cwd: string) => recordsOf(cwd).map(({ test_id, target }) => `${test_id} on ${target}`)

describe('a test without a check that applies to a target', () => {
  it('is not run on it, and is counted', async () => {
    const cwd = folderOf(TESTS)
    const { code, stderr } = await assay(['eval', '--workers', '1'], { cwd })
    expect(code).toBe(0)
    expect(madeIn(cwd).sort()).toEqual(
      ['both on one', 'both on two', 'first on one', 'last on one', 'last on two', 'second on one'].sort(),
    )
    expect(stderr).toContain(`${NOTES}4 tests on 2 targets (6 cases): 6 passed\n`)
    expect(runInfoOf(cwd).not_applicable).toEqual([
      { suite: 'suite', file: 'EVAL.yaml', target: 'two', test_ids: ['first', 'second'] },
    ])
  })

  it('is counted in the plan, without the calls of its judges', async () => {
    const judged = test('judged', { type: 'llm_judge', ...ON_ONE }, yes())
    const cwd = folderOf([...TESTS, judged, test('only', { type: 'llm_judge', ...ON_ONE })])
    const { stdout } = await assay(['eval', '--plan'], { cwd })
    expect(stdout).toContain('suite  one     mock          6         6            2\n')
    expect(stdout).toContain('suite  two     mock          3         3            0\n')
    expect(stdout).toContain('\n3 tests do not apply to two\n9 attempts, at least 2 judge calls\n')
    const { stdout: json } = await assay(['eval', '--plan', '--json'], { cwd })
    expect(JSON.parse(json).not_applicable).toEqual([{ target: 'two', tests: 3 }])
  })

  it('needs no judge', async () => {
    const suite = [test('judged', { type: 'llm_judge', target: 'judge', ...ON_ONE }), test('last', yes())]
    const cwd = folderOf(suite)
    const { code } = await assay(['eval', '--target', 'two'], { cwd })
    expect(code).toBe(0)
    expect(runInfoOf(cwd).judges).toBeUndefined()
  })

  it('is counted once after its shards are merged', async () => {
    const cwd = folderOf(TESTS)
    const ids: string[] = []
    for (const shard of ['1/2', '2/2']) {
      await assay(['eval', '--shard', shard], { cwd })
      ids.push(latestId(cwd))
    }
    const { stderr } = await assay(['merge', ...ids], { cwd })
    expect(stderr).toContain(`\n${NOTES}4 tests on 2 targets (6 cases): 6 passed\n`)
    expect(stderr).not.toContain('partial run')
  })

  it('does not make a run that grades again partial', async () => {
    const cwd = folderOf([...TESTS, { ...test('nowhere', yes(ON_ONE)), execution: { target: 'two' } }])
    await assay(['eval'], { cwd })
    const { code, stderr } = await assay(['grade', 'latest'], { cwd })
    expect([code, stderr.includes('partial run')]).toEqual([0, false])
    expect(stderr).toContain('\n3 tests do not apply to two\n')
  })

  it('leaves nothing to do for a resumed run', async () => {
    const cwd = folderOf(TESTS)
    await assay(['eval'], { cwd })
    const before = recordsOf(cwd).length
    const { code, stderr } = await assay(['eval', '--resume'], { cwd })
    expect([code, recordsOf(cwd).length]).toEqual([0, before])
    expect(stderr).toContain('2 tests do not apply to two\n')
  })

  it('is counted in a report on some tests only if it is one of them', async () => {
    const cwd = folderOf(TESTS)
    await assay(['eval'], { cwd })
    const report = async (...ids: string[]) =>
      (await assay(['report', 'latest', ...ids.flatMap(id => ['--test-id', id])], { cwd })).stdout
    expect(await report('first', 'last')).toContain('\n1 test does not apply to two\n')
    expect(await report('both', 'last')).not.toMatch(/tests? do(es)? not apply/)
    expect(await report('last')).not.toContain('not apply')
  })

  it('is named in the list of tests', async () => {
    const cwd = folderOf(TESTS)
    const { stdout } = await assay(['list'], { cwd })
    expect(stdout).toMatch(/first {2,}Says yes {2}\(EVAL\.yaml:1, only on one\)/)
    expect(stdout).toMatch(/both {2,}Says yes {2}\(EVAL\.yaml:1\)/)
    const { stdout: json } = await assay(['list', '--json'], { cwd })
    const [suite] = JSON.parse(json)
    expect(suite.tests.map(({ applies_to }: { applies_to?: string[] }) => applies_to)).toEqual([
      undefined,
      ['one'],
      undefined,
      undefined,
    ])
  })
})

describe('a target without tests', () => {
  it('is an error before the run', async () => {
    const cwd = folderOf([test('first', yes(ON_ONE))])
    const { code, stderr } = await assay(['eval'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain('error nothing-applies\n  no test of this suite applies to the target `two`\n')
  })

  it('is an error if the command line names it', async () => {
    const cwd = folderOf([test('first', yes(ON_ONE))], { execution: { target: 'one' } })
    expect((await assay(['eval'], { cwd })).code).toBe(0)
    const { code, stderr } = await assay(['eval', '--target', 'two'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain('no test of this suite applies to the target `two`')
  })

  it('is no error if only the selected tests do not apply to it', async () => {
    const cwd = folderOf(TESTS)
    const { code, stderr } = await assay(['eval', '--test-id', 'first'], { cwd })
    expect([code, madeIn(cwd)]).toEqual([0, ['first on one']])
    expect(stderr).toContain('1 test does not apply to two\n')
  })

  it('is reported if nothing is left to run', async () => {
    const cwd = folderOf(TESTS)
    const { code, stderr } = await assay(['eval', '--test-id', 'first', '--target', 'two'], { cwd })
    expect(code).toBe(5)
    expect(stderr).toBe(
      'No tests to run: no check of the selected tests applies to two. Select other tests or targets.\n',
    )
  })
})
