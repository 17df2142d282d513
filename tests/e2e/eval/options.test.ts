import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import {
  EACH_VERDICT,
  latestId,
  OWN_TARGET,
  providerModule,
  recordsOf,
  runIds,
  suiteFolder,
  verdictsOf,
  wordTest,
  YES_AND_NO,
} from '../../support/runs.ts'

const idsOf = (cwd: string) => recordsOf(cwd).map(({ test_id, trial }) => `${test_id}#${trial}`)

describe('selection of tests', () => {
  const suite = {
    name: 'pick',
    metadata: { tags: ['all'] },
    tests: [
      wordTest('one', 'yes', 'yes', { metadata: { tags: ['x'] } }),
      wordTest('one-more', 'yes', 'yes', { metadata: { tags: ['x', 'y'] } }),
      wordTest('two', 'yes', 'yes'),
      wordTest('t.o', 'yes', 'yes', { metadata: { tags: ['y'] } }),
    ],
  }
  const cwd = suiteFolder(suite)

  it.each([
    [['--test-id', 'one'], ['one']],
    [
      ['--test-id', 'one*'],
      ['one', 'one-more'],
    ],
    [
      ['--test-id', 't?o'],
      ['t.o', 'two'],
    ],
    [['--test-id', 't.o'], ['t.o']],
    [
      ['--test-id', '*o*', '--test-id', 'none'],
      ['one', 'one-more', 't.o', 'two'],
    ],
    [
      ['--tag', 'x'],
      ['one', 'one-more'],
    ],
    [
      ['--tag', 'x', '--tag', 'y'],
      ['one', 'one-more', 't.o'],
    ],
    [
      ['--tag', 'all', '--test-id', 't*'],
      ['t.o', 'two'],
    ],
    [['--tag', 'y', '--test-id', 'one*'], ['one-more']],
  ])('%j selects the matching tests', async (args, expected) => {
    expect((await assay(['eval', ...args], { cwd })).code).toBe(0)
    expect(
      recordsOf(cwd)
        .map(({ test_id }) => test_id)
        .sort(),
    ).toEqual(expected)
  })

  it.each([[['--test-id', 'ONE']], [['--tag', 'z']], [['--tag', 'y', '--test-id', 'two']]])(
    '%j selects no tests',
    async args => {
      const fresh = suiteFolder(suite)
      const { code, stderr, stdout } = await assay(['eval', ...args], { cwd: fresh })
      expect({ code, stdout }).toEqual({ code: 5, stdout: '' })
      expect(stderr).toContain('No tests match: none of 4 tests is selected by --test-id and --tag')
      expect(readdirSync(join(fresh, '.assay'))).toEqual(['targets.yaml'])
    },
  )
})

describe('--trials', () => {
  const execution = { trials: 2 }
  const tests = [wordTest('a', 'yes', 'yes'), wordTest('b', 'yes', 'yes', { execution: { trials: 3 } })]

  it('overrides the test, which overrides the suite', async () => {
    const cwd = suiteFolder({ name: 'often', execution, tests })
    await assay(['eval', '--workers', '1'], { cwd })
    expect(idsOf(cwd)).toEqual(['a#1', 'a#2', 'b#1', 'b#2', 'b#3'])
    await assay(['eval', '--workers', '1', '--trials', '1'], { cwd })
    expect(idsOf(cwd)).toEqual(['a#1', 'b#1'])
    await assay(['eval', '--workers', '1', '--trials', '4', '--test-id', 'a'], { cwd })
    expect(idsOf(cwd)).toEqual(['a#1', 'a#2', 'a#3', 'a#4'])
  })

  it('determines the verdict by the mean score', async () => {
    const answer = `return { text: prompt.trial === 5 ? 'no' : 'yes' }`
    const cwd = suiteFolder({ name: 'mean', tests: [tests[0]] }, OWN_TARGET, { 'own.mjs': providerModule(answer) })
    const five = await assay(['eval', '--trials', '5'], { cwd })
    expect(five.code).toBe(0)
    expect(five.stderr).toContain('1 test: 1 passed\n')
    expect(
      recordsOf(cwd)
        .map(({ verdict }) => verdict)
        .sort(),
    ).toEqual(['fail', 'pass', 'pass', 'pass', 'pass'])
    expect(new Set(recordsOf(cwd).map(({ attempt_id }) => attempt_id)).size).toBe(5)
  })
})

describe('--plan', () => {
  it('prints the plan and runs nothing', async () => {
    const cwd = suiteFolder(EACH_VERDICT)
    const { code, stdout, stderr } = await assay(['eval', '--plan', '--trials', '3'], { cwd })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(
      'suite  target   provider  tests  attempts\neach   default  mock          4        12\n\n12 attempts\n',
    )
    expect(readdirSync(join(cwd, '.assay'))).toEqual(['targets.yaml'])
  })

  it('prints the plan of one shard as JSON', async () => {
    const cwd = suiteFolder(EACH_VERDICT)
    const plans = await Promise.all(
      ['1/2', '2/2'].map(shard => assay(['eval', '--plan', '--json', '--shard', shard], { cwd })),
    )
    const [first, second] = plans.map(({ stdout }) => JSON.parse(stdout))
    expect(first.attempts + second.attempts).toBe(4)
    expect([first.total, second.total]).toEqual([4, 4])
    for (const { attempts, suites } of [first, second]) {
      if (attempts > 0)
        expect(suites).toEqual([
          { suite: 'each', target: 'default', provider: 'mock', tests: attempts, attempts, judge_calls: 0 },
        ])
    }
    expect(existsSync(join(cwd, '.assay/runs'))).toBe(false)
  })
})

describe('--fail-fast', () => {
  const suite = {
    name: 'fast',
    tests: ['yes', 'no', 'yes', 'no'].map((word, index) => wordTest(`t${index}`, word, 'yes')),
  }

  it('starts no attempts after a failure', async () => {
    const cwd = suiteFolder(suite)
    const { code, stderr } = await assay(['eval', '--fail-fast', '--workers', '1'], { cwd })
    expect(code).toBe(1)
    expect(verdictsOf(recordsOf(cwd))).toEqual({ t0: 'pass', t1: 'fail' })
    expect(stderr).toContain('4 tests: 1 passed, 1 failed, 2 not run\n')
  })

  it('prints a command that resumes the run', async () => {
    const cwd = suiteFolder(suite)
    const { stderr } = await assay(['eval', '--fail-fast', '--workers', '1'], { cwd })
    const [, command = ''] = /^Resume with: assay (.+)$/m.exec(stderr) ?? []
    expect(command).toBe(`eval --resume=${latestId(cwd)}`)
    const recorded = recordsOf(cwd).length
    const resumed = await assay(command.split(' '), { cwd })
    expect(resumed.code).toBe(1)
    expect(resumed.stderr).toContain(`Resuming: ${recorded} of 4 attempts recorded.`)
    expect(resumed.stderr).toContain('4 tests: 2 passed, 2 failed\n')
    expect(verdictsOf(recordsOf(cwd))).toEqual({ t0: 'pass', t1: 'fail', t2: 'pass', t3: 'fail' })
    expect(runIds(cwd)).toHaveLength(1)
  })

  it('prints working commands for a custom --runs-dir', async () => {
    const cwd = suiteFolder(suite)
    const first = await assay(['eval', '--fail-fast', '--workers', '1', '--runs-dir', 'kept'], { cwd })
    const [, command = ''] = /^Resume with: assay (.+)$/m.exec(first.stderr) ?? []
    const resumed = await assay(command.split(' '), { cwd })
    expect(resumed.stderr).not.toContain('not found')
    expect(resumed.code).toBe(1)
    const whole = await assay(['eval', '--runs-dir', 'kept'], { cwd })
    const [, look = ''] = /^Details: assay (.+)$/m.exec(whole.stderr) ?? []
    expect((await assay(look.split(' '), { cwd })).code).toBe(0)
  })

  it('never passes if tests were not run', async () => {
    // The mean of the five trials passes, although the failed trial stops the run.
    const others = ['first', 'second', 'third', 'fourth'].map(id => wordTest(id, 'yes', 'yes'))
    const tests = [wordTest('often', 'yes', 'yes', { execution: { trials: 5 } }), ...others]
    const answer = `await host.clock.sleep(30, signal)
    return { text: prompt.trial === 5 || prompt.test_id === 'fourth' ? 'no' : 'yes' }`
    const cwd = suiteFolder({ name: 'mean', tests }, OWN_TARGET, { 'own.mjs': providerModule(answer) })
    const { code } = await assay(['eval', '--fail-fast', '--workers', '1'], { cwd })
    // Either everything ran and the last test failed, or the run is incomplete.
    expect(recordsOf(cwd).length === 9 ? [1] : [1, 3]).toContain(code)
  })
})

describe('the quality gate', () => {
  it.each<[args: string[], ids: string, code: number, text: string]>([
    [['--fail-on', 'borderline'], 'good', 0, 'quality gate passed: no test failed'],
    [['--fail-on', 'borderline'], 'middling', 1, 'quality gate failed: 1 of 1 test failed'],
    [['--fail-on', 'fail'], 'middling', 0, '1 borderline'],
    [['--min-pass-rate', '0.5'], '[gb]*d', 0, 'quality gate passed: pass rate 50 %, 50 % required'],
    [['--min-pass-rate', '0.6'], '[gb]*d', 1, 'quality gate failed: pass rate 50 %, 60 % required'],
    [['--min-pass-rate', '0'], 'bad', 0, 'quality gate passed: pass rate 0 %, 0 % required'],
    [['--min-pass-rate', '0.2'], '*', 3, 'quality gate failed: pass rate 25 %, 20 % required, 1 test with errors'],
  ])('%j on %s exits with %d', async (args, id, expected, text) => {
    const ids = id === '[gb]*d' ? ['--test-id', 'good', '--test-id', 'bad'] : ['--test-id', id]
    const { code, stderr } = await assay(['eval', ...args, ...ids], { cwd: suiteFolder(EACH_VERDICT) })
    expect(stderr).toContain(text)
    expect(code).toBe(expected)
  })

  it('counts tests that were not run as not passed in the pass rate', async () => {
    const tests = [wordTest('a', 'yes', 'yes'), wordTest('b', 'no', 'yes'), wordTest('c', 'yes', 'yes')]
    const cwd = suiteFolder({ name: 'rate', execution: { trials: 2 }, tests })
    const args = ['--fail-fast', '--workers', '1', '--min-pass-rate', '0.6']
    const { stderr } = await assay(['eval', ...args], { cwd })
    // One of three tests passed.
    expect(stderr).toContain('pass rate 33.33 %, 60 % required')
  })
})

describe('the output of eval', () => {
  it('shows only tests that did not pass with --quiet', async () => {
    const cwd = suiteFolder(EACH_VERDICT)
    const { stdout, stderr, code } = await assay(['eval', '--quiet'], { cwd })
    expect({ stdout, code }).toEqual({ stdout: '', code: 3 })
    expect(stderr).not.toMatch(/good|recorded in|^\[/m)
    for (const id of ['middling', 'bad', 'broken']) expect(stderr).toContain(`${id} on default`)
    const fine = await assay(['eval', '-q', '--test-id', 'good'], { cwd })
    expect(fine).toEqual({
      code: 0,
      stdout: '',
      stderr: '\npartial run: 1 of 4 tests selected (--test-id good)\n1 test: 1 passed\n',
    })
  })

  it('shows prompts and answers with -v', async () => {
    const cwd = suiteFolder(EACH_VERDICT)
    const { stderr } = await assay(['eval', '-v', '--workers', '1'], { cwd })
    expect(stderr).toContain('--- bad\n  user: no\n  answer: no\n')
    expect(stderr).toContain(
      '--- broken\n  user: Well?\n  no answer: no pattern of the target matches the last user message `Well?`\n',
    )
    const quiet = await assay(['eval'], { cwd })
    expect(quiet.stderr).not.toContain('---')
  })

  it('is the same under the alias `run`', async () => {
    const cwd = suiteFolder(EACH_VERDICT)
    expect((await assay(['run', '--test-id', 'good'], { cwd })).code).toBe(0)
    expect(recordsOf(cwd)).toHaveLength(1)
  })
})

describe('invalid options', () => {
  it.each<[args: string[], message: RegExp]>([
    [['--shard', '3/2'], /--shard <i\/n>' argument '3\/2' is invalid\. It must be like 1\/3/],
    [['--shard', '0/2'], /It must be like 1\/3/],
    [['--shard', '2'], /It must be like 1\/3/],
    [['--trials', '0'], /--trials <n>' argument '0' is invalid\. It must be at least 1\./],
    [['--trials', '101'], /It must be at most 100\./],
    [['--trials', '1.5'], /It must be a whole number\./],
    [['--workers', '0'], /It must be at least 1\./],
    [['--min-pass-rate', '2'], /--min-pass-rate <rate>' argument '2' is invalid\. It must be a number from 0 to 1\./],
    [['--min-pass-rate', 'x'], /It must be a number from 0 to 1\./],
    [['--max-cost', '0'], /It must be an amount above 0\./],
    [['--fail-on', 'pass'], /Allowed choices are fail, borderline\./],
    [['-o', 'x.docx'], /^Cannot write x\.docx: unsupported extension; use one of .*\.txt, .*\.json, \.jsonl/],
    [['-o', 'noending'], /^Cannot write noending: unsupported extension; use one of/],
    [['--resume=no-such-run'], /^Run no-such-run not found in /],
    [['--rerun-failed=no-such-run'], /^Run no-such-run not found in /],
    [['--target', 'defualt'], /no target named `defualt`[\s\S]*did you mean/i],
    [['--targets', 'gone.yaml'], /gone\.yaml/],
    [['--no-such-option'], /unknown option '--no-such-option'/],
  ])('%j is rejected', async (args, message) => {
    const cwd = suiteFolder(EACH_VERDICT)
    const { code, stdout, stderr } = await assay(['eval', ...args], { cwd })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(message)
    expect(readdirSync(join(cwd, '.assay'))).toEqual(['targets.yaml'])
  })

  it('do not include a repeated target, which is asked once', async () => {
    const cwd = suiteFolder(EACH_VERDICT)
    await assay(['eval', '--test-id', 'good', '--target', 'default', '--target', 'default'], { cwd })
    expect(recordsOf(cwd)).toHaveLength(1)
  })
})

describe('an invalid suite', () => {
  it('prevents all suites from running', async () => {
    const cwd = suiteFolder(EACH_VERDICT, YES_AND_NO, {
      'sub/wrong.eval.yaml':
        'name: wrong\ntests:\n  - {id: a, criteria: c, input: i, assert: [{type: contians, value: x}]}\n',
    })
    const { code, stdout, stderr } = await assay(['eval'], { cwd })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('sub/wrong.eval.yaml:3:')
    expect(stderr).toContain('unknown check type `contians`')
    expect(existsSync(join(cwd, '.assay/runs'))).toBe(false)
    expect((await assay(['eval', 'EVAL.yaml'], { cwd })).code).toBe(3)
  })
})
