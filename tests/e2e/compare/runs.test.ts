import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import type { Result } from '../../support/program.ts'
import { latestId, recordsOf, suiteFolder, wordTest } from '../../support/runs.ts'

const IDS = Array.from({ length: 20 }, (_, index) => `t${index + 10}`)
const says = (name: string, ...noTo: string[]) => ({
  name,
  provider: 'mock',
  responses: [...noTo.map(pattern => ({ pattern, response: 'no' })), { pattern: '.', response: 'yes' }],
})
// `bad` says no to t10 … t19, `shaky` to t10, t11 and t12.
const TARGETS = JSON.stringify({ targets: [says('good'), says('bad', '^t1'), says('shaky', '^t1[012]')] })
const SUITE = { name: 'words', tests: IDS.map(id => wordTest(id, id, 'yes')) }
const OTHER = JSON.stringify({ name: 'other', tests: [wordTest('alone', 'Well?', 'yes')] })

const cwd = suiteFolder(SUITE, TARGETS, { 'other/EVAL.yaml': OTHER })
const compare = (...args: string[]): Promise<Result> => assay(['compare', ...args], { cwd })

const runs = { three: '', bad: '', good: '', other: '' }

beforeAll(async () => {
  const run = async (...args: string[]) => {
    await assay(['eval', '--quiet', ...args], { cwd })
    return latestId(cwd)
  }
  runs.other = await run('other', '--target', 'good')
  runs.good = await run('EVAL.yaml', '--target', 'good')
  runs.bad = await run('EVAL.yaml', '--target', 'bad')
  runs.three = await run('EVAL.yaml', '--target', 'good', '--target', 'bad', '--target', 'shaky')
})

describe('two runs', () => {
  it('are compared test by test', async () => {
    const { code, stdout, stderr } = await compare(runs.good, runs.bad)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const [head = '', before = '', after = '', ...rest] = stdout.split('\n')
    expect(head).toMatch(/^20 paired tests +pass rate +score$/)
    expect(before).toMatch(new RegExp(`^${runs.good} good  100 % \\[84–100\\]  1\\.00 `))
    expect(after).toMatch(new RegExp(`^${runs.bad} bad   50 % \\[30–70\\]    0\\.50 `))
    expect(rest.join('\n')).toBe(`
20 tests compared: 0 improved, 10 worse, 10 the same
${IDS.slice(0, 10)
  .map(id => `  worse    words ${id} 1.00 → 0.00\n`)
  .join('')}
difference −0.500 [−0.698 to −0.211], p = 0.0010 (mid-p McNemar)
worse
`)
  })

  it('are found by id prefix, latest, folder or results file', async () => {
    const file = join('.assay/runs', runs.good, 'results.jsonl')
    const { code, stdout } = await compare(file, join('.assay/runs', runs.bad))
    expect(code).toBe(0)
    expect(stdout).toContain('difference −0.500 ')
    expect((await compare(runs.other, 'latest', '--target', 'good')).stdout).toContain('1 gone')
  })

  it('are compared by common target, and other targets are listed', async () => {
    const { code, stdout, stderr } = await compare(runs.bad, runs.three)
    expect({ code, stderr }).toEqual({ code: 0, stderr: `only in ${runs.three}: good, shaky\n` })
    expect(stdout).toContain(`\n${runs.bad}      50 % [30–70]  `)
    expect(stdout).toContain(`\n${runs.three} bad  50 % [30–70]  `)
    expect(stdout).toContain('\ninconclusive: no test differs; 20 tests can detect a difference of 0.31 ')
    const three = await compare(runs.three, runs.three)
    expect(three.stdout.match(/^inconclusive: both sides are the same run/gm)).toHaveLength(3)
  })

  it('are compared for one target of both, or one of each, with --target', async () => {
    const both = await compare(runs.three, runs.three, '--target', 'bad')
    expect(both.stdout).toContain(`inconclusive: both sides are the same run ${runs.three} (target bad)\n`)
    const each = await compare(runs.three, runs.bad, '--target', 'good', '--target', 'bad')
    expect(each.stdout).toContain(`${runs.three} good  100 % [84–100]`)
    expect(each.stdout.endsWith('\nworse\n')).toBe(true)
  })

  it('cause a warning if different models judged them', async () => {
    const copy = join(cwd, '.assay/runs/20000101-000000-copy')
    cpSync(join(cwd, '.assay/runs', runs.good), copy, { recursive: true })
    const info = JSON.parse(readFileSync(join(copy, 'run.json'), 'utf8'))
    const judges = [{ name: 'judge', provider: 'openai', model: 'one' }]
    writeFileSync(join(copy, 'run.json'), JSON.stringify({ ...info, run_id: '20000101-000000-copy', judges }))
    const results = readFileSync(join(copy, 'results.jsonl'), 'utf8')
    writeFileSync(join(copy, 'results.jsonl'), results.replaceAll(info.run_id, '20000101-000000-copy'))
    const { code, stderr } = await compare(runs.good, '20000101')
    expect(code).toBe(0)
    expect(stderr).toBe('warning the runs were judged by different models: differences may come from the judges\n')
    expect((await compare('20000101', '20000101')).stderr).toBe('')
  })
})

describe('one run', () => {
  it('compares two targets with --target', async () => {
    const { code, stdout } = await compare(runs.three, '--target', 'bad', '--target', 'good')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^20 paired tests +pass rate +score\nbad +50 % \[30–70\] .*\ngood +100 % \[84–100\] /)
    expect(stdout.endsWith('\nbetter\n')).toBe(true)
  })

  it('is inconclusive if chance can explain the difference', async () => {
    const { stdout } = await compare('latest', '--target', 'good', '--target', 'shaky')
    expect(stdout).toContain('20 tests compared: 0 improved, 3 worse, 17 the same\n')
    expect(stdout).toContain(
      'p = 0.13 (mid-p McNemar)\ninconclusive: 20 tests can detect a difference of 0.31 (80 % power); detecting −0.150 takes about 47 tests\n',
    )
  })
})

describe('three and more runs', () => {
  it('are each compared with the first, and their p values adjusted together', async () => {
    const { code, stdout } = await compare(
      runs.good,
      runs.bad,
      runs.three,
      '--target',
      'good',
      '--target',
      'bad',
      '--target',
      'shaky',
    )
    expect(code).toBe(0)
    expect(stdout.match(/^20 paired tests/gm)).toHaveLength(2)
    expect(stdout).toContain(`\n${runs.good} good  `)
    expect(stdout).toContain(`\n${runs.bad} bad   `)
    expect(stdout).toContain(`\n${runs.three} shaky  `)
    expect(stdout).toMatch(/p = 0\.0010 \(mid-p McNemar\), adjusted p = 0\.0020 \(Holm\)/)
  })

  it('name the run that fails a gate, or lacks a target', async () => {
    const { code, stdout } = await compare(runs.good, runs.other, runs.three, '--target', 'good', '--require-better')
    expect(stdout).toContain(
      `quality gate cannot pass (nothing to compare): ${runs.other}: no test is the same on both sides\n`,
    )
    expect(code).toBe(5)
    const gap = await compare(runs.three, runs.bad, runs.three, '--fail-on-regression')
    expect(gap.stderr).toBe(`not in ${runs.bad}: good, shaky\n`)
  })

  it('are in JSON, with the targets that a run lacks', async () => {
    const { stdout } = await compare(runs.three, runs.bad, runs.three, '--json')
    const data = JSON.parse(stdout)
    expect(data.runs.map(({ run }: { run: string }) => run)).toEqual([runs.three, runs.bad, runs.three])
    expect(data.missing_targets).toEqual(['good', 'shaky'].map(target => ({ run: runs.bad, target })))
    expect(data.comparisons).toHaveLength(4)
  })

  it('have no control', async () => {
    const { code, stderr } = await compare(runs.good, runs.bad, '--control', 'good')
    expect([code, stderr]).toEqual([
      2,
      '--control names a target of one run, and several runs are given.\nName one run, or leave out --control: each later run is compared with the first.\n',
    ])
  })
})

describe('one run with a control', () => {
  it('compares all targets with --control', async () => {
    const { code, stdout } = await compare(runs.three, '--control', 'shaky')
    expect(code).toBe(0)
    expect(stdout.match(/^(shaky|good|bad) /gm)).toEqual(['shaky ', 'good ', 'shaky ', 'bad '])
    const one = await compare(runs.three, '--control', 'shaky', '--target', 'bad', '--fail-on-regression')
    expect(one.stdout.match(/^(shaky|good|bad) /gm)).toEqual(['shaky ', 'bad '])
    expect(one.code).toBe(1)
  })

  it('compares all targets with the control arm of the run by default', async () => {
    const run = await assay(
      [
        'eval',
        'EVAL.yaml',
        '--quiet',
        ...['good', 'bad', 'shaky'].flatMap(name => ['--target', name]),
        '--control',
        'bad',
      ],
      { cwd },
    )
    expect(run.code).toBe(1)
    const { stdout, code } = await compare('latest', '--require-better')
    expect(stdout.match(/^(shaky|good|bad) /gm)).toEqual(['bad ', 'good ', 'bad ', 'shaky '])
    expect(stdout.endsWith('quality gate passed\n')).toBe(true)
    expect(code).toBe(0)
    const one = await compare('latest', '--target', 'shaky')
    expect(one.stdout.match(/^(shaky|good|bad) /gm)).toEqual(['bad ', 'shaky '])
    const itself = await compare('latest', '--target', 'bad')
    expect([itself.code, itself.stderr]).toEqual([
      2,
      'Nothing to compare bad with. The targets of the run: good, bad, shaky.\n',
    ])
    expect((await compare('latest', '--control', 'unknown')).stderr).toContain('has no target unknown.')
  })
})

describe('exit codes', () => {
  const TWO = ['--target', 'good', '--target', 'bad']

  it.each<[code: number, args: () => string[]]>([
    [0, () => [runs.three, ...TWO]],
    [1, () => [runs.three, ...TWO, '--fail-on-regression']],
    [1, () => [runs.three, ...TWO, '--fail-on-regression', '--margin', '0.2']],
    [0, () => [runs.three, ...TWO, '--fail-on-regression', '--margin', '0.3']],
    [4, () => [runs.three, ...TWO, '--require-conclusive', '--margin', '0.3']],
    [0, () => [runs.three, ...TWO, '--require-conclusive', '--margin', '0.7']],
    [1, () => [runs.three, '--target', 'good', '--target', 'shaky', '--fail-on-new-failures']],
    [0, () => [runs.three, '--target', 'shaky', '--target', 'good', '--fail-on-new-failures', '--fail-on-regression']],
    [0, () => [runs.three, '--target', 'bad', '--target', 'good', '--fail-on-regression', '--require-conclusive']],
    [0, () => [runs.three, '--target', 'good', '--target', 'shaky', '--fail-on-regression']],
    [4, () => [runs.three, '--target', 'good', '--target', 'shaky', '--fail-on-regression', '--require-conclusive']],
    [1, () => [runs.three, ...TWO, '--fail-on-regression', '--require-conclusive']],
    [5, () => [runs.other, runs.good]],
    [5, () => [runs.other, runs.good, '--fail-on-regression']],
    [0, () => [runs.good, runs.good]],
    [2, () => [runs.good, 'latest', '--target', 'good', '--target', 'unknown']],
  ])('are %d for %s', async (code, args) => {
    expect((await compare(...args())).code).toBe(code)
  })

  it.each<[what: string, args: () => string[], message: string]>([
    ['an unknown run', () => ['nowhere', 'latest'], 'Run nowhere not found in '],
    [
      'an unknown target',
      () => [runs.three, '--target', 'good', '--target', 'unknown'],
      ' has no target unknown. Its targets: good, bad, shaky.\n',
    ],
    [
      'one target',
      () => [runs.three, '--target', 'good'],
      'Name two runs, two targets of this run with --target, or the one that all others are compared with by --control. Its targets: good, bad, shaky.\n',
    ],
    ['a run with three targets', () => [runs.three], 'by --control. Its targets: good, bad, shaky.\n'],
    ['a run with one target', () => [runs.good], 'by --control. Its targets: good.\n'],
    [
      'three targets',
      () => [runs.three, runs.three, ...TWO, '--target', 'shaky'],
      'Name one target for both runs, or one of each run: 3 --targets given.\n',
    ],
    ['an invalid margin', () => [runs.good, runs.bad, '--margin', '5'], 'It must be a number from 0 to 1.'],
  ])('are 2 for %s', async (_, args, message) => {
    const { code, stdout, stderr } = await compare(...args())
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
  })
})

describe('--json', () => {
  it('has the complete comparison, without single attempts', async () => {
    const { code, stdout } = await compare(runs.good, runs.bad, '--json')
    expect(code).toBe(0)
    const { comparisons, agreement } = JSON.parse(stdout)
    expect(agreement).toBeUndefined()
    expect(comparisons).toHaveLength(1)
    expect(comparisons[0]).toMatchObject({
      verdict: 'worse',
      margin: 0,
      before: { label: `${runs.good} good`, pass_rate: { rate: 1, tests: 20, attempts: 20 } },
      after: { label: `${runs.bad} bad`, pass_rate: { rate: 0.5, tests: 20, attempts: 20 } },
      evidence: { mean: -0.5, test: 'mid-p McNemar', differing: 10 },
      errors: { before: 0, after: 0 },
      errors_rose: false,
      broke: [],
      mended: [],
      detectable: expect.closeTo(0.35, 2),
      new: [],
      gone: [],
      changed: [],
    })
    expect(comparisons[0].new_failures).toHaveLength(10)
    expect(comparisons[0].new_failures[0]).toEqual({
      suite: 'words',
      test_id: 't10',
      verdict: 'fail',
      is_changed: false,
    })
    expect(stdout).not.toContain('outcomes')
    expect(comparisons[0].pairs).toHaveLength(20)
    expect(comparisons[0].pairs[0]).toEqual({ suite: 'words', test_id: 't10', before: 1, after: 0, difference: -1 })
  })

  it('lists an edited test as changed', async () => {
    const edited = recordsOf(cwd, runs.bad).map(record => ({ ...record, test_hash: `${record.test_hash}x` }))
    writeFileSync(join(cwd, 'edited.jsonl'), edited.map(record => `${JSON.stringify(record)}\n`).join(''))
    const { code, stdout } = await compare(runs.good, 'edited.jsonl', '--json')
    expect(code).toBe(5)
    expect(JSON.parse(stdout).comparisons[0].changed).toHaveLength(20)
    expect(JSON.parse(stdout).comparisons[0].changed[0]).toEqual({ suite: 'words', test_id: 't10' })
  })
})
