import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { evaluate, suiteFolder } from '../../../support/suite-run.ts'
import { ask } from './ask-program.ts'

/** Reports its input. The key `received` is not part of an envelope, so the whole output is the answer. */
const AGENT = `import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
const words = process.argv.slice(2)
const files = words.map(word => (word.startsWith('/') ? readFileSync(word, 'utf8') : undefined))
console.log(JSON.stringify({ received: { words, files, stdin: await text(process.stdin), cwd: process.cwd(), env: process.env } }))
`

interface ProgramInput {
  readonly words: string[]
  /** The text of each argument that is a path. */
  readonly files: string[]
  readonly stdin: string
  readonly cwd: string
  readonly env: Record<string, string>
}

/** Runs a test on the program above, and returns what it received. */
async function runProgram(target: object, test: object = {}, files: Record<string, string | Uint8Array> = {}) {
  const ended = await ask(target, { test, files: { 'agent.mjs': AGENT, ...files } })
  expect(ended.result.error).toBeUndefined()
  expect(ended.code).toBe(0)
  return { ...ended, received: JSON.parse(ended.result.answer ?? '').received as ProgramInput }
}

const TRICKS = `it's "quoted" $(touch hacked) \`touch hacked\` ; touch hacked & $HOME \\ %s
'; touch hacked; ' {TEST_ID} ${'$'}{{ NAME }} $& é 日本 👩‍👩‍👧 \u202e\ttab  two  blanks `

// Longer than the limit of one argument.
const LONG = 'x'.repeat(process.platform === 'linux' ? 140_000 : 2_000_000)

describe('the prompt as an argument', () => {
  it.each([
    ['a shell string', 'node agent.mjs {PROMPT} --last'],
    ['a list', ['node', 'agent.mjs', '{PROMPT}', '--last']],
  ])('is always a single argument: %s', async (_, command) => {
    const { received, folder } = await runProgram({ command }, { input: TRICKS })
    expect(received.words).toEqual([TRICKS, '--last'])
    expect(received.stdin).toBe('')
    expect(existsSync(join(folder, 'hacked'))).toBe(false)
  })

  it.each([
    ['double', 'node agent.mjs "{PROMPT}"'],
    ['single', "node agent.mjs '{PROMPT}'"],
  ])('is never executed, even with %s quotes around the placeholder', async (_, command) => {
    for (const input of ['$(touch hacked)', TRICKS]) {
      const test = { id: 'case', criteria: 'Answers', input, assert: [{ type: 'contains', value: 'hacked' }] }
      const target = { name: 'default', provider: 'cli', command }
      const folder = suiteFolder({ tests: [test] }, [target], { 'agent.mjs': AGENT })
      await evaluate(folder)
      expect(existsSync(join(folder, 'hacked'))).toBe(false)
    }
  })

  it.each([
    ['a shell string', 'node agent.mjs {PROMPT}'],
    ['a list', ['node', 'agent.mjs', '{PROMPT}']],
  ])('cannot contain NUL, and the error suggests {PROMPT_FILE}: %s', async (_, command) => {
    const { code, result } = await ask({ command }, { test: { input: 'a\0b' }, files: { 'agent.mjs': AGENT } })
    expect(code).toBe(3)
    expect(result.error?.stage).toBe('answer')
    expect(result.error?.message).toContain('{PROMPT_FILE}')
  })

  it.each([
    ['a shell string', 'node agent.mjs {PROMPT}'],
    ['a list', ['node', 'agent.mjs', '{PROMPT}']],
  ])('may be too long, and the error suggests {PROMPT_FILE}: %s', async (_, command) => {
    const { code, result } = await ask({ command }, { test: { input: LONG }, files: { 'agent.mjs': AGENT } })
    expect(code).toBe(3)
    expect(result.error).toMatchObject({ code: 'prompt-too-long', stage: 'answer' })
    expect(result.error?.message).toContain('{PROMPT_FILE}')
  })
})

describe('the prompt in a file or on stdin', () => {
  it.each([
    ['a shell string', 'node agent.mjs {PROMPT_FILE}'],
    ['a list', ['node', 'agent.mjs', '{PROMPT_FILE}']],
  ])('is in a temporary file: %s', async (_, command) => {
    for (const input of [LONG, `a\0b${TRICKS}`]) {
      const { received } = await runProgram({ command }, { input })
      expect(received.files).toEqual([input])
      expect(received.stdin).toBe('')
      expect(existsSync(received.words[0]!)).toBe(false)
    }
  })

  it.each([
    ['a shell string', 'node agent.mjs'],
    ['a list', ['node', 'agent.mjs']],
  ])('is on stdin: %s', async (_, command) => {
    for (const input of [LONG, `a\0b${TRICKS}`]) {
      const { received } = await runProgram({ command }, { input })
      expect(received).toMatchObject({ words: [], stdin: input })
    }
  })

  it.each([
    ['no last line break', 'no break'],
    ['a last line break', 'a break\n'],
  ])('is the plain text of a single user message: %s', async (_, input) => {
    expect((await runProgram({ command: ['node', 'agent.mjs'] }, { input })).received.stdin).toBe(input)
  })

  it('has a heading with the role of each of several messages', async () => {
    const input = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello\nthere' },
      { role: 'user', content: [{ type: 'json', value: { a: 1 } }] },
    ]
    const { received } = await runProgram({ command: ['node', 'agent.mjs'] }, { input })
    expect(received.stdin).toBe(
      '# system\nBe brief.\n\n# user\nHi\n\n# assistant\nHello\nthere\n\n# user\n{\n  "a": 1\n}',
    )
  })

  it('starts with the system prompt of the target unless the test has one', async () => {
    const target = { command: ['node', 'agent.mjs'], system_prompt: 'Be kind.' }
    expect((await runProgram(target)).received.stdin).toBe('# system\nBe kind.\n\n# user\nHi')
    const own = await runProgram(target, {
      input: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
      ],
    })
    expect(own.received.stdin).toBe('# system\nBe brief.\n\n# user\nHi')
  })
})

describe('the prompt as JSON', () => {
  const files = { 'texts/a file.txt': 'The text of it\n' }
  const input = [
    { role: 'user', content: 'Look' },
    {
      role: 'user',
      content: [
        { type: 'file', value: 'texts/a file.txt' },
        { type: 'text', value: 'Now' },
      ],
    },
  ]
  const expected = (folder: string) => ({
    messages: [
      { role: 'user', content: 'Look' },
      {
        role: 'user',
        content: [
          { type: 'file', value: join(folder, 'texts/a file.txt'), text: 'The text of it\n' },
          { type: 'text', value: 'Now' },
        ],
      },
    ],
    files: [join(folder, 'texts/a file.txt')],
    test_id: 'case',
    trial: 1,
  })

  it('is in {MESSAGES_FILE}', async () => {
    const { received, folder } = await runProgram({ command: 'node agent.mjs {MESSAGES_FILE}' }, { input }, files)
    expect(JSON.parse(received.files[0]!)).toEqual(expected(folder))
    expect(received.stdin).toBe('')
    expect(existsSync(received.words[0]!)).toBe(false)
  })

  it('is on stdin with `stdin: json`', async () => {
    const target = { command: ['node', 'agent.mjs'], stdin: 'json' }
    const { received, folder } = await runProgram(target, { input }, files)
    expect(JSON.parse(received.stdin)).toEqual(expected(folder))
  })

  it('has the system prompt of the target', async () => {
    const target = { command: ['node', 'agent.mjs'], stdin: 'json', system_prompt: 'Be kind.' }
    const { received, folder } = await runProgram(target, { input }, files)
    expect(JSON.parse(received.stdin)).toEqual({ ...expected(folder), system_prompt: 'Be kind.' })
  })
})

describe('placeholders', () => {
  const files = { 'one.txt': '1', "it's $(touch hacked).txt": '2' }
  const test = { input: 'Look', input_files: Object.keys(files) }

  it.each([
    ['a shell string', 'node agent.mjs --with {FILES} {PROMPT}'],
    ['a list', ['node', 'agent.mjs', '--with', '{FILES}', '{PROMPT}']],
  ])('{FILES} expands to one argument per file: %s', async (_, command) => {
    const { received, folder } = await runProgram({ command }, test, files)
    expect(received.words).toEqual(['--with', ...Object.keys(files).map(name => join(folder, name)), 'Look'])
    expect(existsSync(join(folder, 'hacked'))).toBe(false)
  })

  it('{FILES} expands to no argument without files', async () => {
    const { received } = await runProgram({ command: ['node', 'agent.mjs', '{FILES}', 'end'] })
    expect(received.words).toEqual(['end'])
  })

  it('{TEST_ID} and {EVAL_ID} are the test id, {ATTEMPT} is the trial', async () => {
    const command = ['node', 'agent.mjs', '{TEST_ID}', '{EVAL_ID}', '--attempt={ATTEMPT}']
    const { received } = await runProgram({ command })
    expect(received.words).toEqual(['case', 'case', '--attempt=1'])
    expect(received.stdin).toBe('Hi')
  })

  it('are the only part of an argument list that changes', async () => {
    const words = ['$HOME', '*', '~', '{prompt}', '{OTHER}', '{}', 'a b', "'", '"', '\\n', '; touch hacked', '--', '-']
    const { received, folder } = await runProgram({ command: ['node', 'agent.mjs', ...words] })
    expect(received.words).toEqual(words)
    expect(existsSync(join(folder, 'hacked'))).toBe(false)
  })

  it('may be mixed with empty arguments', async () => {
    const { received } = await runProgram({ command: ['node', 'agent.mjs', '', 'x'] })
    expect(received.words).toEqual(['', 'x'])
  })
})

describe('the environment of a program', () => {
  it('is the folder of the suite by default', async () => {
    const { received, folder } = await runProgram({ command: ['node', 'agent.mjs'] })
    expect(received.cwd).toBe(folder)
  })

  it('is `cwd`, relative to the folder of .assay', async () => {
    const { received, folder } = await runProgram(
      { command: ['node', '../agent.mjs'], cwd: 'deep' },
      {},
      { 'deep/x': '' },
    )
    expect(received.cwd).toBe(join(folder, 'deep'))
  })

  it('has the variables of `env`', async () => {
    const { received } = await runProgram({ command: ['node', 'agent.mjs'], env: { COLOUR: 'blue $HOME', EMPTY: '' } })
    expect(received.env).toMatchObject({ COLOUR: 'blue $HOME', EMPTY: '', PATH: process.env['PATH'] })
  })
})

describe('{OUTPUT_FILE}', () => {
  it('is the answer instead of stdout', async () => {
    const { code, result } = await ask({ command: 'echo chatter; cat > {OUTPUT_FILE}; echo {OUTPUT_FILE} > place.txt' })
    expect(code).toBe(0)
    expect(result.answer).toBe('Hi')
  })

  it('is removed afterwards', async () => {
    const { folder } = await ask({ command: ['sh', '-c', 'cat > "$0"; echo "$0" > place.txt', '{OUTPUT_FILE}'] })
    const place = readFileSync(join(folder, 'place.txt'), 'utf8').trim()
    expect(place).toMatch(/^\//)
    expect(existsSync(place)).toBe(false)
  })

  it('is an error if it was not written', async () => {
    const { code, result } = await ask({ command: 'echo chatter; echo why >&2; : {OUTPUT_FILE}' })
    expect(code).toBe(3)
    expect(result.error).toMatchObject({ code: 'empty-answer', stage: 'answer' })
    expect(result.error?.message).toMatch(/why$/)
  })
})
