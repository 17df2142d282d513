import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Evaluated, evaluate } from '../../../support/evaluation.ts'
import { assay } from '../../../support/in-process.ts'
import { type PluginCase, pluginWith } from '../../../support/plugin-evals.ts'

const ONE = { runs: 1 }
const file = (path: string, more: object = {}) => ({ type: 'file_exists', path, ...more })

const CASES: Record<string, PluginCase> = {
  refused: {
    settings: ONE,
    script: [{ tool: 'Bash', input: { command: 'ls' }, error: 'denied' }, { text: 'done' }],
    graders: { called: { type: 'tool_used', tool: 'Bash' } },
  },
  'never-called': {
    settings: ONE,
    script: [{ tool: 'Bash', error: 'denied' }, { text: 'done' }],
    graders: { 'not-called': { type: 'tool_used', tool: 'Bash', min: 0, max: 0 } },
  },
  files: {
    settings: ONE,
    script: [{ write: 'out/a.md' }, { write: '.hidden' }, { text: 'done' }],
    graders: {
      created: file('out/*.md'),
      hidden: file('*'),
      folder: file('out'),
      missing: file('b.md', { exists: false }),
      listed: { type: 'regex', target: 'files', pattern: '^\\.hidden$', flags: 'm' },
      'absent-file': { type: 'regex', target: { source: 'file', path: 'none' }, match: 'not_contains', pattern: 'x' },
    },
  },
  matches: {
    settings: ONE,
    script: [{ text: 'one two one' }],
    graders: {
      twice: { type: 'regex', pattern: 'ONE', flags: 'gi', match: 'count:2' },
      three: { type: 'regex', pattern: 'one', match: 'count:3' },
      none: '---\ntype: regex\nmatch: not_contains\n---\n\nthree\n',
      order: { type: 'tool_order', before: 'Read', after: 'Edit' },
    },
  },
  silent: {
    settings: { ...ONE, timeout_seconds: 1 },
    script: [{ wait: 60_000 }],
    graders: { no: { type: 'regex', pattern: 'x', match: 'not_contains' } },
  },
}

describe('graders of plugin evals', () => {
  let run: Evaluated
  const grades = (id: string) => {
    const result = run.all.find(({ test_id, target }) => test_id === id && target === 'with-plugin')
    return Object.fromEntries(result?.evaluator_results?.map(({ name, score }) => [name, score]) ?? [])
  }

  beforeAll(async () => {
    run = await evaluate(pluginWith(CASES), ['.'])
  })

  it('does not count a refused call as one that was made, but as one that was tried', () => {
    expect([grades('refused'), grades('never-called')]).toEqual([{ called: 0 }, { 'not-called': 0 }])
  })

  it('finds created files, also hidden ones, and no folders; a missing file fails whatever is asked of it', () => {
    expect(grades('files')).toEqual({ 'absent-file': 0, created: 1, folder: 0, hidden: 1, listed: 1, missing: 1 })
  })

  it('counts matches', () => {
    expect(grades('matches')).toEqual({ none: 1, order: 0, three: 0, twice: 1 })
  })

  it('gives no verdict to an attempt that timed out, though its graders only forbid', () => {
    expect(run.results.get('silent')).toMatchObject({ verdict: 'error' })
  })
})

describe('settings of a case', () => {
  it('reach the agent: script, history, folders, variables and limits', async () => {
    const folder = pluginWith(
      {},
      {
        "evals/it's/case.yaml": `schema_version: "1.0"
name: it's
execution: { prompt: 'SCRIPT: [{"text":"done"}]', runs: 1, max_turns: 3, model: opus, append_system_prompt: Be brief., env: { EVAL_A: b } }
context: { scaffold_script: setup.sh, history_file: h.jsonl }
graders: [{ name: g, type: regex, pattern: done }, { name: f, type: file_exists, path: made.txt, exists: false }]
`,
        "evals/it's/setup.sh": 'echo "$0" > made.txt\n',
        "evals/it's/h.jsonl": '{"type":"user","message":{"role":"user","content":"Earlier words"}}\n',
      },
    )
    const log = join(folder, 'calls.log')
    const run = await evaluate(folder, ['.'], { PLUGIN_AGENT_LOG: log })
    expect(run.all.map(({ verdict }) => verdict)).toEqual(['pass', 'pass'])
    const [call] = readFileSync(log, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line))
    expect(call.args).toEqual(expect.arrayContaining(['--max-turns', '3', '--model', 'opus']))
    expect(call.stdin).toContain('Earlier words')
    expect(call.env).toEqual({ EVAL_A: 'b' })
  })
})

describe('a case that does not load', () => {
  it('makes validate and eval end with an error, however good the others are', async () => {
    const good = { settings: ONE, script: [{ text: 'a' }], graders: { a: { type: 'regex', pattern: 'a' } } }
    const folder = pluginWith({ good, bad: { graders: { a: { type: 'regex', pattern: '(' } } } })
    for (const command of ['validate', 'eval', 'list']) {
      const { code, stdout, stderr } = await assay([command, '.'], { cwd: folder })
      expect([code, stdout + stderr]).toEqual([2, expect.stringContaining('evals/bad/graders/a.md:3:10')])
    }
  })
})
