import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { folderWith, type Result, run } from '../../support/program.ts'
import { recordsIn } from '../../support/suite-run.ts'

const READER = join(import.meta.dirname, 'trigger_reader.py')

// A stand-in for Claude Code: uses the skill if the query mentions CSV, and logs each query.
const CLAUDE = `#!/usr/bin/env node
const { appendFileSync } = require('node:fs')
const query = process.argv[3]
appendFileSync(process.env.ASKED, JSON.stringify(query) + '\\n')
const block = { type: 'tool_use', name: 'Skill', input: { skill: 'csv-analyzer' } }
const content = /csv/i.test(query) ? [block] : [{ type: 'text', text: 'No.' }]
console.log(JSON.stringify({ type: 'system', subtype: 'init' }))
console.log(JSON.stringify({ type: 'assistant', message: { content } }))
`

const QUERIES = [
  ['I have a CSV of "monthly" sales.\nFind the top 3 months — bitte schön 🙂', true],
  ['What does this csv say?', true],
  ['What time is it? ¿Qué hora es? 今何時？', false],
  ['Tell me a joke about \u2028 separators', false],
] as const

const SUITE = {
  name: 'triggers',
  tests: QUERIES.map(([input, should_trigger], index) => ({
    id: `query-${index}`,
    criteria: 'Is about the skill',
    input,
    assert: [{ type: 'trigger_judge', skill: 'csv-analyzer', should_trigger }],
  })),
}

/** Environments with ASCII and with UTF-8 as the default encoding. */
const ENCODINGS = {
  ascii: { LC_ALL: 'C', LANG: 'C', PYTHONUTF8: '0', PYTHONCOERCECLOCALE: '0' },
  utf8: { PYTHONUTF8: '1' },
}

/** Reads a trigger set with Python, as skill-creator does. */
function readSet(cwd: string, file: string, encoding: keyof typeof ENCODINGS): Promise<Result> {
  const PATH = `${join(cwd, 'bin')}:${process.env['PATH']}`
  const env = { PATH, ASKED: join(cwd, 'asked.jsonl'), ...ENCODINGS[encoding] }
  return run('python3', [READER, '--eval-set', file, '--skill-name', 'csv-analyzer'], { cwd, env })
}

let cwd: string
beforeAll(async () => {
  cwd = folderWith({
    'EVAL.yaml': JSON.stringify(SUITE),
    'bin/claude': CLAUDE,
    'without-query.json': JSON.stringify([{ prompt: 'x', should_trigger: true }]),
    'without-label.json': JSON.stringify([{ query: 'one' }, { query: 'two', should_trigger: true }]),
    'not-ascii.json': JSON.stringify([{ query: 'schön', should_trigger: false }]),
  })
  chmodSync(join(cwd, 'bin/claude'), 0o755)
  const { code, stderr } = await assay(['transpile', 'EVAL.yaml', '--out-dir', 'out'], { cwd })
  expect(code, stderr).toBe(0)
})

describe('the trigger set reader of these tests', () => {
  it.each([
    ['out/evals.json', 'utf8', 'TypeError: string indices must be integers'],
    ['without-query.json', 'utf8', "KeyError: 'query'"],
    ['without-label.json', 'utf8', "KeyError: 'should_trigger'"],
    ['not-ascii.json', 'ascii', 'UnicodeDecodeError'],
  ] as const)('fails on %s in %s', async (file, encoding, error) => {
    const { code, stderr } = await readSet(cwd, file, encoding)
    expect({ code, said: stderr.includes(error) }, stderr).toEqual({ code: 1, said: true })
  })
})

describe('a transpiled trigger set', () => {
  const queriesIn = (items: readonly { query: string }[]) => items.map(({ query }) => query)

  it.each([
    ['ascii', 3],
    ['utf8', 4],
  ] as const)('is read where the default encoding is %s', async (encoding, expected) => {
    const { code, stdout, stderr } = await readSet(cwd, 'out/trigger-evals.json', encoding)
    expect(code, stderr).toBe(0)
    const { results, passed, total } = JSON.parse(stdout)
    // Python cannot pass a non-ASCII query in ASCII, so it counts as not triggered.
    expect({ passed, total }).toEqual({ passed: expected, total: 4 })
    expect(queriesIn(results)).toEqual(QUERIES.map(([query]) => query))
  })

  it('reaches the agent with unchanged queries', () => {
    const asked = new Set(recordsIn<string>(join(cwd, 'asked.jsonl')))
    for (const [query] of QUERIES) expect(asked).toContain(query)
  })

  it('is plain ASCII', () => {
    const text = readFileSync(join(cwd, 'out/trigger-evals.json'), 'utf8')
    expect(/^[\x20-\x7e\n]*$/.test(text)).toBe(true)
    expect(queriesIn(JSON.parse(text))).toEqual(QUERIES.map(([query]) => query))
  })
})
