import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'

function resultsOf(stdout: string): Record<string, string> {
  const lines = stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  return Object.fromEntries(
    lines.flatMap(({ test_id, trial, verdict }) => (test_id ? [[`${test_id} ${trial}`, verdict]] : [])),
  )
}

describe('assay import of suites of AgentV', () => {
  it('reads tests with an input, as of March', async () => {
    const cwd = folderWith({
      'package.json': '{}',
      'evals/dataset.eval.yaml': `dataset: Old names
execution:
  target: local
  trials: { count: 2, strategy: pass_at_k }
input: { role: be brief }
tests:
  - id: one
    criteria: Says hello
    input: Hello
    assertions:
      - { type: contains, value: Hello }
      - { type: code-judge, name: long, command: [node, ./judge.mjs], least: 3 }
`,
      'evals/judge.mjs':
        'let t="";for await(const c of process.stdin)t+=c;const {answer,config}=JSON.parse(t);console.log(JSON.stringify({score:Number(answer.length>=config.least)}))',
      '.agentv/targets.yaml': 'targets:\n  - name: local\n    provider: cli\n    command: cat\n',
    })
    const { code, stdout, stderr } = await assay(['import', 'evals'], { cwd })
    expect(code, stdout + stderr).toBe(0)
    expect(stdout).toContain('1 test carried over')
    const run = await assay(['eval', 'evals/EVAL.yaml', '--json'], { cwd })
    expect(resultsOf(run.stdout), run.stderr).toEqual({ 'one 1': 'pass', 'one 2': 'pass' })
  })

  it('leaves suites that Assay reads as they are alone', async () => {
    const suite = 'name: own\ntests:\n  - { id: a, criteria: c, input: i, assert: [{ type: contains, value: x }] }\n'
    const cwd = folderWith({ 'package.json': '{}', 'EVAL.yaml': suite, 'more/EVAL.yaml': suite })
    const refused = await assay(['import', 'EVAL.yaml'], { cwd })
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('EVAL.yaml is a suite already: there is nothing to import.')
    expect((await assay(['import', '.'], { cwd })).stderr).toContain('So are 1 more.')
    expect((await assay(['import', 'EVAL.yaml', '--from', 'agentv', '--dry-run'], { cwd })).code).toBe(0)
  })

  it('reads prompts, providers and variables, as of today', async () => {
    const cwd = folderWith({
      'package.json': '{}',
      'suite.yaml': `name: today
providers: [local]
prompts: ['{{ input }}']
tests:
  - id: chat
    vars:
      input: [{ role: user, content: 'Hello {{ you }}' }]
      expected_output: Hello
    assert:
      - { type: contains, value: Hello, required: true }
      - { type: contains, value: Bye, negate: true }
  - id: text
    vars: { input: Good day }
    assert: [{ type: equals, value: Good day }]
`,
      'providers.yaml': 'providers:\n  - id: cli\n    label: local\n    command: cat\n',
    })
    const { code, stdout } = await assay(['import', 'suite.yaml'], { cwd })
    expect(code, stdout).toBe(0)
    const run = await assay(['eval', '--json'], { cwd })
    expect(resultsOf(run.stdout), run.stderr).toEqual({ 'chat 1': 'pass', 'text 1': 'pass' })
  })
})

describe('assay import of OpenAI Evals', () => {
  it('compares answers as the classes of a registry do', async () => {
    const sample = (input: string, ideal: unknown) => JSON.stringify({ input, ideal })
    const registry = ['Match', 'Includes', 'FuzzyMatch', 'JsonMatch'].map(
      name =>
        `${name.toLowerCase()}.v0:\n  class: evals.elsuite.basic.x:${name}\n  args: { samples_jsonl: ${name}.jsonl }\n`,
    )
    const cwd = folderWith({
      'package.json': '{}',
      'registry/evals/basic.yaml': `${registry.join('')}agents.v0:\n  class: evals.elsuite.bluff.eval:BluffEval\n`,
      'registry/data/Match.jsonl': `${sample('Paris it is', ['London', 'Paris'])}\n${sample('In Paris', 'Paris')}\n`,
      'registry/data/Includes.jsonl': `${sample('In Paris', 'Paris')}\n`,
      'registry/data/FuzzyMatch.jsonl': `${sample('The PARIS!', 'paris')}\n${sample('Rome', 'Paris')}\n`,
      'registry/data/JsonMatch.jsonl': `${sample('{"b": [1], "a": null}', '{"b": [1]}')}\n${sample('{"b": 2}', '{"b": 1}')}\n`,
      '.assay/targets.yaml': 'targets:\n  - name: default\n    provider: cli\n    command: [cat]\n',
    })
    const { code, stdout } = await assay(['import', 'registry', '-o', 'out'], { cwd })
    expect(code, stdout).toBe(0)
    expect(stdout).toContain('an eval of the class `BluffEval`')
    const verdicts = async (name: string) =>
      resultsOf((await assay(['eval', `out/evals/${name}-v0.eval.yaml`, '--json'], { cwd })).stdout)
    expect(await verdicts('match')).toEqual({ 'sample-1 1': 'pass', 'sample-2 1': 'fail' })
    expect(await verdicts('includes')).toEqual({ 'sample-1 1': 'pass' })
    expect(await verdicts('fuzzymatch')).toEqual({ 'sample-1 1': 'pass', 'sample-2 1': 'fail' })
    expect(await verdicts('jsonmatch')).toEqual({ 'sample-1 1': 'pass', 'sample-2 1': 'fail' })
  })
})

const SAMPLES = [
  {
    id: 'a',
    epoch: 1,
    input: 'Q',
    target: 'x',
    output: { completion: 'x' },
    scores: { match: { value: 'C' } },
    total_time: 1.5,
  },
  {
    id: 'a',
    epoch: 2,
    input: 'Q',
    target: 'x',
    output: { completion: 'y' },
    scores: { match: { value: 'I', explanation: 'no' } },
  },
  { id: 2, epoch: 1, input: 'R', target: 'x', output: { completion: 'z' }, scores: { match: { value: 'P' } } },
  { id: 3, epoch: 1, input: 'S', target: 'x', output: { completion: '' }, error: { message: 'no connection' } },
  { id: 4, epoch: 1, input: 'T', target: 'x', output: { completion: 'z' }, scores: { length: { value: 17 } } },
]
const HEADER = {
  version: 2,
  status: 'success',
  eval: { task: 'geo', model: 'mockllm/model', created: '2026-01-01T00:00:00+00:00', run_id: 'r1' },
  results: { total_samples: 5 },
}

/** A ZIP archive with deflated files. */
function zipOf(files: Readonly<Record<string, string>>): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(files)) {
    const packed = deflateRawSync(text)
    const header = Buffer.alloc(30)
    header.writeUInt32LE(0x04034b50, 0)
    header.writeUInt16LE(8, 8)
    header.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt32LE(text.length, 24)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(offset, 42)
    parts.push(header, Buffer.from(name), packed)
    directory.push(entry, Buffer.from(name))
    offset += 30 + name.length + packed.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Object.keys(files).length, 10)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, ...directory, end])
}

describe('assay import of logs and datasets of Inspect', () => {
  const wanted = { 'a 1': 'pass', 'a 2': 'fail', '2 1': 'fail', '3 1': 'error', '4 1': 'error' }

  it('makes a run of a JSON log, with epochs as trials, and errors as errors', async () => {
    const cwd = folderWith({ 'package.json': '{}', 'log.json': JSON.stringify({ ...HEADER, samples: SAMPLES }) })
    const { code, stdout, stderr } = await assay(['import', 'log.json', '--json'], { cwd })
    expect(code, stderr).toBe(0)
    const [run] = JSON.parse(stdout).runs
    expect(JSON.parse(readFileSync(join(cwd, run, 'run.json'), 'utf8'))).toMatchObject({ imported: true })
    const report = await assay(['report', run, '--format', 'jsonl'], { cwd })
    expect(resultsOf(report.stdout), report.stderr).toEqual(wanted)
    expect(report.stdout).not.toContain('cost_usd')
    expect((await assay(['compare', run, run], { cwd })).stderr).toBe('')
  })

  it('makes the same run of an archive', async () => {
    const cwd = folderWith({ 'package.json': '{}' })
    const files = Object.fromEntries(SAMPLES.map((sample, index) => [`samples/${index}.json`, JSON.stringify(sample)]))
    writeFileSync(join(cwd, 'log.eval'), zipOf({ ...files, 'header.json': JSON.stringify(HEADER) }))
    const [run] = JSON.parse((await assay(['import', 'log.eval', '--json'], { cwd })).stdout).runs
    expect(resultsOf((await assay(['report', run, '--format', 'jsonl'], { cwd })).stdout)).toEqual(wanted)
  })

  it.each([
    ['cut off', (data: Buffer) => data.subarray(0, 60)],
    ['damaged', (data: Buffer) => Buffer.from(data.map((byte, index) => (index > 40 && index < 60 ? 0xff : byte)))],
  ])('refuses an archive that is %s', async (_, damage) => {
    const cwd = folderWith({ 'package.json': '{}' })
    writeFileSync(join(cwd, 'log.eval'), damage(zipOf({ 'header.json': JSON.stringify(HEADER) })))
    const { code, stderr } = await assay(['import', 'log.eval'], { cwd })
    expect([code, stderr]).toEqual([2, expect.stringContaining('log.eval')])
  })

  it('makes a suite of a dataset, and says that it has no scorer', async () => {
    const rows = 'input,target,choices\nCapital of France?,A,"Paris,Rome"\n'
    const cwd = folderWith({ 'package.json': '{}', 'capitals.csv': rows })
    const { code, stdout } = await assay(['import', 'capitals.csv'], { cwd })
    expect(code).toBe(0)
    expect(stdout).toContain('a dataset has no scorer')
    expect((await assay(['validate'], { cwd })).code).toBe(0)
  })
})
