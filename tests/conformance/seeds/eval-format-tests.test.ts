import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { messageText } from '../../../src/model/message.ts'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'
import { evaluated, load, PYTHON_JUDGE, promptsOf, suiteOf, TEST, valid } from './seed-suites.ts'

/** The statements of "EVAL Format": its example, its tests, its paths, datasets and validation. */
const ROOT = join(import.meta.dirname, '../../..')
const BUG = 'for (let i = 0; i < 0; i++) {\n  sum += items[i].value;\n}\n'
const EXAMPLE = {
  name: 'code-review',
  version: '1.0',
  description: 'Evaluates code review capabilities.\n',
  metadata: {
    author: 'example-org',
    license: 'Apache-2.0',
    tags: ['coding', 'review', 'security'],
    skill: 'code-review',
  },
  execution: {
    target: 'default',
    timeout_seconds: 300,
    assert: [
      { name: 'correctness', type: 'llm_judge', prompt: './prompts/correctness.md', weight: 2.0 },
      { name: 'format_check', type: 'code_judge', script: ['python', './judges/format.py'], weight: 1.0 },
    ],
  },
  tests: [
    {
      id: 'detect-off-by-one',
      description: 'Detect classic off-by-one loop error',
      criteria: 'Identifies the loop condition bug\n',
      input: [
        { role: 'system', content: 'You are an expert code reviewer.' },
        { role: 'user', content: `Review this JavaScript function:\n${BUG}` },
      ],
      expected_output: [{ role: 'assistant', content: 'Bug detected: Loop condition `i < 0` is always false.\n' }],
      rubrics: ['Identifies the loop never executes', 'Provides correct fix', 'Explains the issue clearly'],
      assert: [{ name: 'bug_check', type: 'code_judge', script: ['python', './judges/bug_check.py'] }],
    },
  ],
}
const FILES = {
  'prompts/correctness.md': 'Is {{answer}} correct?\n',
  'judges/format.py': PYTHON_JUDGE,
  'judges/bug_check.py': PYTHON_JUDGE,
}

describe('the complete example', () => {
  it('is valid without a diagnostic', async () => {
    expect(await valid(EXAMPLE, FILES)).toMatchObject({ name: 'code-review', version: '1.0', tests: { length: 1 } })
  })

  it("has the suite's default checks beside the test's own", async () => {
    const [test] = (await valid(EXAMPLE, FILES)).tests
    expect(test?.checks.map(({ name, type, weight }) => [name, type, weight])).toEqual([
      ['bug_check', 'code_judge', 1],
      ['rubrics', 'rubrics', 1],
      ['correctness', 'llm_judge', 2],
      ['format_check', 'code_judge', 1],
    ])
  })

  it('has the prompt of its judge in a file', async () => {
    const { errors } = await load(EXAMPLE, { ...FILES, 'prompts/correctness.md': 'Is {{nothing}} correct?' })
    expect(errors).toEqual(['unknown-variable'])
  })

  it('runs its judges in Python, weighted', async () => {
    const execution = { ...EXAMPLE.execution, assert: EXAMPLE.execution.assert.slice(1) }
    const tests = EXAMPLE.tests.map(({ rubrics, ...test }) => test)
    const { results } = await evaluated({ ...EXAMPLE, execution, tests }, { files: FILES })
    expect(results[0]?.evaluator_results).toMatchObject([
      { name: 'bug_check', score: 1, weight: 1, hits: ['looked'] },
      { name: 'format_check', score: 1, weight: 1 },
    ])
  })

  it('sends the system message and the code to the agent unchanged', async () => {
    const { execution, ...rest } = EXAMPLE
    const tests = [{ ...EXAMPLE.tests[0], rubrics: undefined, assert: TEST.assert }]
    const [prompt] = await promptsOf({ ...rest, tests })
    expect(prompt?.messages.map(message => [message.role, messageText(message)])).toEqual([
      ['system', 'You are an expert code reviewer.'],
      ['user', `Review this JavaScript function:\n${BUG}`],
    ])
  })

  it('links its tests to their tags and its skill', async () => {
    const suite = await valid(EXAMPLE, FILES)
    expect([suite.metadata['skill'], suite.tests[0]?.tags]).toEqual(['code-review', ['coding', 'review', 'security']])
  })
})

const named = (...ids: string[]) => ids.map(id => ({ ...TEST, id }))
const ids = async (tests: unknown, files: Record<string, string> = {}) =>
  (await valid({ name: 'suite', tests }, files)).tests.map(({ id }) => id)
const IMPORTS = {
  'security.yaml': JSON.stringify(named('sql', 'xss')),
  'style.yaml': JSON.stringify(named('naming')),
  'cases.jsonl': named('line-1', 'line-2')
    .map(test => `${JSON.stringify(test)}\n`)
    .join(''),
}

describe('tests', () => {
  it('are written inline', async () => {
    expect(await ids(named('greeting'))).toEqual(['greeting'])
  })

  it('are imported from files', async () => {
    expect(await ids(['./security.yaml', './style.yaml'], IMPORTS)).toEqual(['sql', 'xss', 'naming'])
  })

  it('come from one YAML file that is named as a string', async () => {
    expect(await ids('./security.yaml', IMPORTS)).toEqual(['sql', 'xss'])
  })

  it('come from one JSONL file that is named as a string', async () => {
    expect(await ids('./cases.jsonl', IMPORTS)).toEqual(['line-1', 'line-2'])
  })

  it('in an external file have the metadata and configuration of the main file', async () => {
    const suite = {
      name: 'main',
      metadata: { tags: ['shared'] },
      execution: { timeout_seconds: 7, assert: [{ name: 'quality', type: 'equals', value: 'ok' }] },
      tests: './cases.jsonl',
    }
    const { tests } = await valid(suite, IMPORTS)
    expect(tests.map(({ checks, tags }) => [checks.map(({ name }) => name), tags])).toEqual(
      Array(2).fill([['contains', 'quality'], ['shared']]),
    )
  })

  it('mix inline tests and file references in their order', async () => {
    const mixed = ['./security.yaml', './style.yaml', ...named('quick-check')]
    expect(await ids(mixed, IMPORTS)).toEqual(['sql', 'xss', 'naming', 'quick-check'])
  })

  it('are at least one', async () => {
    expect((await load({ name: 'suite', tests: [] })).errors).toEqual(['out-of-range'])
  })

  it.each([7, { id: 'a' }, [7]])('are a list or a string, not %j', async tests => {
    expect((await load({ name: 'suite', tests })).errors).toEqual(['wrong-type'])
  })

  it('resolve file references from the folder of the EVAL.yaml', async () => {
    const files = {
      'deep/EVAL.yaml': JSON.stringify({ name: 'deep', tests: ['./style.yaml'] }),
      'deep/style.yaml': IMPORTS['style.yaml'],
    }
    const { stdout, code } = await assay(['list', 'deep', '--json'], { cwd: folderWith(files) })
    expect([code, stdout.includes('"naming"')]).toEqual([0, true])
  })

  it('in a referenced file are an array', async () => {
    const { errors } = await load({ name: 'suite', tests: ['./one.yaml'] }, { 'one.yaml': JSON.stringify(TEST) })
    expect(errors).toEqual(['bad-import'])
  })
})

describe('paths', () => {
  it('in a script are relative to the folder of the file', async () => {
    const assert = [{ name: 'check', type: 'code_judge', script: ['python', './judges/check.py'] }]
    const files = {
      'evals/code-review/EVAL.yaml': JSON.stringify(suiteOf({ assert })),
      'evals/code-review/judges/check.py': PYTHON_JUDGE,
      '.assay/targets.yaml': JSON.stringify({ targets: [{ name: 'default', provider: 'mock', response: 'ok' }] }),
    }
    const cwd = folderWith(files)
    expect((await assay(['eval', 'evals/code-review/EVAL.yaml'], { cwd })).code).toBe(0)
    expect(existsSync(join(cwd, 'evals/code-review/judges/check.json'))).toBe(true)
  })

  it('of files are relative to the folder of the file', async () => {
    const input = [{ role: 'user', content: [{ type: 'file', value: './fixtures/sample.js' }] }]
    const { suite, folder } = await load(suiteOf({ input }), { 'fixtures/sample.js': 'x' })
    expect(suite?.tests[0]?.input[0]?.content).toMatchObject([{ path: join(folder, 'fixtures/sample.js') }])
  })

  it('that are absolute start at the root of the repository', async () => {
    const input = [{ role: 'system', content: [{ type: 'file', value: '/shared/prompts/system.md' }] }]
    const files = { '.git/HEAD': '', 'shared/prompts/system.md': 'Be kind.' }
    const { suite, folder } = await load(suiteOf({ input }), files, 'evals/review/EVAL.yaml')
    expect(suite?.tests[0]?.input[0]?.content).toMatchObject([{ path: join(folder, 'shared/prompts/system.md') }])
  })
})

describe('JSONL', () => {
  const dataset = {
    'dataset.jsonl': IMPORTS['cases.jsonl'],
    'dataset.yaml': JSON.stringify({ name: 'large-eval', assert: [{ name: 'quality', type: 'equals', value: 'ok' }] }),
  }

  it('has one test per line', async () => {
    const { suite } = await load(dataset['dataset.jsonl'], { 'dataset.yaml': dataset['dataset.yaml'] }, 'dataset.jsonl')
    expect(suite?.tests.map(({ id }) => id)).toEqual(['line-1', 'line-2'])
  })

  it('has its name in the sidecar', async () => {
    const { suite } = await load(dataset['dataset.jsonl'], { 'dataset.yaml': dataset['dataset.yaml'] }, 'dataset.jsonl')
    expect(suite?.name).toBe('large-eval')
  })

  it('has the shared checks of its sidecar on every test', async () => {
    const { suite } = await load(dataset['dataset.jsonl'], { 'dataset.yaml': dataset['dataset.yaml'] }, 'dataset.jsonl')
    expect(suite?.tests.map(({ checks }) => checks.at(-1)?.name)).toEqual(['quality', 'quality'])
  })
})

describe('validation', () => {
  const schema = JSON.parse(readFileSync(join(ROOT, 'schema/eval.schema.json'), 'utf8'))
  const isValid = (value: unknown) => new Ajv({ strict: false }).validate(schema, value)

  it('is also available as `agentv validate`', async () => {
    const { bin } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    expect(bin.agentv).toBe(bin.assay)
    const cwd = folderWith({ 'EVAL.yaml': JSON.stringify(suiteOf()) })
    expect(await assay(['validate', './EVAL.yaml'], { cwd })).toMatchObject({ code: 0 })
  })

  it('fails for an invalid file', async () => {
    const cwd = folderWith({ 'EVAL.yaml': JSON.stringify(suiteOf({ id: undefined })) })
    expect(await assay(['validate', './EVAL.yaml'], { cwd })).toMatchObject({ code: 2 })
  })

  it('by a JSON Schema accepts the example', () => {
    expect(isValid(EXAMPLE)).toBe(true)
  })

  it('by a JSON Schema rejects an invalid file', () => {
    expect(isValid({ ...EXAMPLE, name: 'Code Review' })).toBe(false)
    expect(isValid({ ...EXAMPLE, tests: [] })).toBe(false)
  })
})
