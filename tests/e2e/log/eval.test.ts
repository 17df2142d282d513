import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import {
  bytesOf,
  COUNTING,
  COUNTING_AGENT,
  LOGS,
  logIn,
  logsFolder,
  logText,
  runIn,
} from '../../support/logs/written-logs.ts'
import type { Result } from '../../support/program.ts'
import { type Server, serve } from '../../support/servers/server.ts'

/** A judge that accepts answers if `words` is expected, and rejects the others. */
let judge: Server
beforeAll(async () => {
  judge = await serve(({ body }, response) => {
    const same = body.includes('one, in other words')
    const reasoning = same ? 'the same number' : 'it counts wrong'
    return response.end(JSON.stringify({ text: JSON.stringify({ same, reasoning }) }))
  })
})
afterAll(() => judge.close())

const strict = () => ({ name: 'judge', provider: 'http', url: judge.url })
const agent = { 'agent.mjs': COUNTING_AGENT }

const SECOND = '2. More after <1. Count>'
const turns = (first: string, second: string, input = 'Count') => [
  { input, output: 'before', expected: first },
  { input: 'More', output: 'before too', expected: second },
]

/** Logs of conversations of two turns, by their expectation. */
const EXPECTING = {
  both: logText(turns('1. Count', SECOND)),
  fails: logText(turns('', 'seven')),
  first: logText(turns('\n 1. Count \n', '')),
  nothing: logText(turns('', '')),
  second: logText(turns('', ` ${SECOND}`)),
  words: logText(turns('one, in other words', SECOND)),
}

const resultOf = (name: string, run: number | null, ...evaluations: string[]) => ({
  name,
  run,
  turns: evaluations.map((evaluation, index) => ({
    turn: index + 1,
    input: ['Count', 'More'][index],
    output: ['1. Count', SECOND][index],
    expected: expect.any(String),
    evaluation,
  })),
})

describe('log eval', () => {
  let folder: string
  let ended: Result
  beforeAll(async () => {
    folder = logsFolder(EXPECTING, [COUNTING, strict()], agent)
    ended = await assay(['log', 'eval', '--json'], { cwd: folder })
  })

  it('runs every log with an expectation and reports the verdicts in order', () => {
    expect(JSON.parse(ended.stdout)).toEqual([
      resultOf('both', 2, 'pass', 'pass'),
      resultOf('fails', 2, '', 'fail: it counts wrong'),
      resultOf('first', 2, 'pass', ''),
      resultOf('second', 2, '', 'pass'),
      resultOf('words', 2, 'pass', 'pass'),
    ])
    expect(ended).toMatchObject({ code: 1, stderr: '' })
  })

  it('asks the judge only if the text differs', () => {
    const bodies = judge.calls.map(({ body }) => body)
    expect(bodies).toHaveLength(2)
    const about = (text: string) => bodies.filter(body => body.includes(text)).join()
    expect(about('seven')).toContain('More')
    expect(about('seven')).toContain('2. More after <1. Count>')
    expect(about('one, in other words')).toContain('1. Count')
  })

  it('writes the run with its evaluation and usage, and moves the previous one into the history', () => {
    const { runs, model, turns: written } = logIn(folder, 'fails')
    expect({ runs, model }).toEqual({ runs: 2, model: 'counter-1' })
    const [first, second] = written
    expect(first).toMatchObject({ run: 2, output: '1. Count', expected: '', evaluation: '' })
    expect(first?.history).toEqual([{ run: 1, output: 'before', expected: '', evaluation: '' }])
    expect(second).toMatchObject({ run: 2, output: SECOND, expected: 'seven', evaluation: 'fail: it counts wrong' })
    expect(second?.tools_called).toEqual(["count(upto=2, of={'words': ['More']})"])
    expect(second?.history).toEqual([{ run: 1, output: 'before too', expected: 'seven', evaluation: '' }])
    expect(JSON.parse(second?.meta ?? '')).toMatchObject({ tokens: 7, cost: 0.25, duration_ms: expect.any(Number) })
  })

  it('writes a run file with the real conversation', () => {
    const { messages, cwd, tokens, cost, model } = runIn(folder, 'both', 2)
    expect({ cwd, tokens, cost, model }).toEqual({ cwd: folder, tokens: 14, cost: 0.5, model: 'counter-1' })
    const call = (id: string, upto: number, word: string) => {
      const args = `{"upto": ${upto}, "of": {"words": ["${word}"]}}`
      return { role: 'assistant', tool_calls: [{ id, type: 'function', function: { name: 'count', arguments: args } }] }
    }
    expect(messages).toEqual([
      { role: 'user', content: 'Count' },
      call('call_1', 1, 'Count'),
      { role: 'tool', content: '1', tool_call_id: 'call_1' },
      { role: 'assistant', content: '1. Count' },
      { role: 'user', content: 'More' },
      call('call_2', 2, 'More'),
      { role: 'tool', content: '2', tool_call_id: 'call_2' },
      { role: 'assistant', content: SECOND },
    ])
  })

  it('does not change a log without an expectation', () => {
    expect(readFileSync(join(folder, LOGS, 'nothing.yaml'), 'utf8')).toBe(EXPECTING.nothing)
    expect(existsSync(join(folder, LOGS, 'nothing'))).toBe(false)
  })

  it('needs no judge for equal texts, and runs the named logs once each in order', async () => {
    const targets = join(folder, 'unjudged.yaml')
    writeFileSync(targets, JSON.stringify({ targets: [COUNTING] }))
    const args = ['log', 'eval', 'second', 'both', 'sec', 'first.yaml', '--targets', 'unjudged.yaml', '--workers', '3']
    const again = await assay(args, { cwd: folder })
    expect(again.stdout).toBe(
      [
        'second turn 2  run 3  pass',
        'both turn 1    run 3  pass',
        'both turn 2    run 3  pass',
        'first turn 1   run 3  pass',
        '',
        '4 of 4 expected answers passed\n',
      ].join('\n'),
    )
    expect(again.code).toBe(0)
    const lines = again.stderr.split('\n').map(line => line.replace(/^\[[123]\/3\]|[\d.]+ m?s$/g, ''))
    expect(lines.sort()).toEqual(['', ' pass both ', ' pass first ', ' pass second '])
    expect(logIn(folder, 'second').turns[1]).toMatchObject({
      expected: ` ${SECOND}`,
      history: [
        { run: 2, expected: ` ${SECOND}`, evaluation: 'pass', output: SECOND },
        { run: 1, expected: ` ${SECOND}`, evaluation: '', output: 'before too' },
      ],
    })
    expect(judge.calls).toHaveLength(2)
  })

  it('is an error without a judge if the text differs, and logs the run', async () => {
    const again = await assay(['log', 'eval', 'fails', 'first', '-q', '--targets', 'unjudged.yaml'], { cwd: folder })
    const why = /no judge found: set `--judge`/
    expect(again.code).toBe(3)
    expect(again.stdout).toMatch(/^fails turn 2 {2}run 3 {2}error {2}no judge found/)
    expect(again.stdout).toContain('\n1 of 2 expected answers passed\n')
    expect(again.stderr).toBe('')
    const [, second] = logIn(folder, 'fails').turns
    expect(second).toMatchObject({ run: 3, output: SECOND, expected: 'seven' })
    expect(second?.evaluation).toMatch(why)
    expect(second?.evaluation).toMatch(/^error: /)
    expect(second?.history.map(({ evaluation }) => evaluation)).toEqual(['fail: it counts wrong', ''])
    expect(runIn(folder, 'fails', 3).messages.at(-1)).toEqual({ role: 'assistant', content: SECOND })
  })

  it.each([
    ['an unknown judge', ['--judge', 'jugde'], 2, /`jugde`[\s\S]*did you mean `judge`\?/],
    ['an unknown target', ['--target', 'defualt'], 2, /`defualt`[\s\S]*did you mean `default`\?/],
    ['a targets file that is not there', ['--targets', 'no.yaml'], 2, /no\.yaml/],
    ['an unknown log', ['frist'], 2, /No log named frist in \.co\/evals: did you mean `first`\?/],
    ['a log that expects nothing', ['nothing'], 5, /No expected answers in \.co\/evals: `assay log expect NAME`/],
  ])('changes nothing with %s', async (_, args, code, message) => {
    const before = bytesOf(folder)
    const refused = await assay(['log', 'eval', ...args], { cwd: folder })
    expect(refused).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(message) })
    expect(bytesOf(folder)).toEqual(before)
  })
})

describe('log eval of a conversation without an answer', () => {
  it('does not change its log, and runs the others', async () => {
    const logs = {
      early: logText(turns('1. Count', '', 'Count and fail')),
      good: logText(turns('1. Count', SECOND)),
      late: logText([
        { input: 'Count', expected: '1. Count' },
        { input: 'Now fail' },
        { input: 'More', expected: 'x' },
        { input: 'More', expected: 'y' },
      ]),
    }
    const folder = logsFolder(logs, [COUNTING], agent)
    const ended = await assay(['log', 'eval'], { cwd: folder })
    expect(ended.code).toBe(3)
    expect(ended.stdout.split('\n')).toEqual([
      expect.stringMatching(/^early turn 1 {2}not written {2}error {2}.*code 7.*no such luck/),
      expect.stringMatching(/^good turn 1 {3}run 2 {8}pass$/),
      expect.stringMatching(/^good turn 2 {3}run 2 {8}pass$/),
      expect.stringMatching(/^late turn 1 {3}not written {2}pass$/),
      expect.stringMatching(/^late turn 2 {3}not written {2}error {2}.*no such luck/),
      '',
      '3 of 6 expected answers passed',
      '',
    ])
    expect(
      Object.keys(bytesOf(folder))
        .map(path => path.slice(join(folder, LOGS).length + 1))
        .sort(),
    ).toEqual(['early.yaml', 'good.yaml', 'good/run_2.yaml', 'late.yaml'])
    for (const name of ['early', 'late'] as const)
      expect(readFileSync(join(folder, LOGS, `${name}.yaml`), 'utf8')).toBe(logs[name])
  })

  it('reports invalid files and judges the others', async () => {
    const broken = 'turns: [\n'
    const folder = logsFolder({ bad: broken, good: logText(turns('1. Count', SECOND)) }, [COUNTING], agent)
    const ended = await assay(['log', 'eval', '--json', '-q'], { cwd: folder })
    expect(ended.code).toBe(2)
    expect(JSON.parse(ended.stdout)).toEqual([resultOf('good', 2, 'pass', 'pass')])
    expect(ended.stderr).toMatch(/^\.co\/evals\/bad\.yaml cannot be read: .+\n$/)
    expect(readFileSync(join(folder, LOGS, 'bad.yaml'), 'utf8')).toBe(broken)
    const named = await assay(['log', 'eval', 'bad', 'good'], { cwd: folder })
    expect(named).toMatchObject({ code: 2, stdout: '' })
    expect(logIn(folder, 'good').runs).toBe(2)
  })

  it('reports a missing targets file with a hint', async () => {
    const folder = logsFolder({ good: logText(turns('1. Count', SECOND)) }, [])
    const ended = await assay(['log', 'eval'], { cwd: folder })
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('.assay/targets.yaml') })
  })
})

describe('the system message of log eval', () => {
  const run = (system_prompt: string) =>
    `system_prompt: ${JSON.stringify(system_prompt)}\nmodel: "before"\nmessages: |\n  []\n`

  it('is that of the target, else the logged one', async () => {
    const own = { ...COUNTING, name: 'own', system_prompt: 'Be mine' }
    const logs = {
      asked: logText([{ input: 'Count', expected: '(Be logged) 1. Count' }]),
      other: logText([{ input: 'Count', expected: '1. Count' }]),
    }
    const files = { ...agent, [`${LOGS}/asked/run_1.yaml`]: run('Be logged') }
    const folder = logsFolder(logs, [COUNTING, own, strict()], files)
    const logged = await assay(['log', 'eval', '-q'], { cwd: folder })
    expect(logged).toMatchObject({ code: 0, stdout: expect.stringContaining('2 of 2 expected') })
    expect(runIn(folder, 'asked', 2)).toMatchObject({
      system_prompt: 'Be logged',
      messages: [{ role: 'system', content: 'Be logged' }, { role: 'user', content: 'Count' }, {}, {}, {}],
    })
    expect(runIn(folder, 'other', 2).system_prompt).toBe('')
    const targeted = await assay(['log', 'eval', '--target', 'own', '--json'], { cwd: folder })
    const outputs = JSON.parse(targeted.stdout).map(
      ({ turns: [turn] }: { turns: { output: string }[] }) => turn?.output,
    )
    expect(outputs).toEqual(['(Be mine) 1. Count', '(Be mine) 1. Count'])
    expect(runIn(folder, 'asked', 3)).toMatchObject({
      system_prompt: 'Be mine',
      messages: [{ role: 'system', content: 'Be mine' }, { role: 'user' }, {}, {}, {}],
    })
  })
})

it('log run needs no judge; log eval reports a missing judge before any request', async () => {
  const keyless = { name: 'judge', provider: 'openai', model: 'gpt-5', api_key: '${{ NO_SUCH_KEY }}' }
  const folder = logsFolder({ first: EXPECTING.first }, [COUNTING, keyless], agent)
  const made = await assay(['log', 'run', 'Hi'], { cwd: folder })
  expect([made.code, made.stdout]).toEqual([0, '1. Hi\n'])
  const before = bytesOf(folder)
  const judged = await assay(['log', 'eval'], { cwd: folder })
  expect(judged.code).toBe(2)
  expect(judged.stderr).toMatch(
    /targets\.yaml:\d+:\d+ error missing-variable\n {2}the variable `NO_SUCH_KEY` is not set/,
  )
  expect(bytesOf(folder)).toEqual(before)
})
