import { dirname } from 'node:path'
import { dump } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import { evaluators } from '../../src/evaluators/index.ts'
import { spellingsOf } from '../../src/evaluators/lookup.ts'
import { nodeHost } from '../../src/host/node.ts'
import { loadFiles } from '../../src/parse/load-files.ts'
import { folderWith } from '../support/program.ts'

/** Loads a check in a separate test, with the files that it refers to. */
async function loadCheck(check: object, expected_output?: unknown) {
  const suite = {
    name: 'one',
    mocks: { orders: { tools: { get: { returns: 1 } } } },
    tests: [{ id: 'a', criteria: 'It is good', input: 'Hi', expected_output, assert: [check] }],
  }
  const folder = folderWith({
    'EVAL.yaml': dump(suite, { skipInvalid: true }),
    'judges/format.py': 'print(1)\n',
    'judges/length.mjs': '\n',
  })
  const file = `${folder}/EVAL.yaml`
  return loadFiles([file], { host: nodeHost(dirname(file)), evaluators })
}

describe.each(evaluators)('$type', evaluator => {
  it('has a summary, and examples that load without diagnostics and have sentences', async () => {
    const { type, summary, examples } = evaluator
    expect(summary, `add a \`summary\` to the evaluator ${type}`).not.toBe('')
    expect(examples, `add an example to the evaluator ${type}`).not.toEqual([])
    for (const { check, expected_output } of examples) {
      const { suites, diagnostics } = await loadCheck(check, expected_output)
      expect(diagnostics).toEqual([])
      const loaded = suites[0]?.tests[0]?.checks[0]
      expect(loaded?.evaluator).toBe(evaluator)
      const sentences = loaded?.evaluator.sentences.write(loaded) ?? []
      const negated = loaded ? loaded.evaluator.sentences.write(loaded.with({ negate: true })) : []
      const hint = `\`sentences.write\` of ${type}`
      expect(sentences, `${hint} must return at least one sentence`).not.toEqual([])
      expect(sentences, `${hint} must return no empty sentence`).not.toContain('')
      expect(negated, `${hint} must return another sentence for a negated check`).not.toEqual(sentences)
    }
  })

  it('is found under all its spellings', async () => {
    const [example] = evaluator.examples
    for (const type of spellingsOf(evaluator)) {
      const { suites } = await loadCheck({ ...example?.check, type }, example?.expected_output)
      expect(suites[0]?.tests[0]?.checks[0]?.type).toBe(evaluator.type)
    }
  })

  it('needs every judge of a panel, if it has one', async () => {
    const [example] = evaluator.examples
    const judges = ['a', 'b', 'c']
    const { suites, diagnostics } = await loadCheck({ ...example?.check, judges, votes: 3 }, example?.expected_output)
    // A check without the field rejects it.
    if (diagnostics.length > 0) return expect(diagnostics.map(({ code }) => code)).toContain('unknown-key')
    const check = suites[0]?.tests[0]?.checks[0]
    const needs = check?.evaluator.judge?.(check.config)
    expect(needs?.judges, `\`judge\` of ${evaluator.type} must return \`judges\`: use \`judgeNeeds\``).toEqual(judges)
    expect(needs?.calls, `\`judge\` of ${evaluator.type} must count the votes`).toBeGreaterThanOrEqual(3)
  })

  it('rejects an unknown field', async () => {
    const [example] = evaluator.examples
    const { diagnostics } = await loadCheck({ ...example?.check, no_such_field: 1 }, example?.expected_output)
    expect(diagnostics.map(({ code, line }) => [code, line])).toEqual([['unknown-key', expect.any(Number)]])
  })
})

describe('sentences', () => {
  const cases: [check: Record<string, unknown>, sentences: string[]][] = [
    [{ type: 'contains', value: '$22,500' }, ["Output contains '$22,500'"]],
    [{ type: 'contains', value: "it's\nhere", negate: true }, ["Output does not contain 'it\\'s\\nhere'"]],
    [{ type: 'regex', value: '\\d+' }, ['Output matches regex: \\d+']],
    [{ type: 'equals', value: 'yes' }, ['Output exactly equals: yes']],
    [{ type: 'is_json' }, ['Output is valid JSON']],
    [{ type: 'rubrics', criteria: 'Names the month' }, ['Names the month']],
    [{ type: 'llm_judge', prompt: 'Is it kind?' }, ['Is it kind?']],
    [{ type: 'agent_judge', rubrics: ['Builds', 'Is tidy'] }, ['Builds', 'Is tidy']],
    [
      { type: 'tool_trajectory', mode: 'in_order', expected: [{ tool: 'a' }, { tool: 'b' }] },
      ['Agent called tools in order: a, b'],
    ],
    [{ type: 'tool_trajectory', expected: [{ tool: 'a' }] }, ['Agent called tools in any order: a']],
    [{ type: 'code_judge', command: 'my-judge --fast' }, ['my-judge --fast']],
    [{ type: 'code_judge', name: 'style', command: 'x', description: 'Is tidy' }, ['style: Is tidy']],
    [{ type: 'latency', threshold: 500 }, ['Response time under 500ms']],
    [{ type: 'cost', budget: 0.1 }, ['Cost under $0.1']],
    [
      { type: 'token_usage', max_total: 1000, max_output: 200 },
      ['Token usage within limits: at most 1000 in total, 200 output'],
    ],
    [{ type: 'execution_metrics', max_tool_calls: 10 }, ['Execution within metric bounds: at most 10 tool calls']],
    [
      { type: 'composite', evaluators: [{ type: 'contains', value: 'a' }, 'Is kind'] },
      ["Output contains 'a'", 'Is kind'],
    ],
  ]

  it.each(cases)('%j', async (check, sentences) => {
    const { suites, diagnostics } = await loadCheck(check)
    expect(diagnostics).toEqual([])
    const loaded = suites[0]?.tests[0]?.checks[0]
    expect(loaded?.evaluator.sentences.write(loaded)).toEqual(sentences)
  })

  it('field_accuracy', async () => {
    const { suites } = await loadCheck(
      { type: 'field_accuracy', fields: [{ path: 'a' }, { path: 'b[0]' }] },
      { a: 1, b: [2] },
    )
    const loaded = suites[0]?.tests[0]?.checks[0]
    expect(loaded?.evaluator.sentences.write(loaded)).toEqual(['Fields a, b[0] match expected values'])
  })
})
