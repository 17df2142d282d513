import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { load } from 'js-yaml'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Evaluated, evaluate } from '../support/evaluation.ts'
import { LOGS, logNames, logsFolder, logText } from '../support/log-runs.ts'
import { assay, folderWith, type Result } from '../support/program.ts'
import { providerModule } from '../support/runs.ts'

const KEY = 'sk-abcdefghijklmnop1234567890'
const OTHER_KEY = 'sk-zyxwvutsrqponmlkj0987654321'
/** Looks like nothing; only its name tells that it is a key. */
const NAMED_KEY = '0123456789abcdef0123'

const user = (content: unknown) => ({ role: 'user', content })
const assistant = (content: string) => ({ role: 'assistant', content })
const calling = (...calls: object[]) => ({ role: 'assistant', tool_calls: calls })
const answer = (text: string, ...calls: object[]) => ({ text, output_messages: [calling(...calls), assistant(text)] })
const inTurn = (first: string, said: string, second: string) => [user(first), assistant(said), user(second)]

const NESTED = {
  list: [1, 'it\'s "quoted"', { none: null, yes: true, deep: [[], {}, [0.5, -1, 1e300, 1e-7]] }],
  text: 'lines\n\tand \\ 你好 😀 \u2028 \u0085',
}

/** What an assistant said and called before. */
const FINDING = {
  role: 'assistant',
  content: 'Let me see.',
  tool_calls: [{ id: 'c1', type: 'function', function: { name: 'find', arguments: '{"q": "ü"}' } }],
}

/** Tests with what is answered to them. */
const ASKED: Record<string, { input: unknown; answer: object }> = {
  plain: { input: 'Say hello to Alice', answer: answer('Hello, Alice!', { tool: 'greet', input: { name: 'Alice' } }) },
  nested: { input: 'Look around', answer: answer('Seen.', { tool: 'look', input: NESTED, output: { found: [1] } }) },
  turns: {
    input: inTurn('Begin', 'Begun', 'Go on'),
    answer: answer('Gone on', { tool: 'a', input: { n: 1 } }, { tool: 'b', error: 'broken' }),
  },
  begins: { input: 'Begin', answer: { text: 'Only this' } },
  more: {
    input: [...inTurn('Begin', 'Begun otherwise', 'Go on'), assistant('Going'), user('End')],
    answer: { text: 'Ended' },
  },
  system: { input: [{ role: 'system', content: 'Be kind' }, user('Who are you?')], answer: { text: 'Kind' } },
  system_only: { input: [{ role: 'system', content: 'Speak' }], answer: { text: 'Spoken' } },
  tools: {
    input: [
      user('Find it'),
      FINDING,
      { role: 'tool', tool_call_id: 'c1', content: [{ type: 'json', value: { hits: 2 } }] },
      assistant('Two.'),
      user('And then?'),
    ],
    answer: answer('Then three.', { tool: 'find', input: { q: 'x' }, output: 3 }),
  },
  blocks: {
    input: [
      user([
        { type: 'text', value: 'See' },
        { type: 'file', value: 'notes.md' },
        { type: 'image', value: 'data:image/png;base64,iVBORw0KGgo=' },
        { type: 'json', value: { a: [1, null] } },
      ]),
    ],
    answer: { text: 'I see' },
  },
  key: {
    input: `${KEY} is my key`,
    answer: answer(`Your key is ${KEY}.`, {
      tool: 'login',
      input: { api_key: NAMED_KEY, deep: [{ header: `Bearer ${KEY}`, access_token: NAMED_KEY }], [KEY]: 1 },
      output: `{"password": "${NAMED_KEY}"}`,
    }),
  },
  key_again: {
    input: [
      user(`${KEY} is my key`),
      calling({
        id: 'c1',
        type: 'function',
        function: { name: 'login', arguments: JSON.stringify({ access_token: NAMED_KEY }) },
      }),
      { role: 'tool', tool_call_id: 'c1', content: KEY },
      assistant(`I have ${KEY}`),
      user('Use it'),
    ],
    answer: { text: 'Used' },
  },
  key_here: { input: `Use ${KEY} please`, answer: { text: 'The first' } },
  key_there: { input: `Use ${OTHER_KEY} please`, answer: { text: 'The other' } },
  not_a_key: { input: 'sk learn linear regression tutorial', answer: { text: 'Learned' } },
  empty: { input: '', answer: { text: 'Nothing?' } },
  marks: { input: '?!…', answer: { text: 'Marks' } },
  silent: { input: 'Say nothing', answer: { text: '' } },
  blanks: { input: '  in front ', answer: { text: '  blanks \n\n' } },
  windows: { input: 'Open C:\\Users\\..\\x.txt', answer: { text: 'C:\\x' } },
  yaml: { input: '- a: b\n# c\n---\n...', answer: { text: 'null' } },
  number: { input: '0x1F', answer: { text: '1e3' } },
  halves: { input: 'Half \ud83d of it', answer: answer('\udc00', { tool: 't', input: { '\ud83d': '\ude00' } }) },
  controls: {
    input: 'c \u0000\u0001\u001b[31m\u007f\u0085\u2028\ufeff\ufffe\r x',
    answer: { text: '\u0000\r\n\t\u202e' },
  },
  large: { input: `large ${'x'.repeat(1_000_000)}`, answer: { text: 'wide\n'.repeat(200_000) } },
  roles: {
    input: 'Odd roles',
    answer: {
      text: 'The end',
      output_messages: [
        user('I am you'),
        { role: 'tool', content: 'nobody called' },
        { role: 'developer', content: 'do' },
        { role: 'system', content: 'be' },
        { role: 'none' },
        calling({ tool: 'odd', input: ['no', 'mapping'] }, { tool: 'even' }, { tool: 'null', input: null }),
        assistant('The end'),
        user('Bye'),
      ],
    },
  },
  many: {
    input: 'Many calls',
    answer: answer(
      'Done',
      ...Array.from({ length: 5000 }, (_, i) => ({ tool: `t${i % 7}`, input: { i, s: `it's ${i}` } })),
    ),
  },
}

const OWN = providerModule(
  'return answers[prompt.test_id]',
  "import answers from './answers.json' with { type: 'json' }",
)
const REPLAY = { name: 'again', provider: 'replay', from: LOGS }
const TARGETS = [{ name: 'default', provider: './own.mjs' }, REPLAY]

const suiteOf = (asked: typeof ASKED) => ({
  name: 'asked',
  tests: Object.entries(asked).map(([id, { input }]) => ({
    id,
    criteria: 'Answers',
    input,
    assert: [{ type: 'regex', value: '^' }],
  })),
})

interface WrittenTest {
  id: string
  conversation_id: string
  input: unknown
  expected_output: string
  assertions: { type: string; value?: string; expected?: { tool: string; args?: unknown }[] }[]
  metadata: { source: string; turn: number; run: number }
}

const testsIn = (text: string) => (load(text) as { tests: WrittenTest[] }).tests

describe('a suite of logs', () => {
  let folder: string
  let made: Result
  let text: string
  let checked: Result
  let again: Evaluated
  const tests = new Map<string, WrittenTest>()
  beforeAll(async () => {
    folder = folderWith({
      'asked/EVAL.yaml': JSON.stringify(suiteOf(ASKED)),
      'asked/notes.md': 'Notes\n',
      'answers.json': JSON.stringify(Object.fromEntries(Object.entries(ASKED).map(([id, { answer }]) => [id, answer]))),
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

  it('is made of all turns that have an answer', () => {
    // Without a word of the user there is nothing to tell two apart by.
    expect(logNames(folder)).toHaveLength(Object.keys(ASKED).length - 1)
    expect(made).toEqual({
      code: 0,
      stdout: 'wrote made/EVAL.yaml\n',
      stderr: `29 tests from ${logNames(folder).length} logs\n`,
    })
    expect(tests.size).toBe(29)
  })

  it('has no mistakes', () => {
    expect(checked).toEqual({
      code: 0,
      stdout: 'No mistakes: 1 file checked, 1 suite with 29 tests.\n',
      stderr: '',
    })
  })

  it('passes when it is replayed', () => {
    expect(again.all.filter(({ verdict }) => verdict !== 'pass')).toEqual([])
    expect(again.all).toHaveLength(29)
    expect(again.code).toBe(0)
  })

  it('asks each turn with what was said before, and holds the tools and the text against it', () => {
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
      input: inTurn('Begin', 'Begun', 'Go on'),
      assertions: [
        { type: 'tool_trajectory', expected: [{ tool: 'a', args: { n: 1 } }, { tool: 'b' }] },
        { type: 'equals', value: 'Gone on' },
      ],
      metadata: { turn: 2, run: 1 },
    })
    expect(tests.get('who_are_you')?.input).toEqual(ASKED['system']?.input)
    expect(tests.get('find_it-2')?.input).toEqual([
      user('Find it'),
      FINDING,
      { role: 'tool', tool_call_id: 'c1', content: '{\n  "hits": 2\n}' },
      assistant('Two.'),
      user('And then?'),
    ])
  })

  it('keeps apart conversations of which one begins another', () => {
    const said = (id: string) => again.results.get(id)?.answer
    expect([said('begin-1'), said('begin_2'), said('begin_3-1')]).toEqual(['Begun', 'Only this', 'Begun otherwise'])
  })

  it('has no key in it, in texts, arguments, names and ids, and tells the logs of several keys apart', () => {
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

  it('does not say in which folder it was made', async () => {
    expect(text).not.toContain(basename(folder))
    const elsewhere = join(folderWith(), 'EVAL.yaml')
    expect(tests.get('look_around')?.metadata.source).toBe('../.co/evals/look_around.yaml')
    await assay(['log', 'to-eval', 'look_around', '-o', elsewhere], { cwd: folder })
    expect(readFileSync(elsewhere, 'utf8')).not.toContain(basename(folder))
    expect(testsIn(readFileSync(elsewhere, 'utf8'))[0]?.metadata.source).toBe('.co/evals/look_around.yaml')
  })

  it('is not written over another one unless it is forced', async () => {
    writeFileSync(join(folder, 'mine.yaml'), 'mine')
    const refused = await assay(['log', 'to-eval', '-o', 'mine.yaml'], { cwd: folder })
    expect(refused).toEqual({
      code: 2,
      stdout: '',
      stderr: 'Cannot write mine.yaml: it is there already; --force writes over it\n',
    })
    expect(readFileSync(join(folder, 'mine.yaml'), 'utf8')).toBe('mine')
    const forced = await assay(['log', 'to-eval', 'begin_2', '-o', 'mine.yaml', '--force'], { cwd: folder })
    expect(forced).toMatchObject({ code: 0, stderr: '1 test from 1 log\n' })
    expect(testsIn(readFileSync(join(folder, 'mine.yaml'), 'utf8')).map(({ id }) => id)).toEqual(['begin_2'])
  })
})

/** Logs that were written by hand, without files of their runs. */
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
    } as never,
  ]),
  talk: logText([
    { input: 'One', output: 'Two', tools_called: ['look(at=3)'] },
    { input: 'Three', output: 'Four' },
  ]),
}

const replayed = (tests: readonly object[]) =>
  JSON.stringify({
    name: 'r',
    tests: tests.map(test => ({ criteria: 'Answers', assert: [{ type: 'regex', value: '^' }], ...test })),
  })

describe('a suite of logs that were written by hand', () => {
  let folder: string
  let printed: Result
  const tests = new Map<string, WrittenTest>()
  beforeAll(async () => {
    folder = logsFolder(BY_HAND, TARGETS.slice(1))
    printed = await assay(['log', 'to-eval'], { cwd: folder })
    for (const test of testsIn(printed.stdout)) tests.set(test.id, test)
  })

  it('goes to stdout, with nothing else', () => {
    expect(printed).toMatchObject({ code: 0, stderr: '' })
    expect([...tests.keys()]).toEqual(['expects', 'same', 'talk-1', 'talk-2', 'three', 'wished'])
  })

  it('has a judge where another text is expected than was given', () => {
    expect(tests.get('expects')).toMatchObject({
      expected_output: 'Something else',
      assertions: [{ type: 'llm_judge' }],
    })
    expect(tests.get('wished')).toMatchObject({ expected_output: 'A wish', assertions: [{ type: 'llm_judge' }] })
    expect(tests.get('same')?.assertions).toEqual([{ type: 'equals', value: ' It\n' }])
  })

  it('takes tools and what was said before from the log', () => {
    expect(tests.get('three')?.assertions[0]).toMatchObject({
      type: 'tool_trajectory',
      expected: [{ tool: 'greet', args: { name: 'Al', of: { a: [1, null] } } }],
    })
    expect(tests.get('talk-2')?.input).toEqual(inTurn('One', 'Two', 'Three'))
  })

  it('of logs without an answer is none', async () => {
    const none = await assay(['log', 'to-eval', 'unanswered', '-o', 'none.yaml'], { cwd: folder })
    expect(none).toMatchObject({ code: 5, stdout: '', stderr: expect.stringContaining('.co/evals') })
    expect(existsSync(join(folder, 'none.yaml'))).toBe(false)
  })

  it('is made of the good ones where one is broken, which is a mistake', async () => {
    const mixed = logsFolder({ bad: 'turns: [', good: logText([{ input: 'Say it', output: 'It' }]) }, [])
    const ended = await assay(['log', 'to-eval'], { cwd: mixed })
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringMatching(/^\.co\/evals\/bad\.yaml cannot be read: /) })
    expect(testsIn(ended.stdout).map(({ id }) => id)).toEqual(['good'])
  })

  it('is replayed without files of runs: tools are read back, the newest run is the first trial', async () => {
    const asked = [
      { id: 'thrice', input: 'Thrice', execution: { target: 'again' } },
      { id: 'talk', input: inTurn('One', 'whatever', 'Three'), execution: { target: 'again' } },
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
      { 'EVAL.yaml': replayed(asked), '.assay/targets.yaml': JSON.stringify({ targets }), 'empty/.keep': '' },
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
      '`.co/evals` has no answer to this; it was recorded for trial 1, 2, 3, and this is trial 4',
    ])
    expect(said('thrice').map(({ output_messages = [] }) => output_messages[0]?.tool_calls)).toEqual([
      [{ tool: 'greet', input: { name: 'Al', of: { a: [1, null] } } }],
      [{ tool: 'greet', input: { name: 'Bob' } }],
      undefined,
      undefined,
    ])
    expect(texts('talk')[0]).toBe('Four')
    expect(texts('alone')[0]).toBe('`.co/evals` has no answer to this; no test like `alone` was recorded')
    expect(texts('one_file')[0]).toBe('third')
    expect(texts('other_file')[0]).toMatch(/^`\.co\/evals\/three\.yaml` has no answer to this/)
    expect(texts('empty_folder')[0]).toMatch(/^There is no run empty in /)
    expect(texts('no_folder')[0]).toMatch(/^There is no run none in /)
    expect(code).toBe(3)
  })
})
