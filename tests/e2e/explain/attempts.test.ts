import { describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import {
  EACH_VERDICT,
  latestId,
  mockTargets,
  recordsOf,
  runInfoOf,
  suiteFolder,
  wordTest,
  YES_AND_NO,
} from '../../support/runs.ts'

describe('explain', async () => {
  const cwd = suiteFolder(EACH_VERDICT)
  await assay(['eval'], { cwd })

  it('shows the score calculation of a borderline test', async () => {
    const { code, stdout, stderr } = await assay(['explain', 'latest', 'middling'], { cwd })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(`middling on default, trial 1: borderline  (EVAL.yaml:8)
input: yes
answer: yes
├─ contains: 1 × 3
│    Output contains 'yes'
│    + contains "yes"
└─ contains-2: 0 × 2
     Output contains 'maybe'
     - does not contain "maybe"
score = (1 × 3 + 0 × 2) / 5 = 0.6
verdict: borderline (pass from 0.8, borderline from 0.6)
`)
  })

  it('names a missed required check', async () => {
    const { stdout } = await assay(['explain', latestId(cwd), 'bad'], { cwd })
    expect(stdout).toBe(`bad on default, trial 1: fail  (EVAL.yaml:14)
input: no
answer: no
├─ contains: 0 × 1, required 0.8: missed
│    Output contains 'yes'
│    - does not contain "yes"
└─ denial: 1 × 1
     Output exactly equals: no
     + equals "no"
score = (0 × 1 + 1 × 1) / 2 = 0.5
verdict: fail (a required check was missed: contains)
`)
  })

  it('explains why there is no score', async () => {
    const { stdout } = await assay(['explain', 'latest', 'broken'], { cwd })
    expect(stdout).toBe(`broken on default, trial 1: error  (EVAL.yaml:20)
input: Well?
error in the answer: no pattern of the target matches the last user message \`Well?\`
`)
    const slow = suiteFolder(
      { name: 'slow', tests: [{ ...wordTest('slow', 'go', 'b'), execution: { assert: [SLOW] } }] },
      mockTargets(['go', `${'a'.repeat(40)}b`]),
    )
    await assay(['eval'], { cwd: slow })
    const explained = await assay(['explain', 'latest', 'slow'], { cwd: slow })
    expect(explained.stdout).toContain('├─ contains: 1 × 1\n')
    expect(explained.stdout).toContain('└─ regex: no score\n')
    expect(explained.stdout).toContain('     ! the pattern took more than a second: (a+)+$\n')
    expect(explained.stdout).toContain('error in the grade: regex: the pattern took more than a second')
    expect(explained.stdout).not.toContain('score =')
  })

  it('shows all tests that match a pattern, in plan order', async () => {
    const { stdout } = await assay(['explain', 'latest', '*d*'], { cwd })
    const heads = [...stdout.matchAll(/^(\w+) on default/gm)].map(([, id]) => id)
    expect(heads).toEqual(['good', 'middling', 'bad'])
  })

  it('prints the results as one document with --json', async () => {
    const { stdout } = await assay(['explain', 'latest', 'b*', '--json'], { cwd })
    const ids = ['bad', 'broken']
    expect(JSON.parse(stdout)).toEqual(ids.map(id => recordsOf(cwd).find(({ test_id }) => test_id === id)))
  })

  it('adds up for any weights', async () => {
    const checks = [0.1, 0.2, 0.7].map((weight, index) => ({
      type: 'contains',
      value: index < 2 ? 'yes' : 'no',
      weight,
    }))
    const folder = suiteFolder({ name: 'sum', tests: [{ ...wordTest('sum', 'yes', 'yes'), assert: checks }] })
    await assay(['eval'], { cwd: folder })
    const { stdout } = await assay(['explain', 'latest', 'sum'], { cwd: folder })
    expect(stdout).toContain('score = (1 × 0.1 + 1 × 0.2 + 0 × 0.7) / 1 = 0.3\n')
  })

  it.each<[args: string[], code: number, message: RegExp]>([
    [['latest', 'godo'], 5, /^No result of a test godo in this run: did you mean `?good`?\?\n$/],
    [['latest', 'GOOD'], 5, /^No result of a test GOOD in this run: /],
    [['latest', 'qqq*'], 5, /^No result of a test qqq\* in this run: see the ids with `assay list`\n$/],
    [['no-such-run', 'good'], 2, /^Run no-such-run not found in .*runs; the latest are \d{8}-\d{6}-[a-z]{4}\.\n$/],
    [['latest'], 2, /missing required argument 'test'/],
  ])('%j', async (args, expected, message) => {
    const { code, stdout, stderr } = await assay(['explain', ...args], { cwd })
    expect({ code, stdout }).toEqual({ code: expected, stdout: '' })
    expect(stderr).toMatch(message)
  })

  it('reports that there are no runs', async () => {
    const { code, stderr } = await assay(['explain', 'latest', 'good'], { cwd: suiteFolder(EACH_VERDICT) })
    expect(code).toBe(2)
    expect(stderr).toMatch(/^No runs found in .*\.assay\/runs\.\n$/)
  })
})

const SLOW = { type: 'regex', value: '(a+)+$', flags: 'i' }

describe('the summary', () => {
  it('shows each failed check with its location', async () => {
    const suite = `name: placed
tests: ./more.yaml
assert:
  - {name: short, type: regex, value: '^.{0,3}$'}
  - type: contains
    value: maybe
`
    const more = `- id: a
  criteria: Good
  input: "yes"
  assert:
    - {type: contains, value: "yes"}
    - {type: contains_all, value: [perhaps, "yes", possibly], required: true}
`
    const cwd = suiteFolder(suite, YES_AND_NO, { 'more.yaml': more })
    const { stderr } = await assay(['eval'], { cwd })
    expect(stderr).toContain(`
fail a on default score 0.50 more.yaml:1
  contains_all (required) more.yaml:6
    does not contain "perhaps"
    does not contain "possibly"
  contains-2 EVAL.yaml:5
    does not contain "maybe"
  answer: yes

suite `)
  })

  it('shows locations relative to the current folder', async () => {
    const cwd = suiteFolder(EACH_VERDICT, YES_AND_NO, { '.git/HEAD': '', 'sub/x.txt': '' })
    const { stderr } = await assay(['eval', '..', '--test-id', 'bad'], { cwd: `${cwd}/sub` })
    expect(stderr).toContain('fail bad on default score 0.50 ../EVAL.yaml:14\n  contains (required) ../EVAL.yaml:18\n')
    const explained = await assay(['explain', 'latest', 'bad'], { cwd: `${cwd}/sub` })
    expect(explained.stdout).toContain('(../EVAL.yaml:14)')
  })

  it('truncates long answers and misses, never inside a character', async () => {
    const long = `${'x'.repeat(159)}👍${'y'.repeat(500)}`
    const suite = { name: 'long', tests: [wordTest('a', 'go', `${'z'.repeat(400)}!`)] }
    const { stderr } = await assay(['eval'], { cwd: suiteFolder(suite, mockTargets(['go', long])) })
    const [, answer = ''] = /^ {2}answer: (.*)$/m.exec(stderr) ?? []
    expect(answer).toMatch(/^x{159}(👍)?…$/u)
    expect(stderr).not.toContain('\ufffd')
    const [, miss = ''] = /^ {4}(does not contain .*)$/m.exec(stderr) ?? []
    expect(miss).toMatch(/^does not contain "z{100,200}…"$/)
  })

  it('shows a multi-line answer on one line, without control characters', async () => {
    const suite = { name: 'lines', tests: [wordTest('a', 'go', 'maybe')] }
    const answer = 'one\ntwo\u001b[31m red\r\n\u202eback'
    const { stderr } = await assay(['eval'], { cwd: suiteFolder(suite, mockTargets(['go', answer])) })
    expect(stderr).toContain('  answer: one↵two␛[31m red')
    for (const character of ['\u001b', '\u202e', '\r']) expect(stderr).not.toContain(character)
  })

  it('has a row for each suite and target', async () => {
    const targets = JSON.stringify({
      targets: [
        { name: 'kind', provider: 'mock', response: 'yes' },
        { name: 'rude', provider: 'mock', response: 'no' },
      ],
    })
    const one = { name: 'one', execution: { targets: ['kind', 'rude'] }, tests: [wordTest('a', 'Hi', 'yes')] }
    const cwd = suiteFolder(one, targets, { 'two.eval.yaml': JSON.stringify({ ...one, name: 'another' }) })
    const { code, stderr } = await assay(['eval'], { cwd })
    expect(code).toBe(1)
    expect(stderr).toContain(`
suite    target  tests  pass  borderline  fail  error  pass rate  score
one      kind        1     1           0     0      0      100 %   1.00
one      rude        1     0           0     1      0        0 %   0.00
another  kind        1     1           0     0      0      100 %   1.00
another  rude        1     0           0     1      0        0 %   0.00
1 trial: reliability unknown
`)
    expect(stderr).toContain('2 tests × 2 targets: 2 passed, 2 failed\n')
  })

  it('adds up the cost', async () => {
    const suite = { name: 'cost', tests: ['a', 'b'].map(id => wordTest(id, 'go', 'yes')) }
    const cwd = suiteFolder(suite, mockTargets(['go', 'yes', { cost_usd: 0.1 }]))
    const { stderr } = await assay(['eval', '--trials', '3'], { cwd })
    expect(stderr).toContain('2 tests: 2 passed, cost $0.6000\n')
  })

  it('reports a run without attempts', async () => {
    const cwd = suiteFolder({ name: 'few', tests: [wordTest('a', 'yes', 'yes')] })
    const runs = await Promise.all(['1/2', '2/2'].map(shard => assay(['eval', '--shard', shard], { cwd })))
    expect(runs.map(({ code }) => code)).toEqual([0, 0])
    expect(runs.some(({ stderr }) => stderr.includes('0 tests: none run\n'))).toBe(true)
    expect(runInfoOf(cwd).total).toBe(1)
  })
})
