import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import manifest from '../../../package.json' with { type: 'json' }
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'
import {
  EACH_VERDICT,
  jsonLines,
  latestId,
  mockTargets,
  recordsOf,
  runIds,
  runInfoOf,
  suiteFolder,
  verdictsOf,
} from '../../support/runs.ts'

const ROOT = join(import.meta.dirname, '../../..')
const VERDICTS = { good: 'pass', middling: 'borderline', bad: 'fail', broken: 'error' }

describe('exit codes', () => {
  it.each([
    [['good'], 0],
    [['good', 'middling'], 0],
    [['good', 'middling', 'bad'], 1],
    [['good', 'broken'], 3],
    [['good', 'bad', 'broken'], 3],
    [['none'], 5],
  ])('%j exits with %d', async (ids, expected) => {
    const args = ids.flatMap(id => ['--test-id', id])
    const { code } = await assay(['eval', ...args], { cwd: suiteFolder(EACH_VERDICT) })
    expect(code).toBe(expected)
  })

  it('are 2 for invalid files or options', async () => {
    const { code, stderr, stdout } = await assay(['eval'], { cwd: suiteFolder('name: [\n') })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('EVAL.yaml:2:1 error yaml-syntax')
    expect((await assay(['eval', '--no-such-option'], { cwd: suiteFolder(EACH_VERDICT) })).code).toBe(2)
  })

  it('are 2 if two suites of one name test one target with the same test of a file', async () => {
    const suite = (value: string, target = 'default') =>
      JSON.stringify({
        name: 'shared',
        execution: { target },
        tests: './cases.jsonl',
        assert: [
          { type: 'contains', value },
          { type: 'contains', value: 'yes' },
        ],
      })
    const answers = ['default', 'other'].map(name => ({ name, provider: 'mock', response: 'yes' }))
    const cwd = folderWith({
      'cases.jsonl': '{"id": "one", "criteria": "Says yes", "input": "Well?"}\n',
      'passes.eval.yaml': suite('yes'),
      'fails.eval.yaml': suite('no'),
      'other.eval.yaml': suite('yes', 'other'),
      '.assay/targets.yaml': JSON.stringify({ targets: answers }),
    })
    // The mean of the two would be borderline, and no failure.
    expect((await assay(['eval', 'fails.eval.yaml'], { cwd })).code).toBe(1)
    const { code, stderr } = await assay(['eval', 'passes.eval.yaml', 'fails.eval.yaml'], { cwd })
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('fails.eval.yaml:1:9 error duplicate-id'),
    })
    expect((await assay(['eval', 'passes.eval.yaml', 'other.eval.yaml'], { cwd })).code).toBe(0)
  })

  it('are 5 if no suite is found', async () => {
    const cwd = folderWith()
    const { code, stderr } = await assay(['eval'], { cwd })
    expect(code).toBe(5)
    expect(stderr).toContain(`No suite found: looked for`)
    expect(existsSync(join(cwd, '.assay'))).toBe(false)
  })
})
describe('verdicts are the same', async () => {
  const cwd = suiteFolder(EACH_VERDICT)
  const plain = await assay(['eval', '-o', 'out.jsonl', '-o', 'deep/out.json'], { cwd })
  const first = latestId(cwd)
  const json = await assay(['eval', '--json', 'EVAL.yaml'], { cwd })

  it('in the progress on stderr', () => {
    expect(plain.stdout).toBe('')
    const lines = [...plain.stderr.matchAll(/^\[\d\/4\] (\w+) (\w+) on default/gm)]
    expect(Object.fromEntries(lines.map(([, verdict, id]) => [id, verdict]))).toEqual(VERDICTS)
    expect(plain.stderr).toContain('4 tests: 1 passed, 1 borderline, 1 failed, 1 with errors\n')
    expect(plain.stderr).toMatch(
      /^each +default +4 +1 +1 +1 +1 +25 % \[5–70\] +0\.70 \(3 of 4 tests\)\n1 trial: reliability unknown; 1 of 4 attempts errored$/m,
    )
  })

  it('in the exit codes', () => {
    expect([plain.code, json.code]).toEqual([3, 3])
  })

  it('in results.jsonl', () => {
    for (const id of runIds(cwd)) expect(verdictsOf(recordsOf(cwd, id))).toEqual(VERDICTS)
  })

  it('in the output of --json', () => {
    expect(verdictsOf(jsonLines(json.stdout))).toEqual(VERDICTS)
    expect(jsonLines(json.stdout)).toEqual(recordsOf(cwd))
  })

  it('in out.jsonl, in the order of the plan', () => {
    const results = jsonLines(readFileSync(join(cwd, 'out.jsonl'), 'utf8'))
    expect(results.map(({ index, test_id }) => [index, test_id])).toEqual([
      [0, 'good'],
      [1, 'middling'],
      [2, 'bad'],
      [3, 'broken'],
    ])
    expect(verdictsOf(results)).toEqual(VERDICTS)
  })

  it('in out.json', () => {
    const report = JSON.parse(readFileSync(join(cwd, 'deep/out.json'), 'utf8'))
    expect(verdictsOf(report.results)).toEqual(VERDICTS)
    expect(verdictsOf(report.summary.tests)).toEqual(VERDICTS)
    expect(report.summary.counts).toEqual({ pass: 1, borderline: 1, fail: 1, error: 1 })
    expect(report.run.run_id).toBe(first)
    expect(plain.stderr).toContain('wrote out.jsonl\nwrote deep/out.json\n')
  })
})

describe('records', async () => {
  const suite = `${EACH_VERDICT}  - id: rich
    description: All fields
    criteria: Says yes
    note: For the judge
    conversation_id: talk
    metadata: {tags: [x], camelCase: {deepKey: 1}}
    expected_output: "yes"
    input:
      - {role: system, content: Be kind}
      - role: user
        content:
          - {type: text, value: "yes"}
          - {type: file, value: notes.txt}
    assert:
      - {type: equals, value: "yes"}
`
  const more = { tool_calls: [{ tool: 'Read', input: { filePath: 'x' } }], token_usage: { input: 3 }, cost_usd: 0.5 }
  const targets = mockTargets(['^no$', 'no'], ['^yes', 'yes', { ...more, duration_ms: 7 }])
  const cwd = suiteFolder(suite, targets, { 'notes.txt': 'Hi\n' })
  await assay(['eval'], { cwd })
  const results = recordsOf(cwd)

  it('are valid under the published schema', () => {
    const schema = JSON.parse(readFileSync(join(ROOT, 'schema/result.schema.json'), 'utf8'))
    const validate = new Ajv({ strict: false }).compile(schema)
    expect(results).toHaveLength(5)
    for (const result of results) expect(validate(result) ? [] : validate.errors).toEqual([])
    expect(validate({ ...results[0], verdict: 'maybe' })).toBe(false)
  })

  it('have keys in snake_case, except for keys of the user', () => {
    const keysIn = (value: unknown): string[] => {
      if (Array.isArray(value)) return value.flatMap(keysIn)
      if (typeof value !== 'object' || value === null) return []
      return Object.entries(value).flatMap(([key, inner]) => [key, ...keysIn(inner)])
    }
    const own = results.map(({ metadata, output_messages, trace_summary, ...result }) => result)
    expect(keysIn(own).filter(key => !/^[a-z][a-z0-9_]*$/.test(key))).toEqual([])
    expect(results.find(({ test_id }) => test_id === 'rich')?.metadata).toEqual({
      tags: ['x'],
      camelCase: { deepKey: 1 },
    })
  })

  it('have the prompt, the answer and the check results', () => {
    expect(results.find(({ test_id }) => test_id === 'rich')).toEqual({
      schema_version: 1,
      run_id: latestId(cwd),
      index: 4,
      attempt_id: expect.stringMatching(/^[0-9a-f]{16}$/),
      test_hash: expect.stringMatching(/^[0-9a-f]{16}$/),
      target_hash: expect.stringMatching(/^[0-9a-f]{16}$/),
      input_hash: expect.stringMatching(/^[0-9a-f]{16}$/),
      checks_hash: expect.stringMatching(/^[0-9a-f]{16}$/),
      suite: 'each',
      file: 'EVAL.yaml',
      line: 25,
      test_id: 'rich',
      conversation_id: 'talk',
      answer_number: 1,
      description: 'All fields',
      criteria: 'Says yes',
      note: 'For the judge',
      tags: ['x'],
      metadata: { tags: ['x'], camelCase: { deepKey: 1 } },
      input: [
        { role: 'system', content: 'Be kind' },
        {
          role: 'user',
          content: [
            { type: 'text', value: 'yes' },
            { type: 'file', value: 'notes.txt', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
          ],
        },
      ],
      expected_output: 'yes',
      target: 'default',
      provider: 'mock',
      trial: 1,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      score: 1,
      verdict: 'pass',
      hits: ['equals "yes"'],
      misses: [],
      answer: 'yes',
      output_messages: [{ role: 'assistant', content: 'yes', tool_calls: more.tool_calls }],
      trace_summary: {
        event_count: 1,
        tool_names: ['Read'],
        tool_calls_by_name: { Read: 1 },
        error_count: 0,
        llm_call_count: 1,
      },
      token_usage: { input: 3 },
      cost_usd: 0.5,
      duration_ms: 7,
      evaluator_results: [expect.objectContaining({ name: 'equals', score: 1, line: 39 })],
    })
  })

  it('describe the run in run.json', () => {
    const { attempts, ...info } = runInfoOf(cwd)
    expect(info).toEqual({
      schema_version: 1,
      run_id: latestId(cwd),
      started: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      assay_version: manifest.version,
      node_version: process.version,
      platform: process.platform,
      root: cwd,
      suites: [{ name: 'each', file: 'EVAL.yaml', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }],
      targets: JSON.parse(targets).targets,
      test_files: [{ file: 'notes.txt', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }],
      command: ['assay', 'eval'],
      options: { paths: [cwd] },
      plan_id: expect.any(String),
      tests: 5,
      total_tests: 5,
      selected_tests: 5,
      available_tests: 5,
      total: 5,
    })
    const byPlan = results.toSorted((a, b) => a.index - b.index)
    expect(attempts).toEqual(byPlan.map(({ index, attempt_id }) => [index, attempt_id]))
  })

  it('include `latest`, which names the last run', async () => {
    const before = latestId(cwd)
    await assay(['eval', '--test-id', 'good'], { cwd })
    expect(latestId(cwd)).not.toBe(before)
    expect(runIds(cwd)).toEqual(expect.arrayContaining([before, latestId(cwd)]))
    expect(latestId(cwd)).toMatch(/^\d{8}-\d{6}-[a-z]{4}$/)
  })
})
