import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Evaluated, evaluate } from '../../support/evaluation.ts'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'

const EVALS = {
  skill_name: 'Csv Analyzer',
  version: 2,
  evals: [
    {
      id: 1,
      name: 'a key of another tool',
      prompt: 'Say yes',
      files: ['evals/files/near.txt', 'files/beside.txt'],
      assertions: ["Output contains 'yes'", { text: 'Response time under 60000ms' }],
      expectations: ["Output contains 'yes'", 'Output is valid JSON'],
      should_trigger: false,
    },
    { id: 'two', prompt: 'Say no', expectations: ["Output does not contain 'yes'"] },
    { prompt: 'Say yes again', assertions: ['Output exactly equals: yes'], source_id: 'from-yaml' },
  ],
}

const TARGETS = {
  targets: [
    {
      name: 'default',
      provider: 'mock',
      responses: [
        { pattern: 'yes', response: 'yes', tool_calls: [{ tool: 'Read', input: { file_path: '/skills/other' } }] },
        { pattern: 'no', response: 'no' },
      ],
    },
  ],
}

describe('assay eval evals.json', () => {
  let run: Evaluated
  let cwd: string
  beforeAll(async () => {
    cwd = folderWith({
      'skill/evals/evals.json': JSON.stringify(EVALS, null, 2),
      'skill/evals/files/beside.txt': 'beside',
      'skill/evals/files/near.txt': 'near',
      '.assay/targets.yaml': JSON.stringify(TARGETS),
    })
    run = await evaluate(cwd, ['skill/evals/evals.json'])
  })

  it('runs each eval as a test with its id or source_id', () => {
    expect(run.all.map(({ test_id, suite, verdict }) => [test_id, suite, verdict])).toEqual([
      ['1', 'csv-analyzer', 'borderline'],
      ['two', 'csv-analyzer', 'pass'],
      ['from-yaml', 'csv-analyzer', 'pass'],
    ])
  })

  it('reads assertions and expectations as one list without duplicates, with locations', () => {
    const checks = run.results.get('1')?.evaluator_results.map(({ type, score, line }) => ({ type, score, line }))
    expect(checks).toEqual([
      { type: 'trigger_judge', score: 1, line: 23 },
      { type: 'contains', score: 1, line: 14 },
      { type: 'latency', score: 1, line: 15 },
      { type: 'is_json', score: 0, line: 21 },
    ])
  })

  it('finds files relative to the file and to the skill folder', () => {
    const content = JSON.stringify(run.results.get('1')?.input)
    expect(content).toContain('files/near.txt')
    expect(content).toContain('files/beside.txt')
  })

  it('causes no warnings', async () => {
    const { code, stdout } = await assay(['validate', 'skill/evals/evals.json'], { cwd })
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'No problems: 1 file checked, 1 suite with 3 tests.\n' })
  })
})

describe('assay transpile --from', () => {
  it('writes an equivalent EVAL.yaml to stdout or to a new file', async () => {
    const cwd = folderWith({ 'evals/evals.json': JSON.stringify(EVALS) })
    mkdirSync(join(cwd, 'evals/files'))
    const { code, stdout, stderr } = await assay(['transpile', '--from', 'evals/evals.json'], { cwd })
    expect(code).toBe(0)
    // Files may be added later.
    expect(stderr.match(/warning file-missing/g)).toHaveLength(2)
    expect(stdout).toBe(`name: csv-analyzer
metadata:
  skill: Csv Analyzer
tests:
  - id: 1
    input: Say yes
    input_files:
      - evals/files/near.txt
      - files/beside.txt
    assert:
      - type: trigger_judge
        skill: Csv Analyzer
        should_trigger: false
      - type: contains
        value: 'yes'
      - type: latency
        threshold: 60000
      - type: is_json
  - id: two
    input: Say no
    assert:
      - type: contains
        value: 'yes'
        negate: true
  - id: from-yaml
    input: Say yes again
    assert:
      - type: equals
        value: 'yes'
`)
    const written = await assay(['transpile', '--from', 'evals/evals.json', '-o', 'EVAL.yaml'], { cwd })
    expect({ code: written.code, stdout: written.stdout }).toEqual({ code: 0, stdout: 'wrote EVAL.yaml\n' })
    const again = await assay(['transpile', '--from', 'evals/evals.json', '-o', 'EVAL.yaml'], { cwd })
    expect(again.code).toBe(2)
    expect(again.stderr).toContain('Cannot write EVAL.yaml: it already exists; use --force to overwrite it')
  })

  it('reports a missing or invalid evals.json', async () => {
    const cwd = folderWith({ 'broken.json': '{"evals": [{}]}' })
    expect((await assay(['transpile', '--from', 'none.json'], { cwd })).code).toBe(2)
    const { code, stdout } = await assay(['transpile', '--from', 'broken.json'], { cwd })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })
})

describe('sentences about files in an evals.json', () => {
  const evals = {
    skill_name: 'csv',
    evals: [{ id: 1, prompt: 'Write it', expectations: ['The report is in report.md'] }],
  }
  // The judge sees the file only if it is started in the workspace.
  const judge =
    "const ok = require('node:fs').existsSync('report.md'); const items = [{ id: 'rubric-1', satisfied: ok, reasoning: ok ? 'found' : 'not found' }]; console.log(JSON.stringify({ items }))"
  const agent = "require('node:fs').writeFileSync('report.md', 'x'); console.log('done')"

  it('are judged by a judge that looks into the workspace', async () => {
    const program = (code: string) => ({ provider: 'cli', command: [process.execPath, '-e', code] })
    const targets = [
      { name: 'default', ...program(agent), workspace: './work', judge_target: 'looker' },
      { name: 'looker', ...program(judge) },
    ]
    const folder = folderWith({
      'evals/evals.json': JSON.stringify(evals),
      'work/README.md': 'x',
      '.assay/targets.yaml': JSON.stringify({ targets }),
    })
    const { all, stderr } = await evaluate(folder, ['evals/evals.json'])
    expect(all, stderr).toMatchObject([
      { verdict: 'pass', evaluator_results: [{ type: 'rubrics', items: [{ reasoning: 'found' }] }] },
    ])
  })
})
