import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { itWithPlainPython } from '../../support/external/python.ts'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'

/** Imports one test for each assertion on the answer `forty-two`, and returns their verdicts. */
async function verdictsOf(assertions: Readonly<Record<string, object>>, files: Readonly<Record<string, string>> = {}) {
  const tests = Object.entries(assertions).map(([description, assertion]) => ({
    description,
    vars: { wanted: 'forty' },
    assert: [assertion],
  }))
  const config = { prompts: ['forty-two'], providers: ['echo'], tests }
  const cwd = folderWith({ 'package.json': '{}', 'promptfooconfig.json': JSON.stringify(config), ...files })
  const imported = await assay(['import', 'promptfooconfig.json'], { cwd })
  expect(imported.code, imported.stdout + imported.stderr).toBe(0)
  await assay(['eval', '--quiet', '-o', 'results.jsonl'], { cwd })
  const lines = readFileSync(join(cwd, 'results.jsonl'), 'utf8').trim().split('\n')
  return Object.fromEntries(lines.map(line => JSON.parse(line)).map(({ test_id, verdict }) => [test_id, verdict]))
}

describe('assay import of assertions that are programs', () => {
  const PYTHON = `def get_assert(output, context):
    return {"pass": context["vars"]["wanted"] in output, "score": 0.4, "reason": "looked"}

def short(output, context):
    return len(output) < 3

async def slow(output, context):
    return 0.5
`

  itWithPlainPython('runs Python expressions, bodies of functions and files as promptfoo does', async () => {
    const verdicts = await verdictsOf(
      {
        expression: { type: 'python', value: 'len(output) == 9' },
        body: {
          type: 'python',
          value: 'words = output.split("-")\nreturn "two" in words and context["vars"]["wanted"] == "forty"',
        },
        'low score': { type: 'python', value: '0.3', threshold: 0.5 },
        'any score': { type: 'python', value: '0.3' },
        negated: { type: 'not-python', value: 'len(output) == 9' },
        file: { type: 'python', value: 'file://checks/assertion.py' },
        function: { type: 'python', value: 'file://checks/assertion.py:short' },
        async: { type: 'python', value: 'file://checks/assertion.py:slow', threshold: 0.5 },
        broken: { type: 'python', value: '1 / 0' },
        'no verdict': { type: 'python', value: 'None' },
      },
      { 'checks/assertion.py': PYTHON },
    )
    expect(verdicts).toEqual({
      expression: 'pass',
      body: 'pass',
      'low-score': 'fail',
      'any-score': 'pass',
      negated: 'fail',
      file: 'pass',
      function: 'fail',
      async: 'pass',
      broken: 'error',
      'no-verdict': 'error',
    })
  })

  it('runs JavaScript expressions, bodies of functions and files as promptfoo does', async () => {
    const verdicts = await verdictsOf(
      {
        expression: { type: 'javascript', value: 'output.length === 9' },
        body: {
          type: 'javascript',
          value: 'const words = output.split("-")\nreturn words.includes(context.vars.wanted)',
        },
        template: { type: 'javascript', value: 'output.startsWith("{{wanted}}")' },
        file: { type: 'javascript', value: 'file://checks/assertion.cjs' },
        broken: { type: 'javascript', value: 'output.nothing.at.all' },
      },
      {
        'checks/assertion.cjs':
          'module.exports = (output, { vars }) => ({ pass: output === vars.wanted, score: 0, reason: "x" })',
      },
    )
    expect(verdicts).toEqual({ expression: 'pass', body: 'pass', template: 'pass', file: 'fail', broken: 'error' })
  })
})

describe('assay import of a model-graded eval of OpenAI', () => {
  it('asks a judge with the prompt and the scores of the choices', async () => {
    const cwd = folderWith({
      'package.json': '{}',
      'registry/evals/jokes.yaml': `jokes.v0:
  class: evals.elsuite.modelgraded.classify:ModelBasedClassify
  args: { samples_jsonl: jokes.jsonl, modelgraded_spec: humor }
unknown.v0:
  class: evals.elsuite.modelgraded.classify:ModelBasedClassify
  args: { samples_jsonl: jokes.jsonl, modelgraded_spec: missing }
pointer.v0:
  class: evals.elsuite.basic.match:Match
  args: { samples_jsonl: pointer.jsonl }
absent.v0:
  class: evals.elsuite.basic.match:Match
  args: { samples_jsonl: absent.jsonl }
`,
      'registry/modelgraded/humor.yaml': `humor:
  prompt: "Is it funny?\\nTask: {input}\\nJoke: {completion}"
  choice_scores: { "1": 0.0, "2": 1.0 }
`,
      'registry/data/jokes.jsonl': '{"input": "Tell a joke about {{bears}}", "ideal": "bears"}\n',
      'registry/data/pointer.jsonl': 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n',
      '.assay/targets.yaml': `targets:
  - { name: default, provider: mock, response: A bear walks in. }
  - name: judge
    provider: mock
    responses:
      - { pattern: 'Is it funny[^]*bear walks in[^]*2: 1', response: '{"score": 1, "reasoning": "funny"}' }
`,
    })
    const { code, stdout } = await assay(['import', 'registry', '-o', 'out'], { cwd })
    expect(code, stdout).toBe(0)
    expect(stdout).toContain('2 approximated')
    const report = readFileSync(join(cwd, 'out/import-report.md'), 'utf8')
    expect(report).toContain('an eval whose file of samples is only a pointer of Git LFS: run `git lfs pull` first')
    expect(report).toContain('an eval whose file of samples does not exist')
    expect(report).toContain('the prompt of a model-graded eval: the prompt of Assay is used')
    expect(report).toContain('../registry/evals/jokes.yaml:9:26')
    const run = await assay(['eval', 'out/evals/jokes-v0.eval.yaml', '--quiet'], { cwd })
    expect(run.code, run.stdout + run.stderr).toBe(0)
  })
})
