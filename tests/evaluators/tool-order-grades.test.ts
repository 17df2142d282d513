import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ToolCall } from '../../src/model/answer.ts'
import { gradeChecks, loadTestWithDiagnostics } from '../support/checks.ts'
import { examples } from '../support/random-examples.ts'
import { answerWith } from './trajectories.ts'

const bash = (command: string): ToolCall => ({ tool: 'Bash', input: { command } })

async function scoresOf(fields: string, calls: string | readonly ToolCall[]) {
  const checks = [`{type: tool_order, ${fields}}`, `{type: tool_order, ${fields}, negate: true}`]
  return (await gradeChecks(checks, answerWith(calls))).map(({ score }) => score)
}

const AB = 'before: a, after: b'
const ANY = `${AB}, which: any`

describe('tool_order', () => {
  it.each<[fields: string, calls: string, score: 0 | 1]>([
    [AB, 'a b', 1],
    [AB, 'b a', 0],
    [AB, 'x a y b z', 1],
    [AB, 'b a b', 0],
    [AB, 'a b a', 1],
    [AB, 'a', 0],
    [AB, 'b', 0],
    [AB, '', 0],
    [AB, 'x y', 0],
    [`${AB}, which: first`, 'b a b', 0],
    [ANY, 'b a b', 1],
    [ANY, 'a b', 1],
    [ANY, 'b a', 0],
    [ANY, 'b b a a', 0],
    [ANY, 'a', 0],
    [ANY, 'b', 0],
    // A call is not before itself.
    ['before: a, after: a', 'a', 0],
    ['before: a, after: a', 'a a', 0],
    ['before: a, after: a, which: any', 'a', 0],
    ['before: a, after: a, which: any', 'a a', 1],
    ['before: "*", after: b', 'b', 0],
    ['before: "*", after: b', 'x b', 1],
    ['before: "mcp__*", after: "mcp__db__?"', 'mcp__x mcp__db__1', 1],
  ])('%s on %j: %d', async (fields, calls, score) => {
    expect(await scoresOf(fields, calls)).toEqual([score, 1 - score])
  })

  it('compares inputs as compact JSON', async () => {
    const fields = 'before: {tool: Bash, input_match: npm ci}, after: {tool: Bash, input_match: npm test}'
    expect(await scoresOf(fields, [bash('npm ci'), bash('npm test')])).toEqual([1, 0])
    expect(await scoresOf(fields, [bash('npm test'), bash('npm ci')])).toEqual([0, 1])
    expect(await scoresOf(fields, [bash('npm ci && npm test')])).toEqual([0, 1])
  })

  it('counts failed calls', async () => {
    expect(await scoresOf(AB, [{ tool: 'a', error: 'refused' }, { tool: 'b' }])).toEqual([1, 0])
  })

  it.each<[fields: string, calls: string, miss: string]>([
    [AB, '', 'a and b were not called; it called no tool'],
    [AB, 'b x', 'a was not called; its calls were: b, x'],
    [AB, 'a', 'b was not called; its calls were: a'],
    [AB, 'b a', 'a was call 2, b call 1: expected the other order'],
    ['before: a, after: a', 'a', 'a was call 1, a call 1: a call is not before itself'],
  ])('names what happened instead: %s on %j', async (fields, calls, miss) => {
    const [result] = await gradeChecks([`{type: tool_order, ${fields}}`], answerWith(calls))
    expect(result?.misses).toEqual([miss])
  })

  it('is an error without a transcript', async () => {
    const [result] = await gradeChecks([`{type: tool_order, ${AB}, negate: true}`], { text: 'x' })
    expect(result).toMatchObject({ score: null, error: { code: 'no-transcript' } })
  })

  it.each<[fields: string, code: string, message: string]>([
    ['before: a', 'missing-key', '`after` is missing'],
    [
      'before: {tool: a, input_match: "("}, after: b',
      'bad-regex',
      'this is not a regular expression: unterminated group',
    ],
    ['before: {input_match: x}, after: b', 'missing-key', '`tool` is missing'],
    ['before: {tool: a, args: {}}, after: b', 'unknown-key', 'unknown key `args`'],
    [`${AB}, which: last`, 'bad-choice', '`which` must be one of first, any, found the string `last`'],
  ])('reports before the run: %s', async (fields, code, message) => {
    const { diagnostics } = await loadTestWithDiagnostics([`{type: tool_order, ${fields}}`])
    expect(diagnostics.map(each => [each.code, each.message])).toEqual([[code, message]])
  })

  it('agrees with the definition, for any calls', async () => {
    const calls = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(calls, async names => {
        const first = names.indexOf('a')
        const isFirst = first >= 0 && names.includes('b') && first < names.indexOf('b')
        const isAny = names.some((name, index) => name === 'a' && names.slice(index + 1).includes('b'))
        expect(await scoresOf(AB, names.join(' '))).toEqual(isFirst ? [1, 0] : [0, 1])
        expect(await scoresOf(ANY, names.join(' '))).toEqual(isAny ? [1, 0] : [0, 1])
      }),
      { numRuns: examples(60) },
    )
  })
})
