import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Evaluated, evaluate } from '../../support/evaluation.ts'
import { assay } from '../../support/in-process.ts'
import { LOGS, logNames, testsIn, type WrittenTest } from '../../support/logs/written-logs.ts'
import { folderWith, type Result } from '../../support/program.ts'
import { providerModule } from '../../support/runs.ts'
import {
  ASSISTANT_WITH_CALL,
  assistant,
  CONVERSATIONS,
  KEY,
  NAMED_KEY,
  NESTED,
  OTHER_KEY,
  twoTurns,
  user,
} from './unusual-conversations.ts'

const OWN = providerModule(
  'return answers[prompt.test_id]',
  // Read as a file, since the module loader of the tests rejects its lone surrogates.
  "import { readFileSync } from 'node:fs'; const answers = JSON.parse(readFileSync(new URL('answers.json', import.meta.url), 'utf8'))",
)
const TARGETS = [
  { name: 'default', provider: './own.mjs' },
  { name: 'again', provider: 'replay', from: LOGS },
]

const suiteOf = (asked: typeof CONVERSATIONS) => ({
  name: 'asked',
  tests: Object.entries(asked).map(([id, { input }]) => ({
    id,
    criteria: 'Answers',
    input,
    assert: [{ type: 'regex', value: '^' }],
  })),
})

describe('a suite from logs', () => {
  let folder: string
  let made: Result
  let text: string
  let checked: Result
  let again: Evaluated
  const tests = new Map<string, WrittenTest>()
  beforeAll(async () => {
    folder = folderWith({
      'asked/EVAL.yaml': JSON.stringify(suiteOf(CONVERSATIONS)),
      'asked/notes.md': 'Notes\n',
      'answers.json': JSON.stringify(
        Object.fromEntries(Object.entries(CONVERSATIONS).map(([id, { answer }]) => [id, answer])),
      ),
      'own.mjs': OWN,
      '.assay/targets.yaml': JSON.stringify({ targets: TARGETS }),
    })
    await assay(['eval', 'asked', '--log', '-q'], { cwd: folder })
    made = await assay(['log', 'to-eval', '-o', 'made/EVAL.yaml'], { cwd: folder })
    text = readFileSync(join(folder, 'made/EVAL.yaml'), 'utf8')
    for (const test of testsIn(text)) tests.set(test.id, test)
    checked = await assay(['validate', '--strict', 'made'], { cwd: folder })
    again = await evaluate(folder, ['made', '--target', 'again'])
  })

  it('has a test for each answered turn', () => {
    // Conversations without a user message cannot be told apart.
    expect(logNames(folder)).toHaveLength(Object.keys(CONVERSATIONS).length - 1)
    expect(made).toEqual({
      code: 0,
      stdout: 'wrote made/EVAL.yaml\n',
      stderr: `29 tests from ${logNames(folder).length} logs\n`,
    })
    expect(tests.size).toBe(29)
  })

  it('has no errors', () => {
    expect(checked).toEqual({
      code: 0,
      stdout: 'No problems: 1 file checked, 1 suite with 29 tests.\n',
      stderr: '',
    })
  })

  it('passes when it is replayed', () => {
    expect(again.all.filter(({ verdict }) => verdict !== 'pass')).toEqual([])
    expect(again.all).toHaveLength(29)
    expect(again.code).toBe(0)
  })

  it('has the conversation, the tools and the text of each turn', () => {
    expect(tests.get('say_hello_to_alice')).toEqual({
      id: 'say_hello_to_alice',
      criteria: 'Does what was done when this was logged.',
      conversation_id: 'say_hello_to_alice',
      input: 'Say hello to Alice',
      expected_output: 'Hello, Alice!',
      assertions: [
        { type: 'tool_trajectory', mode: 'in_order', expected: [{ tool: 'greet', args: { name: 'Alice' } }] },
        { type: 'equals', value: 'Hello, Alice!' },
      ],
      metadata: { source: '../.co/evals/say_hello_to_alice.yaml', turn: 1, run: 1 },
    })
    expect(tests.get('look_around')?.assertions[0]?.expected).toEqual([{ tool: 'look', args: NESTED }])
    expect(tests.get('begin-2')).toMatchObject({
      conversation_id: 'begin',
      input: twoTurns('Begin', 'Begun', 'Go on'),
      assertions: [
        { type: 'tool_trajectory', expected: [{ tool: 'a', args: { n: 1 } }, { tool: 'b' }] },
        { type: 'equals', value: 'Gone on' },
      ],
      metadata: { turn: 2, run: 1 },
    })
    expect(tests.get('who_are_you')?.input).toEqual(CONVERSATIONS['system']?.input)
    expect(tests.get('find_it-2')?.input).toEqual([
      user('Find it'),
      ASSISTANT_WITH_CALL,
      { role: 'tool', tool_call_id: 'c1', content: '{\n  "hits": 2\n}' },
      assistant('Two.'),
      user('And then?'),
    ])
  })

  it('distinguishes conversations that start alike', () => {
    const said = (id: string) => again.results.get(id)?.answer
    expect([said('begin-1'), said('begin_2'), said('begin_3-1')]).toEqual(['Begun', 'Only this', 'Begun otherwise'])
  })

  it('contains no API keys, and distinguishes logs that differ only in a key', () => {
    const keys = [KEY, OTHER_KEY].flatMap(key => [key, key.slice(3), key.replaceAll('-', '_')])
    for (const key of [...keys, NAMED_KEY]) expect(text).not.toContain(key)
    const login = [...tests.values()].find(({ expected_output }) => expected_output === 'Your key is [key].')
    expect(login).toMatchObject({
      id: expect.stringMatching(/^key_is_my_key_[0-9a-f]{16}$/),
      input: '[key] is my key',
      assertions: [
        {
          expected: [
            {
              tool: 'login',
              args: { api_key: '[key]', deep: [{ header: 'Bearer [key]', access_token: '[key]' }], '[key]': 1 },
            },
          ],
        },
        { value: 'Your key is [key].' },
      ],
      metadata: { source: '../.co/evals' },
    })
    const uses = [...tests.values()].filter(({ id }) => id.startsWith('use_key_please_'))
    expect(uses.map(({ input }) => input)).toEqual(['Use [key] please', 'Use [key] please'])
    expect(uses.map(({ id }) => again.results.get(id)?.answer)).toEqual(
      uses.map(({ expected_output }) => expected_output),
    )
    expect(new Set(uses.map(({ expected_output }) => expected_output))).toEqual(new Set(['The first', 'The other']))
    expect(tests.has('sk_learn_linear_regression_tutorial')).toBe(true)
  })

  it('does not contain the current folder', async () => {
    expect(text).not.toContain(basename(folder))
    const elsewhere = join(folderWith(), 'EVAL.yaml')
    expect(tests.get('look_around')?.metadata.source).toBe('../.co/evals/look_around.yaml')
    await assay(['log', 'to-eval', 'look_around', '-o', elsewhere], { cwd: folder })
    expect(readFileSync(elsewhere, 'utf8')).not.toContain(basename(folder))
    expect(testsIn(readFileSync(elsewhere, 'utf8'))[0]?.metadata.source).toBe('.co/evals/look_around.yaml')
  })

  it('does not overwrite a file without --force', async () => {
    writeFileSync(join(folder, 'mine.yaml'), 'mine')
    const refused = await assay(['log', 'to-eval', '-o', 'mine.yaml'], { cwd: folder })
    expect(refused).toEqual({
      code: 2,
      stdout: '',
      stderr: 'Cannot write mine.yaml: it already exists; use --force to overwrite it\n',
    })
    expect(readFileSync(join(folder, 'mine.yaml'), 'utf8')).toBe('mine')
    const forced = await assay(['log', 'to-eval', 'begin_2', '-o', 'mine.yaml', '--force'], { cwd: folder })
    expect(forced).toMatchObject({ code: 0, stderr: '1 test from 1 log\n' })
    expect(testsIn(readFileSync(join(folder, 'mine.yaml'), 'utf8')).map(({ id }) => id)).toEqual(['begin_2'])
  })
})
