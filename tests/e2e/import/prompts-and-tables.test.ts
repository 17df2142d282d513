import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'

const CONFIG = `prompts:
  - "Say hello to {{name}}."
  - { label: loud, raw: "HELLO {{ name | upper }}!" }
  - '[{"role":"system","content":"Be {{tone}}"},{"role":"user","content":"Greet {{name}}"}]'
providers:
  - echo
  - { id: echo, label: second, prompts: [loud] }
defaultTest: { vars: { tone: nice } }
tests:
  - file://people.csv
  - vars: { name: "Zoe of {{place}}", place: Rome }
    prompts: [loud]
    assert: [{ type: contains, value: ZOE OF ROME }]
  - vars: { name: [Ann, Ben], numbers: [1, 2] }
    providers: [second]
    assert: [{ type: icontains, value: "{{name}}" }]
`
const CSV = 'name,__expected\nAlice,icontains: alice\nBob,icontains: bob\nLit {{x}},"icontains: lit {{x}}"\n'

async function imported(files: Readonly<Record<string, string>>, ...args: string[]) {
  const cwd = folderWith({ 'package.json': '{}', ...files })
  const { code, stdout, stderr } = await assay(['import', ...(args.length === 0 ? ['promptfooconfig.yaml'] : args)], {
    cwd,
  })
  expect(code, stdout + stderr).toBe(0)
  const read = (file: string) => load(readFileSync(join(cwd, file), 'utf8')) as Record<string, unknown>
  return { cwd, stdout, suite: read('EVAL.yaml') as { tests: Record<string, unknown>[] }, read }
}

/** The input of each attempt by test and arm, and its verdict. */
async function attemptsOf(cwd: string, ...args: string[]): Promise<Record<string, string>> {
  await assay(['eval', '--quiet', '-o', 'results.jsonl', ...args], { cwd })
  const lines = readFileSync(join(cwd, 'results.jsonl'), 'utf8').trim().split('\n')
  return Object.fromEntries(
    lines
      .map(line => JSON.parse(line))
      .map(({ test_id, target, answer, verdict }) => [`${test_id} ${target}`, `${verdict}: ${answer}`]),
  )
}

describe('assay import of several prompts', () => {
  it('writes variants, and asks each test with the prompts of its providers and its own', async () => {
    const { cwd, suite, stdout } = await imported({ 'promptfooconfig.yaml': CONFIG, 'people.csv': CSV })
    expect(stdout).toContain('6 tests carried over, 0 approximated, 0 left out')
    expect(suite).toMatchObject({
      execution: { targets: ['echo', 'second/loud'] },
      variants: [{ name: 'prompt-1' }, { name: 'loud' }, { name: 'prompt-3', input: [{ content: 'Be {{tone}}' }, {}] }],
    })
    expect((await assay(['validate'], { cwd })).stdout).toContain('No problems: 2 files checked, 1 suite with 6 tests.')
    const attempts = await attemptsOf(cwd)
    expect(Object.keys(attempts)).toHaveLength(3 * 4 + 2 + 2)
    expect(attempts).toMatchObject({
      'people-1 echo/prompt-1': 'pass: Say hello to Alice.',
      'people-2 second/loud': 'pass: HELLO BOB!',
      'test-4 echo/loud': 'pass: HELLO ZOE OF ROME!',
      'test-4 second/loud': 'pass: HELLO ZOE OF ROME!',
      'test-5 second/loud': 'pass: HELLO ANN!',
      'test-5-2 second/loud': 'pass: HELLO BEN!',
    })
  })

  it('keeps the text of values that look like templates', async () => {
    const { cwd, suite } = await imported({ 'promptfooconfig.yaml': CONFIG, 'people.csv': CSV })
    expect(suite.tests[0]).toMatchObject({
      id: 'people',
      rows: [{ name: 'Alice' }, { name: 'Bob' }, { name: 'Lit {{x}}' }],
    })
    const attempts = await attemptsOf(cwd, '--target', 'echo/prompt-1')
    const answers = Object.values(attempts)
    expect(answers).toContain('pass: Say hello to Lit {{x}}.')
    expect(answers.join()).not.toContain('\\')
  })

  it('writes each test once for each prompt, and reports it, where tests differ in more than variables', async () => {
    const config = `prompts: [Hi, Ho]\nproviders: [echo]\ntests:
  - { options: { prefix: "A " }, assert: [{ type: starts-with, value: A }] }
  - { options: { prefix: "B " }, assert: [{ type: starts-with, value: B }] }\n`
    const { cwd, stdout, suite } = await imported({ 'promptfooconfig.yaml': config })
    expect(stdout).toContain('several prompts that are not variants')
    expect(stdout).toContain('promptfooconfig.yaml:1:1')
    expect(suite.tests.map(({ id }) => id)).toEqual([
      'test-1-prompt-1',
      'test-1-prompt-2',
      'test-2-prompt-1',
      'test-2-prompt-2',
    ])
    expect(Object.values(await attemptsOf(cwd))).toEqual(['pass: A Hi', 'pass: A Ho', 'pass: B Hi', 'pass: B Ho'])
  })

  it('names the model of embeddings that a configuration names, and says which one is a default', async () => {
    const test = 'tests: [{ assert: [{ type: similar, value: hi }] }]\n'
    const own =
      'defaultTest: { options: { provider: { embedding: { id: "openai:embeddings:text-embedding-3-small" } } } }\n'
    const base = `prompts: [Say hi]\nproviders: [echo]\n${test}`
    const named = await imported({ 'promptfooconfig.yaml': `${base}${own}` })
    const name = 'embeddings-openai:text-embedding-3-small'
    expect(named.read('.assay/targets.yaml')['targets']).toContainEqual({
      name,
      provider: 'openai',
      model: 'text-embedding-3-small',
    })
    expect(named.suite.tests[0]).toMatchObject({
      assert: [{ type: 'similar', target: name, value: 'hi', threshold: 0.75 }],
    })
    expect(named.stdout).toContain('1 test carried over')
    const plain = await imported({ 'promptfooconfig.yaml': base })
    expect(plain.stdout).toContain('`similar` names no model: the default of promptfoo')
    expect(plain.stdout).toContain('1 approximated')
  })
})

it('writes targets of AgentV beside a file of AgentV that Assay cannot read', async () => {
  const { cwd } = await imported(
    {
      'dataset.eval.yaml': `execution: { target: local }
tests:
  - id: one
    criteria: Calls search with these arguments
    input: Hello
    assertions:
      - { type: contains, value: Hello }
      - { type: tool-trajectory, mode: in_order, weight: 0, expected: [{ tool: search, args: { q: x } }] }
`,
      '.agentv/targets.yaml':
        'targets:\n  - { name: local, provider: cli, command: cat, healthcheck: { command: "true" } }\n',
    },
    ...['dataset.eval.yaml', '--from', 'agentv'],
  )
  expect(readFileSync(join(cwd, 'EVAL.yaml'), 'utf8')).toContain('args_match: exact')
  expect((await assay(['targets'], { cwd })).stdout).toContain('local')
})
