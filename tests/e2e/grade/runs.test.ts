import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { folderWith, type Result } from '../../support/program.ts'
import { latestId, recordsOf, runIds, runInfoOf, verdictsOf } from '../../support/runs.ts'
import { say } from '../../support/servers/model-servers.ts'
import { type Server, serve } from '../../support/servers/server.ts'
import { linesOf } from '../../support/suite-run.ts'
import { judgeTarget, serveJudge } from './rubric-judge.ts'

let agent: Server
let judge: Server

beforeAll(async () => {
  agent = await serve(say(200, { text: 'It costs 5 euro.' }))
  judge = await serveJudge()
})

afterAll(async () => {
  await agent.close()
  await judge.close()
})

const PROGRAM = `import { appendFileSync } from 'node:fs'
appendFileSync('calls.txt', 'asked\\n')
console.log('It costs 4 euro.')
`

/** A suite with one test for each of two rubrics. */
const suiteOf = (price: string, { input = 'How much is it?', more = [] as object[] } = {}) =>
  JSON.stringify({
    name: 'prices',
    execution: { targets: ['program', 'service'] },
    tests: [
      { id: 'price', criteria: 'Says the price', input, assert: [{ type: 'rubrics', criteria: [price] }] },
      { id: 'unit', criteria: 'Says the unit', input: 'In what?', assert: [{ type: 'rubrics', criteria: ['euro'] }] },
      ...more,
    ],
  })

function priceFolder(): string {
  const targets = [
    { name: 'program', provider: 'cli', command: ['node', 'agent.mjs'], env: { KEY: '${{ PROGRAM_KEY }}' } },
    {
      name: 'service',
      provider: 'http',
      url: agent.url,
      headers: { Authorization: '${{ SERVICE_KEY }}' },
      body: { q: '{{prompt}}' },
      response: { text: 'text' },
    },
    judgeTarget(judge),
    judgeTarget(judge, 'other'),
  ]
  return folderWith({
    'EVAL.yaml': suiteOf('4 euro'),
    'agent.mjs': PROGRAM,
    '.assay/targets.yaml': JSON.stringify({ targets }),
  })
}

const KEYS = { PROGRAM_KEY: 'program-key-1234', SERVICE_KEY: 'service-key-1234' }
const byTarget = (cwd: string, target: string) => verdictsOf(recordsOf(cwd).filter(record => record.target === target))

describe('grade after a change of the rubric', () => {
  let cwd: string
  let source: string
  let graded: Result
  let id: string
  let calls: { program: number; service: number; judge: number }
  const counted = () => ({
    program: linesOf(join(cwd, 'calls.txt')).length,
    service: agent.calls.length,
    judge: judge.calls.length,
  })
  const grade = (...args: string[]) => assay(['grade', ...args], { cwd })

  beforeAll(async () => {
    cwd = priceFolder()
    await assay(['eval', '--trials', '2', '--quiet'], { cwd, env: KEYS })
    source = latestId(cwd)
    expect(byTarget(cwd, 'program')).toEqual({ price: 'pass', unit: 'pass' })
    expect(byTarget(cwd, 'service')).toEqual({ price: 'fail', unit: 'pass' })
    calls = counted()
    // Grading needs neither the program nor the keys of the targets.
    rmSync(join(cwd, 'agent.mjs'))
    writeFileSync(join(cwd, 'EVAL.yaml'), suiteOf('5 euro'))
    graded = await grade(source)
    id = latestId(cwd)
  })

  it('scores the answers without any call to a target', () => {
    expect(calls).toMatchObject({ program: 4 })
    expect(counted()).toEqual({ ...calls, judge: calls.judge + 8 })
    expect(byTarget(cwd, 'program')).toEqual({ price: 'fail', unit: 'pass' })
    expect(byTarget(cwd, 'service')).toEqual({ price: 'pass', unit: 'pass' })
  })

  it('writes a new run that names its source', () => {
    expect(id).not.toBe(source)
    expect(graded.code).toBe(1)
    expect(graded.stderr).toContain('2 tests × 2 targets: 3 passed, 1 failed, 8 judge calls\n')
    expect(graded.stderr).toContain(`recorded in .assay/runs/${id}\n`)
    expect(runInfoOf(cwd, id)).toMatchObject({ source, targets: [{ name: 'program' }, { name: 'service' }] })
    expect(runInfoOf(cwd, id).judges).toMatchObject([{ name: 'judge', provider: 'openai_compatible' }])
    expect(runInfoOf(cwd, source)).not.toHaveProperty('source')
  })

  it('keeps the recorded answers, targets and trials', () => {
    const facts = (run: string) =>
      recordsOf(cwd, run)
        .map(({ test_id, target, provider, trial, answer, duration_ms }) => [
          test_id,
          target,
          provider,
          trial,
          answer,
          duration_ms,
        ])
        .sort()
    expect(facts(id)).toEqual(facts(source))
    expect(facts(id)).toHaveLength(8)
  })

  it('writes no secrets', () => {
    for (const file of ['run.json', 'results.jsonl', 'answers.jsonl'])
      expect(readFileSync(join(cwd, '.assay/runs', id, file), 'utf8')).not.toContain('key-1234')
  })

  it('can be compared with its source, with the agreement of the verdicts', async () => {
    const { code, stdout, stderr } = await assay(['compare', source, id], { cwd })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('left out: 1 changed\n  changed  prices price\n')
    expect(stdout.endsWith('\nsame answers, graded twice: 50 % of 4 tests have the same verdict, κ -0.33\n')).toBe(true)
    const { agreement } = JSON.parse((await assay(['compare', id, source, '--json'], { cwd })).stdout)
    expect(agreement).toEqual({ tests: 4, errors: 0, share: 0.5, kappa: expect.closeTo(-1 / 3, 12) })
  })

  it('cannot be resumed', async () => {
    for (const option of [`--resume=${id}`, `--rerun-failed=${id}`]) {
      const { code, stderr } = await assay(['eval', option], { cwd, env: KEYS })
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: `${id} graded the answers of ${source} again: \`assay grade ${source}\` grades them once more.\n`,
      })
    }
  })

  it('can be graded again with another judge and suite', async () => {
    writeFileSync(join(cwd, 'strict.yaml'), suiteOf('6 euro'))
    const before = judge.calls.length
    const { code, stderr } = await grade(id, '--suite', 'strict.yaml', '--judge', 'other', '--json')
    expect([code, stderr.includes('2 tests × 2 targets: 2 passed, 2 failed')]).toEqual([1, true])
    const asked = judge.calls.slice(before).map(({ body }) => JSON.parse(body).model)
    expect(asked).toEqual(Array(8).fill('other'))
    expect(runInfoOf(cwd)).toMatchObject({ source: id, suites: [{ file: 'strict.yaml' }] })
    expect((await assay(['compare', id, 'latest'], { cwd })).stderr).toContain('judged by different models')
  })

  it('asks a judge that is also a target, instead of reusing its answers', async () => {
    const asked = judge.calls.length
    writeFileSync(join(cwd, 'self.yaml'), suiteOf('4 euro').replace('"program","service"', '"other"'))
    expect((await assay(['eval', 'self.yaml', '--quiet', '--judge', 'other'], { cwd, env: KEYS })).code).toBe(1)
    expect(judge.calls.length - asked).toBe(4)
    const { code } = await grade('latest', '--judge', 'other')
    expect([code, judge.calls.length - asked]).toEqual([1, 6])
    expect(recordsOf(cwd).map(({ verdict }) => verdict)).toEqual(['fail', 'fail'])
  })

  it('skips answers of changed or removed tests, and reports them', async () => {
    writeFileSync(join(cwd, 'EVAL.yaml'), suiteOf('4 euro', { input: 'What does it cost?' }))
    const { code, stderr } = await grade(source)
    expect(code).toBe(0)
    expect(stderr).toContain('4 answers skipped, since the test was removed or changed: price\n')
    expect(stderr).toContain('\npartial run: 1 of 2 tests have an answer\n1 test × 2 targets: 2 passed')
    expect(recordsOf(cwd).map(({ test_id }) => test_id)).toEqual(['unit', 'unit', 'unit', 'unit'])
  })

  it('does not ask new tests', async () => {
    const more = [{ id: 'new', criteria: 'Says hello', input: 'Hi', assert: [{ type: 'contains', value: 'Hello' }] }]
    writeFileSync(join(cwd, 'EVAL.yaml'), suiteOf('4 euro', { more }))
    const { code } = await grade(source, '--quiet')
    expect([code, recordsOf(cwd).length]).toEqual([1, 8])
    expect(counted()).toMatchObject({ program: calls.program, service: calls.service })
  })

  it('exits with 5 if no answer belongs to a current test', async () => {
    const before = runIds(cwd)
    writeFileSync(
      join(cwd, 'none.yaml'),
      JSON.stringify({ name: 'none', tests: [{ id: 'x', criteria: 'y', input: 'z' }] }),
    )
    const { code, stderr } = await grade(source, '--suite', 'none.yaml')
    expect({ code, stderr }).toEqual({
      code: 5,
      stderr: 'No answer of the run belongs to a test as it is written now.\n',
    })
    expect(runIds(cwd)).toEqual(before)
  })

  it('reports a missing judge at the location of the check', async () => {
    writeFileSync(join(cwd, 'EVAL.yaml'), suiteOf('4 euro'))
    writeFileSync(join(cwd, 'empty.yaml'), 'targets: []\n')
    const { code, stderr } = await grade(source, '--targets', 'empty.yaml')
    expect(code).toBe(2)
    expect(stderr).toMatch(/^EVAL\.yaml:1:\d+ error no-judge\n {2}no judge for this check\n/m)
    const unknown = await grade(source, '--judge', 'nobody')
    expect([unknown.code, unknown.stderr.includes('no target named `nobody`')]).toEqual([2, true])
  })

  it.each<[what: string, args: string[], code: number, message: string]>([
    ['an unknown run', ['nowhere'], 2, 'Run nowhere not found in '],
    ['an output that cannot be written', ['latest', '-o', 'x.docx'], 2, 'Cannot write x.docx'],
    ['a missing suite', ['latest', '--suite', 'gone.eval.yaml'], 2, 'gone.eval.yaml'],
  ])('rejects %s', async (_, args, code, message) => {
    const ended = await grade(...args)
    expect(ended.code).toBe(code)
    expect(ended.stderr).toContain(message)
  })

  it('rejects a results file without run.json', async () => {
    folderWith({ 'results.jsonl': '' }, join(cwd, 'alone'))
    const { code, stderr } = await grade('alone')
    expect([code, stderr]).toEqual([2, `${join(cwd, 'alone')} has no run.json, so its suite is unknown.\n`])
  })
})

describe('grade of equal test ids in two suites', () => {
  const suite = (target: string, name = target, word = target) =>
    JSON.stringify({
      name,
      execution: { target },
      tests: [{ id: 'same', criteria: 'Says it', input: 'Well?', assert: [{ type: 'contains', value: word }] }],
    })
  const facts = (cwd: string) =>
    recordsOf(cwd).map(({ suite, target, answer, verdict }) => [suite, target, answer, verdict])
  let cwd: string
  let source: string

  beforeAll(async () => {
    const targets = ['yes', 'no'].map(name => ({ name, provider: 'mock', response: name }))
    const files = { 'a.eval.yaml': suite('yes'), 'b.eval.yaml': suite('no') }
    cwd = folderWith({ ...files, '.assay/targets.yaml': JSON.stringify({ targets }) })
    await assay(['eval', '--quiet'], { cwd })
    source = latestId(cwd)
  })

  it('uses the answers of each suite', async () => {
    expect((await assay(['grade', source, '--quiet'], { cwd })).code).toBe(0)
    expect(facts(cwd).sort()).toEqual([
      ['no', 'no', 'no', 'pass'],
      ['yes', 'yes', 'yes', 'pass'],
    ])
  })

  it('uses the answers of each suite after one was renamed and one added', async () => {
    writeFileSync(join(cwd, 'a.eval.yaml'), suite('yes', 'renamed'))
    writeFileSync(join(cwd, 'c.eval.yaml'), suite('yes', 'new'))
    expect((await assay(['grade', source, '--quiet'], { cwd })).code).toBe(0)
    expect(facts(cwd).sort()).toEqual([
      ['no', 'no', 'no', 'pass'],
      ['renamed', 'yes', 'yes', 'pass'],
    ])
  })

  it('uses all answers to the same input for a suite given with --suite', async () => {
    const { code } = await assay(['grade', source, '--quiet', '--suite', 'c.eval.yaml'], { cwd })
    expect([code, facts(cwd).map(([suite]) => suite)]).toEqual([1, ['new', 'new']])
  })
})
