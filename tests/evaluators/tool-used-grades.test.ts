import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Answer, ToolCall } from '../../src/model/answer.ts'
import { gradeChecks, loadTestWithDiagnostics } from '../support/checks.ts'
import { examples } from '../support/random-examples.ts'

const OK = { output: 'ok' }
const FAILED = { error: 'exit code 1' }
const REFUSED = { error: 'permission denied: Bash' }
const UNKNOWN = { error: 'No such tool available: Bash' }
const bash = (command: string, more: Partial<ToolCall> = OK): ToolCall => ({
  tool: 'Bash',
  input: { command },
  ...more,
})
const cancel = (id: string, more: Partial<ToolCall> = {}): ToolCall => ({
  tool: 'mcp__orders__cancel',
  input: { id, reason: { code: 7, text: 'late' } },
  output: { ok: true, id },
  ...more,
})

function answerWith(calls: readonly ToolCall[], agent_id?: string): Answer {
  return {
    text: 'Done',
    output_messages: [{ role: 'assistant', tool_calls: [...calls], ...(agent_id ? { agent_id } : {}) }],
  }
}

async function scoresOf(fields: string, calls: readonly ToolCall[]): Promise<(number | null | undefined)[]> {
  const checks = [`{type: tool_used, ${fields}}`, `{type: tool_used, ${fields}, negate: true}`]
  return (await gradeChecks(checks, answerWith(calls))).map(({ score }) => score)
}

const TWO = [bash('ls'), bash('npm test')]

describe('tool_used', () => {
  it.each<[what: string, fields: string, calls: ToolCall[], score: 0 | 1]>([
    ['min is 1 by default', 'tool: Bash', [bash('ls')], 1],
    ['min is 1 by default: no call', 'tool: Bash', [], 0],
    ['another tool does not count', 'tool: Bash', [{ tool: 'Read' }], 0],
    ['names are compared exactly', 'tool: Bas', [bash('ls')], 0],
    ['names are case-sensitive', 'tool: bash', [bash('ls')], 0],
    ['* matches any text', 'tool: "mcp__orders__*"', [cancel('A1')], 1],
    ['* alone matches every tool', 'tool: "*"', [{ tool: 'anything' }], 1],
    ['? matches one character', 'tool: "Bas?"', [bash('ls')], 1],
    ['? does not match two characters', 'tool: "Ba?"', [bash('ls')], 0],
    ['. is literal in names', 'tool: "B.sh"', [bash('ls')], 0],
    ['at min', 'tool: Bash, min: 2', TWO, 1],
    ['below min', 'tool: Bash, min: 3', TWO, 0],
    ['at max', 'tool: Bash, max: 2', TWO, 1],
    ['above max', 'tool: Bash, max: 1', TWO, 0],
    ['max alone still needs one call', 'tool: Bash, max: 2', [], 0],
    ['min and max', 'tool: Bash, min: 2, max: 2', TWO, 1],
    ['min 0 with max allows no call', 'tool: Bash, min: 0, max: 2', [], 1],
    ['max 0 alone: not called', 'tool: Bash, max: 0', [{ tool: 'Read' }], 1],
    ['max 0 alone: called', 'tool: Bash, max: 0', [bash('ls')], 0],
    ['max 0 with input_match: another input', 'tool: Bash, max: 0, input_match: rm', [bash('ls')], 1],
    ['a failed call does not count for min', 'tool: Bash', [bash('ls', FAILED)], 0],
    ['a refused call does not count for min', 'tool: Bash', [bash('ls', REFUSED)], 0],
    ['an unknown tool does not count for min', 'tool: Bash', [bash('ls', UNKNOWN)], 0],
    ['a failed call counts for max', 'tool: Bash, max: 0', [bash('ls', FAILED)], 0],
    ['a refused call counts for max', 'tool: Bash, max: 1', [bash('ls'), bash('ls', REFUSED)], 0],
    [
      'succeeded true: failed calls do not count for max',
      'tool: Bash, max: 0, succeeded: true',
      [bash('a', FAILED)],
      1,
    ],
    ['succeeded true: max', 'tool: Bash, max: 1, succeeded: true', [bash('a'), bash('b', FAILED)], 1],
    ['succeeded false: only failed calls count', 'tool: Bash, succeeded: false', [bash('a', REFUSED)], 1],
    ['succeeded false: successful calls do not count', 'tool: Bash, succeeded: false', [bash('a')], 0],
    ['succeeded false: max', 'tool: Bash, max: 0, succeeded: false', [bash('a')], 1],
    [
      'succeeded any: failed calls count for min',
      'tool: Bash, min: 2, succeeded: any',
      [bash('a'), bash('b', FAILED)],
      1,
    ],
    ['a call with an empty error failed', 'tool: Bash', [bash('a', { error: '' })], 0],
    ['a call without a result succeeded', 'tool: Bash', [bash('a', {})], 1],
    ['input_match on compact JSON', `tool: Bash, input_match: '"command":"npm test"'`, TWO, 1],
    ['compact JSON has no spaces', `tool: Bash, input_match: '"command": "npm test"'`, TWO, 0],
    ['input_match counts matching calls only', 'tool: Bash, input_match: npm, min: 2', TWO, 0],
    ['input_match sees every key', `tool: "*cancel", input_match: '"code":7'`, [cancel('A1')], 1],
    ['a call without input is {}', `tool: a, input_match: '^\\{\\}$'`, [{ tool: 'a' }], 1],
    ['input null is null', 'tool: a, input_match: ^null$', [{ tool: 'a', input: null }], 1],
    ['escapes of JSON', `tool: Bash, input_match: 'a\\\\n\\\\"b'`, [bash('a\n"b')], 1],
    ['args that the call has', 'tool: "*cancel", args: {id: A1}', [cancel('A1')], 1],
    ['args at every level', 'tool: "*cancel", args: {reason: {code: 7}}', [cancel('A1')], 1],
    ['args with another value', 'tool: "*cancel", args: {id: A2}', [cancel('A1')], 0],
    ['args with another type', 'tool: "*cancel", args: {reason: {code: "7"}}', [cancel('A1')], 0],
    ['args that are missing', 'tool: "*cancel", args: {all: true}', [cancel('A1')], 0],
    ['no args at all', 'tool: a, args: {}', [{ tool: 'a' }], 1],
    ['args and input_match both hold', 'tool: "*cancel", args: {id: A1}, input_match: late', [cancel('A1')], 1],
    ['args hold, input_match does not', 'tool: "*cancel", args: {id: A1}, input_match: early', [cancel('A1')], 0],
    ['output_match on text', 'tool: Bash, output_match: ^ok$', [bash('a')], 1],
    ['output_match on compact JSON', `tool: "*", output_match: '^\\{"ok":true,"id":"A1"\\}$'`, [cancel('A1')], 1],
    ['output_match on another output', 'tool: Bash, output_match: nope', [bash('a')], 0],
    ['no output matches nothing', 'tool: Bash, output_match: .*', [bash('a', {})], 0],
    ['an empty output is text', 'tool: Bash, output_match: ^$', [bash('a', { output: '' })], 1],
    ['output null is null', 'tool: Bash, output_match: ^null$', [bash('a', { output: null })], 1],
  ])('%s', async (_, fields, calls, score) => {
    expect(await scoresOf(fields, calls)).toEqual([score, 1 - score])
  })

  it('counts the calls of subagents', async () => {
    const [result] = await gradeChecks(['{type: tool_used, tool: Bash, min: 2}'], answerWith(TWO, 'a1'))
    expect(result?.score).toBe(1)
  })

  it('is an error without a transcript, also negated', async () => {
    const results = await gradeChecks(
      ['{type: tool_used, tool: Bash, max: 0}', '{type: tool_used, tool: Bash, negate: true}'],
      { text: 'I called nothing' },
    )
    expect(results.map(({ score, error }) => [score, error?.code])).toEqual([
      [null, 'no-transcript'],
      [null, 'no-transcript'],
    ])
  })

  it.each<[fields: string, calls: ToolCall[], miss: string]>([
    ['tool: Bash', [], 'Bash was not called, expected at least 1 time; it called no tool'],
    [
      'tool: Bash, input_match: npm test',
      [bash('ls'), { tool: 'Read' }],
      'Bash with input matching /npm test/ was not called, expected at least 1 time; its calls were: Bash {"command":"ls"}, Read',
    ],
    [
      'tool: Bash, min: 2, max: 3',
      [bash('ls', FAILED)],
      'Bash was called 1 time (1 failed), expected 2 to 3 times; its calls were: Bash {"command":"ls"} (failed: exit code 1)',
    ],
    [
      'tool: Bash, max: 0, input_match: rm',
      [bash('ls'), bash('rm x')],
      'Bash with input matching /rm/ was called 1 time, expected no call; its calls were: Bash {"command":"rm x"}',
    ],
    [
      'tool: a, args: {id: 1}, output_match: x, max: 1, min: 1',
      Array.from({ length: 8 }, () => ({ tool: 'b' })),
      'a with the arguments {"id":1} and output matching /x/ was not called, expected exactly 1 time; its calls were: b, b, b, b, b, … 3 more',
    ],
  ])('names the calls it saw instead: %s', async (fields, calls, miss) => {
    const [result] = await gradeChecks([`{type: tool_used, ${fields}}`], answerWith(calls))
    expect(result?.misses).toEqual([miss])
  })

  it('truncates long inputs and errors, and keeps a message on a reasonable length', async () => {
    const calls = [bash('x'.repeat(100_000), { error: 'y'.repeat(100_000) })]
    const [result] = await gradeChecks(['{type: tool_used, tool: Read}'], answerWith(calls))
    expect(result?.misses[0]?.length).toBeLessThan(400)
  })

  it('is an error if a pattern takes too long', async () => {
    const calls = [bash(`${'a'.repeat(40)}b`)]
    const [result] = await gradeChecks([`{type: tool_used, tool: Bash, input_match: '(?=(a+)+$)a'}`], answerWith(calls))
    expect(result).toMatchObject({ score: null, error: { code: 'regex-too-slow' } })
  })

  it('does not decide about an integer that may have been rounded', async () => {
    const calls: ToolCall[] = [{ tool: 'a', input: { id: 2 ** 60 } }]
    const [result] = await gradeChecks(
      [`{type: tool_used, tool: a, args: {id: 1.152921504606846976e18}}`],
      answerWith(calls),
    )
    expect(result?.error?.code).toBe('inexact-number')
  })

  it.each<[fields: string, code: string, message: string]>([
    ['tool: Bash, min: 3, max: 2', 'bad-range', '`min` is 3, above `max`, which is 2'],
    ['tool: Bash, min: 1, max: 0', 'bad-range', '`min` is 1, above `max`, which is 0'],
    ['tool: Bash, min: 0', 'bad-range', '`min: 0` without `max` allows every number, so the check cannot fail'],
    ['tool: Bash, input_match: "("', 'bad-regex', 'this is not a regular expression: unterminated group'],
    ['tool: Bash, output_match: "["', 'bad-regex', 'this is not a regular expression: unterminated character class'],
    ['tool: Bash, max: -1', 'out-of-range', '`max` must be at least 0, found -1'],
    ['tool: Bash, input: {a: 1}', 'unknown-key', 'unknown key `input`'],
    ['tool: ""', 'out-of-range', '`tool` must not be empty'],
  ])('reports before the run: %s', async (fields, code, message) => {
    const { diagnostics } = await loadTestWithDiagnostics([`{type: tool_used, ${fields}}`])
    expect(diagnostics.map(each => [each.code, each.message])).toEqual([[code, message]])
  })

  it('agrees with counting by hand, for any calls and bounds', async () => {
    const call = fc.constantFrom(bash('ls'), bash('ls', FAILED), { tool: 'Read' } as ToolCall)
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 6 }), fc.nat(4), fc.nat(4), async (calls, min, more) => {
        const made = calls.filter(({ tool }) => tool === 'Bash')
        const good = made.filter(({ error }) => error === undefined).length
        const max = min + more
        const expected = good >= min && made.length <= max ? 1 : 0
        expect(await scoresOf(`tool: Bash, min: ${min}, max: ${max}`, calls)).toEqual([expected, 1 - expected])
      }),
      { numRuns: examples(60) },
    )
  })
})
