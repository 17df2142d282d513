import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { evaluate } from '../../support/evaluation.ts'
import { assay } from '../../support/in-process.ts'
import { LOGS, logsFolder, logText, testsIn, type WrittenTest } from '../../support/logs/written-logs.ts'
import { folderWith, type Result } from '../../support/program.ts'
import { twoTurns } from './unusual-conversations.ts'

const REPLAY = { name: 'again', provider: 'replay', from: LOGS }

/** Hand-written logs without run files. */
const history = [
  { run: 2, output: 'second', tools_called: ["greet(name='Bob')"] },
  { run: 1, output: 'first' },
]
const BY_HAND = {
  expects: logText([{ input: 'Say it', output: 'It', expected: 'Something else' }]),
  same: logText([{ input: 'Same', output: 'It', expected: ' It\n' }]),
  unanswered: logText([{ input: 'Never' }]),
  wished: logText([{ input: 'Wish', expected: 'A wish' }]),
  three: logText([
    {
      input: 'Thrice',
      run: 3,
      output: 'third',
      tools_called: ["greet(name='Al', of={'a': [1, None]})"],
      history,
    },
  ]),
  talk: logText([
    { input: 'One', output: 'Two', tools_called: ['look(at=3)'] },
    { input: 'Three', output: 'Four' },
  ]),
}

const replaySuite = (tests: readonly object[]) =>
  JSON.stringify({
    name: 'r',
    tests: tests.map(test => ({ criteria: 'Answers', assert: [{ type: 'regex', value: '^' }], ...test })),
  })

describe('a suite from hand-written logs', () => {
  let folder: string
  let printed: Result
  const tests = new Map<string, WrittenTest>()
  beforeAll(async () => {
    folder = logsFolder(BY_HAND, [REPLAY])
    printed = await assay(['log', 'to-eval'], { cwd: folder })
    for (const test of testsIn(printed.stdout)) tests.set(test.id, test)
  })

  it('is printed to stdout', () => {
    expect(printed).toMatchObject({ code: 0, stderr: '' })
    expect([...tests.keys()]).toEqual(['expects', 'same', 'talk-1', 'talk-2', 'three', 'wished'])
  })

  it('has a judge if the expected text differs from the answer', () => {
    expect(tests.get('expects')).toMatchObject({
      expected_output: 'Something else',
      assertions: [{ type: 'llm_judge' }],
    })
    expect(tests.get('wished')).toMatchObject({ expected_output: 'A wish', assertions: [{ type: 'llm_judge' }] })
    expect(tests.get('same')?.assertions).toEqual([{ type: 'equals', value: ' It\n' }])
  })

  it('takes tools and the conversation from the log', () => {
    expect(tests.get('three')?.assertions[0]).toMatchObject({
      type: 'tool_trajectory',
      expected: [{ tool: 'greet', args: { name: 'Al', of: { a: [1, null] } } }],
    })
    expect(tests.get('talk-2')?.input).toEqual(twoTurns('One', 'Two', 'Three'))
  })

  it('is not written for logs without an answer', async () => {
    const none = await assay(['log', 'to-eval', 'unanswered', '-o', 'none.yaml'], { cwd: folder })
    expect(none).toMatchObject({ code: 5, stdout: '', stderr: expect.stringContaining('.co/evals') })
    expect(existsSync(join(folder, 'none.yaml'))).toBe(false)
  })

  it('contains the valid logs and reports invalid ones', async () => {
    const mixed = logsFolder({ bad: 'turns: [', good: logText([{ input: 'Say it', output: 'It' }]) }, [])
    const ended = await assay(['log', 'to-eval'], { cwd: mixed })
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringMatching(/^\.co\/evals\/bad\.yaml cannot be read: /) })
    expect(testsIn(ended.stdout).map(({ id }) => id)).toEqual(['good'])
  })

  it('can be replayed without run files, with the newest run as the first trial', async () => {
    const inputs = [
      { id: 'thrice', input: 'Thrice', execution: { target: 'again' } },
      { id: 'talk', input: twoTurns('One', 'whatever', 'Three'), execution: { target: 'again' } },
      { id: 'alone', input: 'Three', execution: { target: 'again' } },
      { id: 'one_file', input: 'Thrice', execution: { target: 'one_file' } },
      { id: 'other_file', input: 'Say it', execution: { target: 'one_file' } },
      { id: 'empty_folder', input: 'Say it', execution: { target: 'empty_folder' } },
      { id: 'no_folder', input: 'Say it', execution: { target: 'no_folder' } },
    ]
    const replay = (name: string, from: string) => ({ name, provider: 'replay', from })
    const targets = [
      REPLAY,
      replay('one_file', `${LOGS}/three.yaml`),
      replay('empty_folder', 'empty'),
      replay('no_folder', 'none'),
    ]
    folderWith(
      { 'EVAL.yaml': replaySuite(inputs), '.assay/targets.yaml': JSON.stringify({ targets }), 'empty/.keep': '' },
      folder,
    )
    rmSync(join(folder, 'empty/.keep'))
    const { all, code } = await evaluate(folder, ['--trials', '4'])
    const said = (id: string) => all.filter(({ test_id }) => test_id === id).sort((a, b) => a.trial - b.trial)
    const texts = (id: string) => said(id).map(({ answer, error }) => answer ?? error?.message)
    expect(texts('thrice')).toEqual([
      'third',
      'second',
      'first',
      '`.co/evals` has no answer to this prompt; this is trial 4, and only trial 1, 2, 3 was recorded',
    ])
    expect(said('thrice').map(({ output_messages = [] }) => output_messages[0]?.tool_calls)).toEqual([
      [{ tool: 'greet', input: { name: 'Al', of: { a: [1, null] } } }],
      [{ tool: 'greet', input: { name: 'Bob' } }],
      undefined,
      undefined,
    ])
    expect(texts('talk')[0]).toBe('Four')
    expect(texts('alone')[0]).toBe('`.co/evals` has no answer to this prompt; no test `alone` was recorded')
    expect(texts('one_file')[0]).toBe('third')
    expect(texts('other_file')[0]).toMatch(/^`\.co\/evals\/three\.yaml` has no answer to this/)
    expect(texts('empty_folder')[0]).toMatch(/^Run empty not found in /)
    expect(texts('no_folder')[0]).toMatch(/^Run none not found in /)
    expect(code).toBe(3)
  })
})
