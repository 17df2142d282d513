import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { folderWith, type Result } from '../../support/program.ts'
import { providerModule } from '../../support/runs.ts'
import { type Recorded, resultsIn } from '../../support/suite-run.ts'

/** Names of object properties, paths, devices and options. */
const NAMES = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'],
  ...['../../../up', '/absolute', '~', '~root/x', '..', '.', 'a/../../b', 'C:\\windows', '\\\\server\\share', '..\\up'],
  ...['con', 'NUL.txt', 'lpt1', '-o', '--help', '-', 'a\0b', 'line\nbreak', '\u00e9', 'e\u0301', 'x'.repeat(300)],
]

/** The names that also differ as file names. */
const DIFFERENT = NAMES.filter(name => !['~', '..', '.', '-', '..\\up', 'e\u0301'].includes(name))

const OBJECT = '{"ok":"ok","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'
const AGENT = providerModule(`const o = JSON.parse('${OBJECT}')
  const tool_calls = ['__proto__', 'constructor'].map(tool => ({ tool, input: { skill: o }, output: o }))
  return { text: '${OBJECT}', output_messages: [{ role: 'assistant', tool_calls }] }`)
const JUDGE = `console.log('{"score": 1, "__proto__": {"score": 0}, "details": {"__proto__": {"polluted": 1}}, "constructor": 1}')`

const tests = NAMES.map(id => ({
  ...{ id, criteria: 'c', input: `go ${id}`, conversation_id: id, metadata: { tags: [id], constructor: id } },
  assert: [
    { type: 'is_json', name: id },
    { type: 'trigger_judge', skill: id, should_trigger: false, name: 'trigger' },
    { type: 'composite', assertions: [{ name: 'toString', type: 'contains', value: 'ok' }], aggregator: 'minimum' },
  ],
}))
const judged = {
  id: 'judged',
  criteria: 'c',
  input: 'go',
  expected_output: { constructor: { prototype: { polluted: 1 } } },
  assert: [
    { type: 'code_judge', command: ['node', '-e', JUDGE] },
    { type: 'field_accuracy', fields: [{ path: 'constructor.prototype.polluted', match: 'exact' }] },
    { type: 'tool_trajectory', mode: 'any_order', minimums: { constructor: 1 } },
  ],
}
const TARGETS = [
  ...NAMES.map(name => ({ name, provider: './agent.mjs' })),
  { name: 'variable', provider: 'mock', response: '${{ constructor }} ${{ toString }} ${{ __proto__ }}' },
]

let root = ''
let cwd = ''
let ended: Result
let results: readonly Recorded[] = []

beforeAll(async () => {
  root = folderWith()
  cwd = folderWith(
    {
      'EVAL.yaml': JSON.stringify({ name: 'names', tests: [...tests, judged] }),
      '.git/HEAD': 'ref: refs/heads/main\n',
    },
    join(root, 'a/b/c'),
  )
  folderWith({ 'targets.yaml': JSON.stringify({ targets: TARGETS }), 'agent.mjs': AGENT }, cwd)
  const different = tests.filter(({ id }) => DIFFERENT.includes(id))
  folderWith({ 'one.eval.yaml': JSON.stringify({ name: 'one', tests: different }) }, cwd)
  const outputs = ['json', 'xml', 'csv', 'md', 'html', 'jsonl'].flatMap(ending => ['-o', `out.${ending}`])
  const targets = NAMES.map(name => `--target=${name}`)
  ended = await assay(['eval', 'EVAL.yaml', '-q', '--log', ...targets, ...outputs], { cwd })
  if (ended.code !== 0) throw new Error(ended.stderr)
  results = resultsIn(cwd)
})

describe('names with a special meaning elsewhere', () => {
  it('work for tests, targets, checks, skills, tools, tags and keys', () => {
    expect(ended.code).toBe(0)
    expect(results).toHaveLength((NAMES.length + 1) * NAMES.length)
    expect(new Set(results.map(({ test_id }) => test_id))).toEqual(new Set([...NAMES, 'judged']))
    for (const { test_id, verdict, tags, conversation_id } of results) {
      const own = test_id === 'judged' ? {} : { tags: [test_id], conversation_id: test_id }
      expect({ test_id, verdict, tags, conversation_id }).toMatchObject({ test_id, verdict: 'pass', ...own })
    }
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })

  it('work as keys in answers, tool calls and judge details', () => {
    const result = results.find(({ test_id, target }) => test_id === 'judged' && target === '__proto__')
    expect(result?.answer).toBe(OBJECT)
    expect(JSON.stringify(result?.output_messages)).toContain('"output":{"ok":"ok","__proto__":{"polluted":1}')
    expect(JSON.stringify(result?.trace_summary)).toContain('"tool_calls_by_name":{"__proto__":1,"constructor":1}')
    expect(JSON.stringify(result?.evaluator_results[0]?.details)).toBe('{"__proto__":{"polluted":1}}')
  })

  it.each(['json', 'jsonl', 'csv', 'xml', 'md', 'html'])('are all in out.%s', ending => {
    const text = readFileSync(join(cwd, `out.${ending}`), 'utf8')
    const known = ending === 'md' ? ['suite'] : ['__proto__', 'hasOwnProperty', 'constructor', 'server']
    for (const name of known) expect(text).toContain(name)
  })

  it('do not resolve to variables', async () => {
    const { code, stdout } = await assay(['targets', 'variable'], { cwd })
    expect(code).toBe(2)
    for (const name of ['constructor', 'toString', '__proto__'])
      expect(stdout).toContain(`the variable \`${name}\` is not set`)
  })

  it.each(NAMES.filter(name => !name.startsWith('-')))('work as test id of explain: %j', async name => {
    const { code, stdout } = await assay(['explain', 'latest', name, '--json'], { cwd })
    expect(code).toBe(0)
    expect(new Set(JSON.parse(stdout).map(({ test_id }: Recorded) => test_id))).toContain(name)
  })
})

describe('names in file paths', () => {
  const below = (folder: string) =>
    (readdirSync(join(cwd, folder), { recursive: true }) as string[]).map(file => basename(file))
  const safe = /^(?!-|\.\.?$|(?:con|nul|lpt1)(?:\.|$))[^\\:\p{Cc}]{1,100}$/iu

  it('are made safe for reports, logs and transpiled files', async () => {
    const made = await assay(
      ['report', 'latest', '--format', 'skill-creator', '-o', 'skill', '--target', '__proto__'],
      {
        cwd,
      },
    )
    const written = await assay(['transpile', 'one.eval.yaml', '--out-dir', 'transpiled'], { cwd })
    expect([made.code, written.code]).toEqual([0, 0])
    for (const folder of ['skill', 'transpiled', '.co/evals', '.assay/runs']) {
      const files = below(folder)
      expect(files.length).toBeGreaterThan(2)
      expect({ folder, odd: files.filter(file => !safe.test(file)) }).toEqual({ folder, odd: [] })
    }
    expect(below('transpiled').filter(file => file.endsWith('.trigger-evals.json'))).toHaveLength(DIFFERENT.length)
  })

  it('are an error if two skills would have the same file name', async () => {
    const { code, stderr } = await assay(['transpile', 'EVAL.yaml', '--out-dir', 'clash'], { cwd })
    expect([code, stderr.includes('error same-file-name')]).toEqual([2, true])
  })

  it('create no file outside the named folders', () => {
    const outside = (readdirSync(root, { recursive: true }) as string[]).filter(file => !file.startsWith('a/b/c'))
    expect(outside.sort()).toEqual(['a', 'a/b'])
    const top = readdirSync(cwd).filter(name => !name.startsWith('out.'))
    expect(top.sort()).toEqual([
      '.assay',
      '.co',
      '.git',
      'EVAL.yaml',
      'agent.mjs',
      'one.eval.yaml',
      'skill',
      'targets.yaml',
      'transpiled',
    ])
  })
})
