import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { evaluate } from '../../../src/index.ts'
import { assay } from '../../support/in-process.ts'
import { folderWith, type Result } from '../../support/program.ts'
import { providerModule, recordsOf, runInfoOf } from '../../support/runs.ts'

/** A provider that answers with the maximum number of concurrent calls. */
const COUNTER = providerModule(
  `active++
    most = Math.max(most, active)
    await host.clock.sleep(100, signal)
    active--
    return { text: 'at once: ' + most }`,
  'let active = 0, most = 0',
)

const judge = (name: string) => ({ name, provider: 'mock', response: JSON.stringify({ score: 1, reasoning: name }) })

const TARGETS = {
  targets: [
    { name: 'default', provider: 'mock', response: 'default' },
    { name: 'first', provider: 'mock', response: 'first' },
    { name: 'second', provider: 'mock', response: 'second' },
    { name: 'judged', provider: 'mock', response: 'judged', judge_target: 'kind' },
    { name: 'counter', provider: './counter.mjs' },
    { name: 'slow', provider: 'cli', command: ['node', '-e', 'setTimeout(() => {}, 60000)'] },
    ...['judge', 'strict', 'kind', 'given'].map(judge),
  ],
}

const CONFIG = {
  target: ['first', 'second'],
  workers: 1,
  timeout_seconds: 1,
  judge: 'strict',
  eval_patterns: ['checks/*.yaml', 'more'],
}

const test = (id: string, target?: string, check: object = { type: 'regex', value: '.' }) => ({
  id,
  criteria: 'Answers',
  input: 'Hello',
  ...(target === undefined ? {} : { execution: { target } }),
  assert: [check],
})

const suite = (name: string, tests: object[], keys: object = {}) => JSON.stringify({ name, ...keys, tests })

const FILES = {
  '.assay/config.yaml': JSON.stringify(CONFIG),
  '.assay/targets.yaml': JSON.stringify(TARGETS),
  // The configuration of another tool is ignored.
  '.agentv/config.yaml': 'required_version: ">=2"\nexecution: {verbose: true}\n',
  'counter.mjs': COUNTER,
  'checks/one.yaml': suite('one', [
    test('plain'),
    test('named', 'default'),
    test('judged-by-default', 'first', { type: 'llm_judge', prompt: 'Well?' }),
    test('judged-by-its-target', 'judged', { type: 'llm_judge', prompt: 'Well?' }),
    test('too-slow', 'slow'),
    test('count-1', 'counter'),
    test('count-2', 'counter'),
  ]),
  // A folder that a pattern matches: only its suite files count.
  'more/deep/EVAL.yaml': suite('more', [test('of-suite')], { execution: { target: 'default' } }),
  'more/list.yaml': '[]',
  'EVAL.yaml': suite('root', [test('root')]),
  'work/notes.txt': 'Not a suite.',
}

/** Each test with its target, sorted. */
const testsWithTargets = (cwd: string) =>
  recordsOf(cwd)
    .map(({ test_id, target }) => `${test_id} on ${target}`)
    .sort()

const reasonings = (cwd: string) =>
  Object.fromEntries(
    recordsOf(cwd).flatMap(({ test_id, evaluator_results }) =>
      evaluator_results.flatMap(({ reasoning }) => (reasoning === undefined ? [] : [[test_id, reasoning]])),
    ),
  )

const answersOf = (cwd: string, id: string) =>
  recordsOf(cwd)
    .filter(({ test_id }) => test_id.startsWith(id))
    .map(({ answer }) => answer)

describe('eval with a configuration', () => {
  const cwd = folderWith(FILES)
  let ended: Result

  beforeAll(async () => {
    ended = await assay(['eval'], { cwd: join(cwd, 'work') })
  })

  it('runs the suites of `eval_patterns`, relative to the folder of .assay', () => {
    expect(ended.code).toBe(3)
    expect(new Set(recordsOf(cwd).map(({ file }) => file))).toEqual(new Set(['checks/one.yaml', 'more/deep/EVAL.yaml']))
  })

  it('uses the configured target only if suite and test name none', () => {
    expect(testsWithTargets(cwd)).toEqual([
      'count-1 on counter',
      'count-2 on counter',
      'judged-by-default on first',
      'judged-by-its-target on judged',
      'named on default',
      'of-suite on default',
      'plain on first',
      'plain on second',
      'too-slow on slow',
    ])
  })

  it('uses the configured judge if the target names none', () => {
    expect(reasonings(cwd)).toEqual({ 'judged-by-default': 'strict', 'judged-by-its-target': 'kind' })
  })

  it('uses the configured timeout and workers', () => {
    const { error } = recordsOf(cwd).find(({ test_id }) => test_id === 'too-slow') ?? {}
    expect(error).toMatchObject({ code: 'timeout', message: expect.stringContaining('1 s') })
    expect(answersOf(cwd, 'count-')).toEqual(['at once: 1', 'at once: 1'])
  })

  it('records the options of the configuration', () => {
    expect(runInfoOf(cwd).options).toEqual({
      paths: [cwd],
      eval_patterns: CONFIG.eval_patterns,
      defaults: { targets: CONFIG.target, judge: 'strict' },
      timeout_seconds: 1,
    })
  })

  it('keeps the recorded options on --resume after the configuration changed', async () => {
    folderWith({ '.assay/config.yaml': 'target: default\njudge: kind\neval_patterns: [EVAL.yaml]\n' }, cwd)
    const resumed = await assay(['eval', '--resume'], { cwd })
    folderWith({ '.assay/config.yaml': FILES['.assay/config.yaml'] }, cwd)
    expect(resumed.stderr).toContain('Resuming: 9 of 9 attempts recorded.')
    expect(resumed.code).toBe(3)
    expect(recordsOf(cwd)).toHaveLength(9)
    const { timeout_seconds, ...about } = runInfoOf(cwd).options
    expect(about).toEqual({
      paths: [cwd],
      eval_patterns: CONFIG.eval_patterns,
      defaults: { targets: CONFIG.target, judge: 'strict' },
    })
    // The timeout is not recorded, so that a resume can use a longer one.
    expect(timeout_seconds).toBeUndefined()
  })
})

describe('the command line', () => {
  const cwd = folderWith(FILES)

  it('overrides the configuration with --target, --judge, --workers and paths', async () => {
    const args = ['../checks', '../checks/one.yaml', '--target', 'counter', '--judge', 'given', '--workers', '9']
    const { code, stderr } = await assay(['eval', ...args], { cwd: join(cwd, 'work') })
    // The patterns do not apply to named folders, and this one has no suite file.
    expect([code, stderr]).toEqual([5, expect.stringContaining(`evals/*/prompt.md in ${join(cwd, 'checks')}.\n`)])
    expect(new Set(testsWithTargets(cwd).map(text => text.split(' on ')[1]))).toEqual(new Set(['counter']))
    expect(answersOf(cwd, '')).toContain('at once: 7')
    expect(reasonings(cwd)).toEqual({ 'judged-by-default': 'given', 'judged-by-its-target': 'given' })
    expect(runInfoOf(cwd).options).toMatchObject({ targets: ['counter'], judge: 'given' })
    expect(runInfoOf(cwd).options).not.toHaveProperty('eval_patterns')
  })
})

describe('evaluate()', () => {
  it('ignores the configuration, but accepts the same options', async () => {
    const cwd = folderWith({ ...FILES, '.assay/config.yaml': 'target: nobody\nno: such key\n' })
    const paths = ['EVAL.yaml']
    const own = await evaluate({ cwd, paths })
    expect(own.diagnostics).toEqual([])
    const given = await evaluate({ cwd, paths: ['.'], eval_patterns: ['EVAL.yaml'], defaults: { targets: ['second'] } })
    const targets = [own, given].map(({ run }) => [...(run?.results() ?? [])].map(({ target }) => target))
    expect(targets).toEqual([['default'], ['second']])
  })
})

describe('other commands with a configuration', () => {
  const cwd = folderWith({ ...FILES, '.assay/config.yaml': 'eval_patterns: [checks/*.yaml]\n' })

  it('list uses the configured patterns', async () => {
    const { stdout } = await assay(['list', '--json'], { cwd: join(cwd, 'work') })
    expect(JSON.parse(stdout).map(({ file }: { file: string }) => file)).toEqual(['../checks/one.yaml'])
  })

  it('validate uses the configured patterns, and checks the configuration', async () => {
    const { code, stdout } = await assay(['validate'], { cwd: join(cwd, 'work') })
    expect([code, stdout]).toEqual([0, 'No problems: 3 files checked, 1 suite with 7 tests.\n'])
    const named = await assay(['validate', '.assay/config.yaml'], { cwd })
    expect([named.code, named.stdout]).toEqual([0, 'No problems: 1 file checked, 0 suites with 0 tests.\n'])
  })

  it.each(['eval', 'validate'])('%s reports that no file matches', async command => {
    const files = { ...FILES, '.assay/config.yml': 'eval_patterns: ["chekcs/*.yaml", gone]\n' }
    const { '.assay/config.yaml': _, ...others } = files
    const folder = folderWith(others)
    const { code, stderr } = await assay([command], { cwd: join(folder, 'work') })
    expect([code, stderr]).toEqual([
      5,
      `No suite found: looked for chekcs/*.yaml, gone in ${folder}.\nName a file, or write a first suite with \`assay init\`.\n`,
    ])
  })
})

describe('an invalid configuration', () => {
  const cwd = folderWith({ ...FILES, '.assay/config.yaml': 'workers: 4\ntargt: first\n' })
  const frame = `../.assay/config.yaml:2:1 error unknown-key
  unknown key \`targt\`
  1 | workers: 4
  2 | targt: first
    | ^^^^^
  hint: did you mean \`target\`?
`

  it.each([['eval', '../EVAL.yaml'], ['list']])('stops %s %s, with exit code 2', async (...args) => {
    const { code, stdout, stderr } = await assay(args, { cwd: join(cwd, 'work') })
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(frame) })
    expect(existsSync(join(cwd, '.assay/runs'))).toBe(false)
  })

  it('is reported once by validate', async () => {
    const { code, stdout } = await assay(['validate'], { cwd: join(cwd, 'work') })
    expect(code).toBe(2)
    expect(stdout).toBe(`${frame}\n1 error, 0 warnings in 1 file (1 file checked)\n`)
    const targets = await assay(['validate', '../EVAL.yaml', '--targets', '--json'], { cwd: join(cwd, 'work') })
    expect(JSON.parse(targets.stdout)).toMatchObject({ errors: 1, diagnostics: [{ code: 'unknown-key', line: 2 }] })
  })
})

it('reports an unknown target at its location in the configuration', async () => {
  const cwd = folderWith({ ...FILES, '.assay/config.yaml': '# Mine.\ntarget: frist\njudge: strcit\n' })
  const { code, stderr } = await assay(['eval', 'EVAL.yaml', 'checks/one.yaml'], { cwd })
  expect(code).toBe(2)
  expect(stderr).toContain('.assay/config.yaml:2:9 error unknown-target\n')
  expect(stderr).toContain('.assay/config.yaml:3:8 error unknown-target\n')
})
