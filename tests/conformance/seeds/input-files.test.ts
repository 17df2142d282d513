import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'
import { transpileSuite } from '../../support/transpile-suite.ts'
import {
  ECHO,
  ECHO_FILES,
  errorsOf,
  evaluated,
  load,
  PYTHON_JUDGE,
  promptsOf,
  suiteOf,
  validTest,
} from './seed-suites.ts'

/** The statements of "input_files shorthand in EVAL.yaml test cases". */
const CSV = { 'evals/files/sales.csv': 'month,revenue\n', 'evals/files/more.csv': 'x\n' }
const TEXT = 'Summarize the monthly trends in this CSV.'
const SHORT = { input_files: ['evals/files/sales.csv'], input: TEXT }
const LONG = {
  input: [
    {
      role: 'user',
      content: [
        { type: 'file', value: 'evals/files/sales.csv' },
        { type: 'text', value: TEXT },
      ],
    },
  ],
}

describe('proposed expansion', () => {
  it('makes each path a file block', async () => {
    const [message] = (await validTest({ ...SHORT, input_files: Object.keys(CSV) }, CSV)).input
    expect(message?.content?.slice(0, -1)).toMatchObject(Object.keys(CSV).map(value => ({ type: 'file', value })))
  })

  it('makes the string a text block', async () => {
    const [message] = (await validTest(SHORT, CSV)).input
    expect(message?.content?.at(-1)).toEqual({ type: 'text', value: TEXT })
  })

  it('makes one message of the user, files first and the text last', async () => {
    const { input } = await validTest({ ...SHORT, input_files: Object.keys(CSV).toReversed() }, CSV)
    expect(input.map(({ role, content }) => [role, content?.map(({ value }) => value)])).toEqual([
      ['user', ['evals/files/more.csv', 'evals/files/sales.csv', TEXT]],
    ])
  })

  it('replaces the input before a provider sees it', async () => {
    const [prompt] = await promptsOf(suiteOf(SHORT), CSV)
    expect(prompt?.messages).toMatchObject(LONG.input)
    expect(prompt).not.toHaveProperty('input_files')
  })

  it('is not seen by evaluators: a judge gets the expanded messages', async () => {
    const judged = async (fields: object) => {
      const assert = [{ type: 'code_judge', script: ['python', './judge.py'] }]
      const { folder } = await evaluated(suiteOf({ ...fields, assert }), {
        files: { ...CSV, 'judge.py': PYTHON_JUDGE },
      })
      const { input_messages, question } = JSON.parse(readFileSync(join(folder, 'judge.json'), 'utf8'))
      return JSON.stringify([input_messages, question]).replaceAll(folder, '')
    }
    expect(await judged(SHORT)).toBe(await judged(LONG))
  })
})

describe('design latitude', () => {
  it('a list of messages beside input_files is rejected, with a hint how to write it', async () => {
    const { errors, diagnostics } = await load(suiteOf({ ...LONG, input_files: SHORT.input_files }), CSV)
    expect([errors, diagnostics[0]?.hint]).toEqual([['bad-input-files'], expect.stringContaining('file')])
  })

  it('a path that does not resolve is an error with its location', async () => {
    const { diagnostics, folder } = await load(
      'name: x\ntests:\n- id: a\n  criteria: b\n  input: c\n  input_files:\n  - evals/none.csv\n',
    )
    expect(diagnostics).toMatchObject([{ code: 'file-missing', severity: 'error', line: 7, column: 5 }])
    expect(`${diagnostics[0]?.message} ${diagnostics[0]?.hint}`).toContain(join(folder, 'evals/none.csv'))
  })

  it('relative paths start at the folder of the YAML file', async () => {
    const { suite, folder } = await load(suiteOf(SHORT), { 'deep/evals/files/sales.csv': '' }, 'deep/EVAL.yaml')
    expect(suite?.tests[0]?.input[0]?.content).toMatchObject([{ path: join(folder, 'deep/evals/files/sales.csv') }, {}])
  })

  it('absolute paths start at the root of the repository, as those of file blocks do', async () => {
    const files = { ...CSV, '.git/HEAD': '' }
    const { suite, folder } = await load(
      suiteOf({ ...SHORT, input_files: ['/evals/files/sales.csv'] }),
      files,
      'deep/EVAL.yaml',
    )
    expect(suite?.tests[0]?.input[0]?.content).toMatchObject([{ path: join(folder, 'evals/files/sales.csv') }, {}])
  })
})

describe('acceptance signals', () => {
  it('the short form and the long form behave the same at run time', async () => {
    const run = async (fields: object) => {
      const { folder, results } = await evaluated(suiteOf(fields), { targets: ECHO, files: { ...CSV, ...ECHO_FILES } })
      const [{ input, answer, score, verdict } = expect.unreachable()] = results
      return JSON.stringify({ input, answer, score, verdict }).replaceAll(folder, '')
    }
    expect(await run(SHORT)).toBe(await run(LONG))
  })

  it('validate accepts the shorthand without a diagnostic', async () => {
    const cwd = folderWith({ 'EVAL.yaml': JSON.stringify(suiteOf(SHORT)), ...CSV })
    expect(await assay(['validate', '--strict'], { cwd })).toMatchObject({ code: 0 })
  })

  it('file blocks that are written out load as before', async () => {
    expect((await validTest(LONG, CSV)).input).toMatchObject(LONG.input)
  })

  it('an example uses the shorthand, and is valid', async () => {
    const examples = join(import.meta.dirname, '../../../examples')
    const names = readdirSync(examples, { recursive: true, encoding: 'utf8' })
    const using = names.filter(
      name =>
        /EVAL\.yaml$|\.eval\.yaml$/.test(name) && /^\s*input_files:/m.test(readFileSync(join(examples, name), 'utf8')),
    )
    expect(using.length).toBeGreaterThan(0)
    expect(await assay(['validate', ...using], { cwd: examples })).toMatchObject({ code: 0 })
  })
})

describe('non-goals', () => {
  it('evals.json does not change: the transpiler writes the paths as files', async () => {
    const [short] = (await transpileSuite(suiteOf(SHORT), CSV)).files
    const [long] = (await transpileSuite(suiteOf(LONG), CSV)).files
    expect(short?.content).toBe(long?.content)
    expect(JSON.parse(short?.content ?? '')).toMatchObject({ evals: [{ prompt: TEXT, files: SHORT.input_files }] })
  })

  it('several turns cannot have the shorthand', async () => {
    const input = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
      { role: 'user', content: 'c' },
    ]
    expect(await errorsOf({ ...SHORT, input }, CSV)).toEqual(['bad-input-files'])
  })
})
