import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Evaluated, evalFolder, evaluate, suiteWith } from '../../../support/evaluation.ts'
import { type Server, serve } from '../../../support/servers/server.ts'
import { type Recorded, runFolder } from '../../../support/suite-run.ts'

/** A server that numbers its answers. */
let server: Server
beforeAll(async () => {
  server = await serve(({ body }, response) => {
    const { prompt } = JSON.parse(body)
    if (prompt === 'no answer') return response.writeHead(400).end()
    const call = { tool: 'look', input: { at: prompt }, output: 'seen' }
    const output_messages = [
      { role: 'assistant', tool_calls: [call] },
      { role: 'assistant', content: `${prompt === 'bad' ? 'no' : 'ok'} ${prompt}, call ${server.calls.length}` },
    ]
    const figures = { token_usage: { input: 3, output: 4 }, cost_usd: 0.25, model: 'm1', duration_ms: 77 }
    return response.end(JSON.stringify({ output_messages, ...figures }))
  })
})
afterAll(() => server.close())

const asking = (name: string) => ({ name, provider: 'http', url: server.url })
const replaying = (from: string, more: object = {}) => ({ name: 'again', provider: 'replay', from, ...more })
const TESTS = [
  { id: 'first', input: 'good' },
  { id: 'second', input: 'bad' },
  {
    id: 'third',
    input: [
      {
        role: 'user',
        content: [
          { type: 'text', value: 'see' },
          { type: 'file', value: 'notes.md' },
        ],
      },
    ],
    assert: [
      { type: 'contains', value: 'ok', weight: 2 },
      { type: 'contains', value: 'never', weight: 1 },
    ],
  },
  { id: 'fourth', input: 'no answer' },
]

/** A folder with a recorded run of these tests. */
async function recordedRun(
  tests: readonly object[] = TESTS,
  args: readonly string[] = [],
  targets = [asking('default')],
) {
  const folder = evalFolder(tests, targets, { 'notes.md': 'Some notes.\n' })
  const first = await evaluate(folder, args)
  return { folder, first, id: basename(runFolder(folder)) }
}

/** Replays in the same folder, optionally with other tests. */
function replay(folder: string, target: object, { tests = TESTS, args = [], env = {} }: Partial<Replay> = {}) {
  writeFileSync(join(folder, 'replay.yaml'), JSON.stringify({ targets: [target] }))
  writeFileSync(join(folder, 'EVAL.yaml'), suiteWith(tests))
  return evaluate(folder, ['--targets', 'replay.yaml', '--target', 'again', ...args], env)
}

interface Replay {
  readonly tests: readonly object[]
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
}

const substance = ({ all }: Evaluated) =>
  all
    .filter(({ verdict }) => verdict !== 'error')
    .map(
      ({
        test_id,
        trial,
        verdict,
        score,
        answer,
        output_messages,
        token_usage,
        cost_usd,
        model,
        duration_ms,
      }: Recorded) => {
        return { test_id, trial, verdict, score, answer, output_messages, token_usage, cost_usd, model, duration_ms }
      },
    )

describe('replay', () => {
  let folder = ''
  let first: Evaluated
  let id = ''
  let calls = 0

  beforeAll(async () => {
    const made = await recordedRun()
    folder = made.folder
    first = made.first
    id = made.id
    calls = server.calls.length
    mkdirSync(join(folder, 'kept'))
    copyFileSync(join(runFolder(folder), 'results.jsonl'), join(folder, 'kept/results.jsonl'))
    copyFileSync(join(runFolder(folder), 'results.jsonl'), join(folder, 'kept/golden.jsonl'))
    copyFileSync(join(runFolder(folder), 'answers.jsonl'), join(folder, 'kept/answers-only.jsonl'))
  })

  it.each([
    ['latest', () => 'latest'],
    // The latest run is now the previous replay.
    ['latest, which is a replay itself', () => 'latest'],
    ['an id', () => id],
    ['a prefix of an id', () => id.slice(0, -1)],
    ['a folder', () => `.assay/runs/${id}`],
    ['an absolute path', () => join(folder, '.assay/runs', id)],
    ['a results.jsonl elsewhere', () => 'kept/results.jsonl'],
    ['a results.jsonl under another name', () => 'kept/golden.jsonl'],
    ['a variable', () => '${{ RUN }}'],
  ])('from %s gives the same answers and verdicts without any request', async (_, from) => {
    const again = await replay(folder, replaying(from()), { env: { RUN: id } })
    expect(substance(again)).toEqual(substance(first))
    expect(substance(again).map(({ verdict }) => verdict)).toEqual(['pass', 'fail', 'borderline'])
    expect(again.results.get('fourth')).toMatchObject({ verdict: 'error', error: { code: 'no-recording' } })
    expect(again.code).toBe(first.code)
    expect(server.calls).toHaveLength(calls)
  })

  it('grades with the current checks', async () => {
    const tests = [{ ...TESTS[0], assert: [{ type: 'contains', value: 'nowhere' }] }]
    const again = await replay(folder, replaying(id), { tests })
    expect({ code: again.code, verdict: again.all[0]?.verdict }).toEqual({ code: 1, verdict: 'fail' })
    expect(again.all[0]?.answer).toBe(first.results.get('first')?.answer)
  })

  it.each([
    ['another input', { id: 'first', input: 'good!' }, [], '`first` was recorded with a different input'],
    [
      'another trial',
      { id: 'first', input: 'good' },
      ['--trials', '2'],
      'this is trial 2, and only trial 1 was recorded',
    ],
    ['a similar id', { id: 'fist', input: 'else' }, [], 'did you mean `first`?'],
    ['unrelated tests', { id: 'zzz', input: 'else' }, [], 'no test `zzz` was recorded'],
  ])('reports that it found only %s', async (_, test, args, message) => {
    const again = await replay(folder, replaying(id), { tests: [test], args })
    expect(again.code).toBe(3)
    const missed = again.all.at(-1)
    expect(missed).toMatchObject({ verdict: 'error', answer: null, error: { code: 'no-recording', stage: 'answer' } })
    expect(missed?.error?.message).toContain(message)
    expect(missed?.error?.message).toContain(id)
    expect(again.stderr).not.toMatch(/^wait/m)
  })

  it('rejects an answer to different file content', async () => {
    writeFileSync(join(folder, 'notes.md'), 'Other notes.\n')
    const again = await replay(folder, replaying(id))
    writeFileSync(join(folder, 'notes.md'), 'Some notes.\n')
    expect(again.results.get('third')?.error?.message).toContain('`third` was recorded with a different input')
    expect(again.results.get('first')?.verdict).toBe('pass')
  })

  it.each(['nowhere', '.assay', '20200101-000000-abcd'])('reports that a run is not found: %s', async from => {
    const again = await replay(folder, replaying(from))
    expect(again.code).toBe(3)
    expect(again.all[0]?.error).toMatchObject({ code: 'no-recording', message: expect.stringContaining(from) })
    expect(again.all[0]?.error?.message).toMatch(/^Run .* not found in /)
  })
})

describe('replay of special runs', () => {
  const SOME = TESTS.slice(0, 2)

  it('uses the answer of the same trial', async () => {
    const { folder, first } = await recordedRun(SOME, ['--trials', '3'])
    const again = await replay(folder, replaying('latest'), { tests: SOME, args: ['--trials', '3'] })
    expect(substance(again)).toEqual(substance(first))
    expect(new Set(substance(again).map(({ answer }) => answer)).size).toBe(6)
  })

  it('requires `target` if several targets answered', async () => {
    const tests = SOME.slice(0, 1)
    const targets = [asking('one'), asking('two')]
    const { folder, first, id } = await recordedRun(tests, ['--target', 'one', '--target', 'two'], targets)
    const unclear = await replay(folder, replaying(id), { tests })
    expect(unclear.code).toBe(3)
    expect(unclear.all[0]?.error).toEqual({
      code: 'no-recording',
      stage: 'answer',
      message:
        'the recorded run has answers of several targets to this prompt (`one`, `two`): choose one with `target`',
      never_reached: true,
    })
    for (const [index, target] of ['one', 'two'].entries()) {
      const again = await replay(folder, replaying(id, { target }), { tests })
      expect(again.all.map(({ answer }) => answer)).toEqual([first.all[index]?.answer])
    }
    const wrong = await replay(folder, replaying(id, { target: 'three' }), { tests })
    expect(wrong.all[0]?.error?.message).toContain('three')
  })

  it('gives each test its own answer if inputs are equal', async () => {
    const tests = ['a', 'b', 'c'].map(name => ({ id: name, input: 'good' }))
    const { folder, first } = await recordedRun(tests)
    const again = await replay(folder, replaying('latest'), { tests })
    expect(again.all.map(({ error }) => error?.message)).toEqual([undefined, undefined, undefined])
    expect(substance(again)).toEqual(substance(first))
  })

  it('gives each trial its own answer after a rerun', async () => {
    const { folder } = await recordedRun(SOME.slice(1))
    const rerun = await evaluate(folder, ['--rerun-failed'])
    const answers = rerun.all.map(({ answer }) => answer)
    expect(new Set(answers).size).toBe(2)
    const again = await replay(folder, replaying('latest'), { tests: SOME.slice(1), args: ['--trials', '2'] })
    expect(again.all.map(({ answer }) => answer)).toEqual(answers)
  })

  it('uses answers that were never graded', async () => {
    const { folder, first } = await recordedRun(SOME.slice(0, 1))
    rmSync(join(runFolder(folder), 'results.jsonl'))
    const again = await replay(folder, replaying('latest'), { tests: SOME.slice(0, 1) })
    expect(again.all[0]?.answer).toBe(first.all[0]?.answer)
  })

  it('reports that `latest` has no earlier run', async () => {
    const again = await replay(evalFolder([], []), replaying('latest'), { tests: SOME })
    expect(again.code).toBe(3)
    expect(again.all[0]?.error?.message).toMatch(/no (earlier )?run/i)
  })

  it('continues with the same source run after --resume', async () => {
    const tests = ['a', 'b', 'c'].map(name => ({ id: name, input: `good ${name}` }))
    const { folder, first } = await recordedRun(tests)
    const begun = await replay(folder, replaying('latest'), {
      tests,
      args: ['--workers', '1', '--max-cost', '0.25'],
    })
    expect({ code: begun.code, made: begun.all.length }).toEqual({ code: 3, made: 1 })
    const whole = await evaluate(folder, ['--resume'])
    expect(whole.all.map(({ error }) => error?.message)).toEqual([undefined, undefined, undefined])
    expect(substance(whole)).toEqual(substance(first))
    expect(whole.code).toBe(0)
    expect(readdirSync(join(folder, '.assay/runs')).filter(name => name !== 'latest')).toHaveLength(2)
    expect(readFileSync(join(folder, '.assay/runs/latest'), 'utf8').trim()).toBe(basename(runFolder(folder)))
  })
})
