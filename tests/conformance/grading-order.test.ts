import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evaluators } from '../../src/evaluators/index.ts'
import { gradeTest, loadTest } from '../support/checks.ts'

/** One check of every type that can be graded without a model; some fail, and one cannot be judged. */
const CHECKS = [
  '{name: contains, type: contains, value: total}',
  '{name: icontains, type: icontains, value: TOTAL}',
  '{name: starts_with, type: starts_with, value: "{"}',
  '{name: ends_with, type: ends_with, value: nothing}',
  '{name: equals, type: equals, value: x}',
  '{name: contains_any, type: contains_any, value: [total, x]}',
  '{name: contains_all, type: contains_all, value: [total, x]}',
  '{name: icontains_any, type: icontains_any, value: [TOTAL]}',
  '{name: icontains_all, type: icontains_all, value: [TOTAL, X]}',
  '{name: regex, type: regex, value: "\\\\d+"}',
  '{name: is_json, type: is_json, schema: {type: object}}',
  '{name: latency, type: latency, threshold: 10}',
  '{name: cost, type: cost, budget: 1}',
  '{name: token_usage, type: token_usage, max_total: 5}',
  '{name: execution_metrics, type: execution_metrics, max_tool_calls: 1}',
  '{name: field_accuracy, type: field_accuracy, fields: [{path: total}, {path: due, match: date}]}',
  '{name: tool_trajectory, type: tool_trajectory, expected: [{tool: search}, {tool: read}]}',
  '{name: trigger_judge, type: trigger_judge, skill: csv}',
  `{name: code_judge, type: code_judge, command: 'echo "{\\"score\\": 0.25}"'}`,
  '{name: composite, type: composite, evaluators: [{type: contains, value: total}, {type: equals, value: x}]}',
]

const ANSWER = {
  text: '{"total": 12, "due": "31 December 2025"}',
  output_messages: [{ role: 'assistant', tool_calls: [{ tool: 'search' }, { tool: 'write' }] }],
  token_usage: { input: 3, output: 4 },
  duration_ms: 10,
}

describe('the grades of checks', () => {
  it('are tested for every type that needs no model', () => {
    const graded = evaluators.filter(({ judge }) => !judge).map(({ type }) => type)
    expect(CHECKS.map(check => /type: (\w+)/.exec(check)?.[1])).toEqual(graded)
  })

  it('are the same in any order, and when repeated', { timeout: 120_000 }, async () => {
    const test = await loadTest(CHECKS, {}, 'expected_output: {total: 12, due: 2025-12-31}')
    const found = async (checks: typeof test.checks) => {
      const results = await gradeTest({ ...test, checks }, ANSWER)
      const facts = results.map(({ name, score, hits, misses, error }) => ({ name, score, hits, misses, error }))
      return facts.sort((a, b) => (a.name < b.name ? -1 : 1))
    }
    const first = await found(test.checks)
    expect(new Set(first.map(({ score }) => score))).toEqual(new Set([null, 0, 0.25, 0.5, 1]))
    const places = test.checks.map((_, index) => index)
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(places, { minLength: places.length }), async order => {
        expect(await found(order.flatMap(index => test.checks[index] ?? []))).toEqual(first)
      }),
      { numRuns: 20 },
    )
  })
})
