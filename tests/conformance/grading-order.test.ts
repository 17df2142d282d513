import fc from 'fast-check'
import { expect, it } from 'vitest'
import { evaluators } from '../../src/evaluators/index.ts'
import { gradeTest, loadTest } from '../support/checks.ts'
import { examples } from '../support/random-examples.ts'

/** The examples of every type that can be graded without a model; some fail, and some have no grade. */
const EXAMPLES = evaluators.filter(({ judge }) => !judge).flatMap(({ examples }) => examples)
const CHECKS = EXAMPLES.map(({ check }, index) => JSON.stringify({ ...check, name: `${check['type']}-${index}` }))
const EXPECTED: object = Object.assign({}, ...EXAMPLES.map(({ expected_output }) => expected_output))

const FILES = {
  'judges/format.py': 'print(\'{"score": 0.75}\')\n',
  'judges/length.mjs': 'console.log(\'{"score": 0.25}\')\n',
}

const ANSWER = {
  text: '{"invoice": {"number": "A-17", "total": 9}, "due": "2025-12-31", "by": "Alice"}',
  output_messages: [{ role: 'assistant', tool_calls: [{ tool: 'search' }, { tool: 'write' }] }],
  token_usage: { input: 3, output: 4 },
  duration_ms: 10,
}

it('gives the same grades in any order, and when repeated', async () => {
  const test = await loadTest(CHECKS, FILES, `expected_output: ${JSON.stringify(EXPECTED)}`)
  const gradesOf = async (checks: typeof test.checks) => {
    const results = await gradeTest({ ...test, checks }, ANSWER)
    const grades = results.map(({ name, score, hits, misses, error }) => ({ name, score, hits, misses, error }))
    return grades.sort((a, b) => (a.name < b.name ? -1 : 1))
  }
  const first = await gradesOf(test.checks)
  expect(first.map(({ score }) => score)).toEqual(expect.arrayContaining([null, 0, 0.25, 0.5, 1]))
  const indexes = test.checks.map((_, index) => index)
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(indexes, { minLength: indexes.length }), async order => {
      expect(await gradesOf(order.flatMap(index => test.checks[index] ?? []))).toEqual(first)
    }),
    { numRuns: examples(20) },
  )
})
