import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { itWithPlainPython } from '../../support/external/python.ts'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'

const PROGRAMS = {
  'transforms/first-word.mjs': "export default (output, { vars }) => output.split(vars.separator ?? ' ')[0]\n",
  'transforms/upper.py': 'def get_transform(output, context):\n    return output.upper()\n',
}

/** Imports tests of the answer `{"sum": 42} or so`, and returns their verdicts and the report of the import. */
async function importedTests(
  tests: readonly object[],
  defaultTest: object = {},
  providers: readonly unknown[] = ['echo'],
) {
  const config = { prompts: ['{"sum": 42} or so'], providers, defaultTest, tests }
  const cwd = folderWith({ 'package.json': '{}', 'promptfooconfig.json': JSON.stringify(config), ...PROGRAMS })
  const imported = await assay(['import', 'promptfooconfig.json'], { cwd })
  await assay(['eval', '--quiet', '-o', 'results.jsonl'], { cwd })
  const lines = readFileSync(join(cwd, 'results.jsonl'), 'utf8').trim().split('\n')
  const results = lines.map(line => JSON.parse(line))
  const verdicts = Object.fromEntries(results.map(({ test_id, verdict }) => [test_id, verdict]))
  return { ...imported, verdicts, targets: [...new Set(results.map(({ target }) => target))].sort() }
}

const WITHOUT_REST = "output.replace(' or so', '')"

describe('assay import of transforms', () => {
  it('checks what code and files make of the output', async () => {
    const assertions = {
      equals: { type: 'equals', value: '42', transform: 'JSON.parse(output.slice(0, 11)).sum' },
      wrong: { type: 'equals', value: '43', transform: 'JSON.parse(output.slice(0, 11)).sum' },
      plain: { type: 'contains', value: 'or so', transform: WITHOUT_REST },
      negated: { type: 'not-contains', value: 'or so', transform: WITHOUT_REST },
      json: { type: 'is-json', transform: WITHOUT_REST },
      'no json': { type: 'is-json', transform: "output + '!'" },
      any: { type: 'icontains-any', value: ['x', 'SUM'], transform: 'JSON.parse(output.slice(0, 11))' },
      regex: { type: 'regex', value: '^\\d+$', transform: 'const [digits] = output.match(/\\d+/); digits' },
      file: { type: 'equals', value: '{"sum":', transform: 'file://transforms/first-word.mjs' },
      program: { type: 'javascript', value: 'output.sum === 42', transform: 'JSON.parse(output.slice(0, 11))' },
      broken: { type: 'contains', value: 'sum', transform: 'output.nothing.at(0)' },
    }
    const tests = Object.entries(assertions).map(([description, assertion]) => ({ description, assert: [assertion] }))
    const { verdicts, code, stdout } = await importedTests(tests)
    expect(code, stdout).toBe(0)
    expect(verdicts).toEqual({
      equals: 'pass',
      wrong: 'fail',
      plain: 'fail',
      negated: 'pass',
      json: 'pass',
      'no-json': 'fail',
      any: 'pass',
      regex: 'pass',
      file: 'pass',
      program: 'pass',
      broken: 'error',
    })
  })

  it('applies the transform of a test, or of all tests, before that of an assertion', async () => {
    const last = 'output.slice(0, context.vars.length)'
    const tests = [
      { description: 'both', vars: { length: 5 }, assert: [{ type: 'equals', value: '{"SUM', transform: last }] },
      { description: 'own', options: { transform: "'own'" }, assert: [{ type: 'equals', value: 'own' }] },
      { description: 'file', vars: { separator: '"' }, assert: [{ type: 'equals', value: '{"SUM": 42} OR SO' }] },
    ]
    const defaultTest = {
      options: { transform: 'output.toUpperCase()' },
      assert: [{ type: 'not-contains', value: 'or' }],
    }
    const { verdicts } = await importedTests(tests, defaultTest)
    expect(verdicts).toEqual({ both: 'pass', own: 'pass', file: 'pass' })
  })

  it('applies the transform of the providers first, and leaves out providers with another one', async () => {
    const provider = (label: string, transform?: string) => ({ id: 'echo', label, ...(transform ? { transform } : {}) })
    const upper = 'output.toUpperCase()'
    const tests = [
      {
        description: 'first',
        options: { transform: "output + '!'" },
        assert: [{ type: 'equals', value: '{"SUM": 42} OR SO!' }],
      },
      { description: 'plain', assert: [{ type: 'contains', value: 'or so' }] },
      { description: 'figures', assert: [{ type: 'latency', threshold: 60_000 }] },
    ]
    const providers = [provider('one', upper), provider('two', upper), provider('three'), provider('four', "''")]
    const { verdicts, stdout, targets } = await importedTests(tests, {}, providers)
    expect(verdicts).toEqual({ first: 'pass', plain: 'fail', figures: 'pass' })
    expect(targets).toEqual(['one', 'two'])
    expect(stdout.replace(/\s+/g, ' ')).toMatch(
      /left out: a provider with another `transform` than the first one promptfooconfig\.json:1:\d+, promptfooconfig\.json:1:\d+ /,
    )
  })

  itWithPlainPython('applies Python files to Python assertions', async () => {
    const transform = 'file://transforms/upper.py'
    const { verdicts } = await importedTests([
      { description: 'python', assert: [{ type: 'python', value: '"OR SO" in output', transform }] },
      { description: 'other', assert: [{ type: 'python', value: '"or so" in output', transform }] },
    ])
    expect(verdicts).toEqual({ python: 'pass', other: 'fail' })
  })

  it('leaves out assertions that cannot have one, instead of checking the plain output', async () => {
    const { verdicts, stdout } = await importedTests([
      { description: 'judged', assert: [{ type: 'llm-rubric', value: 'Good', transform: 'output.trim()' }] },
      { description: 'mixed', assert: [{ type: 'contains', value: 'sum', transform: 'file://transforms/upper.py' }] },
      { description: 'outside', assert: [{ type: 'contains', value: 'sum', transform: 'file://../other.js' }] },
      { description: 'kept', assert: [{ type: 'contains', value: 'sum' }] },
    ])
    expect(verdicts).toEqual({ kept: 'pass' })
    const report = stdout.replace(/\s+/g, ' ')
    expect(report).toMatch(/`llm-rubric`, with a `transform`: only checks of texts/)
    expect(report).toContain('1 test carried over, 0 approximated, 3 left out')
    expect(report).not.toContain('judges/')
  })
})
