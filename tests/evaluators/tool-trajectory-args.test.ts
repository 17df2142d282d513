import { describe, expect, it } from 'vitest'
import type { ToolCall } from '../../src/model/answer.ts'
import { gradeChecks, loadTestWithDiagnostics } from '../support/checks.ts'
import { answerWith, callsOf } from './trajectories.ts'

/** The expected arguments of a call, the actual arguments, and whether they match. */
type Case = [said: string, input: unknown, same: boolean]

const byDefault: Case[] = [
  ['args: {q: rain}', { q: 'rain' }, true],
  ['args: {q: rain}', { q: 'rain', limit: 5 }, true],
  ['args: {q: rain}', { q: 'Rain' }, false],
  ['args: {q: rain}', { q: 'rainy' }, false],
  ['args: {q: rain, limit: 5}', { q: 'rain' }, false],
  ['args: {limit: 5}', { limit: '5' }, false],
  ['args: {limit: "5"}', { limit: 5 }, false],
  ['args: {on: true}', { on: 'true' }, false],
  ['args: {q: null}', { q: null }, true],
  ['args: {q: null}', {}, false],
  ['args: {}', { q: 'rain' }, true],
  ['args: {}', undefined, true],
  ['args: {q: rain}', undefined, false],
  ['args: {q: rain}', null, false],
  ['args: {q: rain}', 'q: rain', false],
  ['args: {q: rain}', ['rain'], false],
  ['args: {length: 1}', ['rain'], false],
  ['args: {constructor: x}', {}, false],
  ['args: {o: {a: 1}}', { o: { a: 1, b: 2 }, p: 3 }, true],
  ['args: {o: {a: 1}}', { o: { b: 2 } }, false],
  ['args: {o: {p: {a: 1}}}', { o: { p: { a: 1, b: 2 }, q: 1 } }, true],
  ['args: {o: {p: {a: 1}}}', { o: { p: { a: 2 } } }, false],
  ['args: {o: {a: 1}}', { o: [1] }, false],
  ['args: {o: {}}', { o: 'text' }, false],
  ['args: {l: [1, 2]}', { l: [1, 2] }, true],
  ['args: {l: [1, 2]}', { l: [2, 1] }, false],
  ['args: {l: [1]}', { l: [1, 2] }, false],
  ['args: {l: [{a: 1}]}', { l: [{ a: 1, b: 2 }] }, true],
  ['args: any', { q: 'rain' }, true],
  ['args: any', undefined, true],
  ['args: any', 'rain', true],
]

const exact: Case[] = [
  ['args: {a: 1, b: 2}, args_match: exact', { b: 2, a: 1 }, true],
  ['args: {a: 1}, args_match: exact', { a: 1, b: 2 }, false],
  ['args: {a: 1, b: 2}, args_match: exact', { a: 1 }, false],
  ['args: {o: {a: 1}}, args_match: exact', { o: { a: 1, b: 2 } }, false],
  ['args: {}, args_match: exact', {}, true],
  ['args: {}, args_match: exact', undefined, true],
  ['args: {}, args_match: exact', { a: 1 }, false],
  ['args: any, args_match: exact', { a: 1 }, true],
]

const within: Case[] = [
  ['args: {a: 1, b: 2}, args_match: subset', { a: 1 }, true],
  ['args: {a: 1, b: 2}, args_match: subset', {}, true],
  ['args: {a: 1, b: 2}, args_match: subset', undefined, true],
  ['args: {a: 1, b: 2}, args_match: subset', { a: 1, b: 2 }, true],
  ['args: {a: 1, b: 2}, args_match: subset', { a: 1, c: 3 }, false],
  ['args: {a: 1, b: 2}, args_match: subset', { a: 2 }, false],
  ['args: {o: {a: 1, b: 2}}, args_match: subset', { o: { b: 2 } }, true],
  ['args: {o: {a: 1}}, args_match: subset', { o: { a: 1, c: 3 } }, false],
  ['args: {a: 1}, args_match: superset', { a: 1, b: 2 }, true],
  ['args: {a: 1, b: 2}, args_match: superset', { a: 1 }, false],
  ['args: {a: 1}, args_match: superset', { a: 2, b: 2 }, false],
  ['args: {a: 1}, args_match: ignore', { a: 2 }, true],
  ['args: {a: 1}, args_match: ignore', undefined, true],
]

const byPath: Case[] = [
  ['args: {a: 1, b: 2}, args_match: [a]', { a: 1, b: 3 }, true],
  ['args: {a: 1, b: 2}, args_match: [a]', { a: 1 }, true],
  ['args: {a: 1, b: 2}, args_match: [a]', { a: 2, b: 2 }, false],
  ['args: {a: 1, b: 2}, args_match: [a, b]', { a: 1, b: 3 }, false],
  ['args: {a: 1}, args_match: [a]', {}, false],
  ['args: {a: 1}, args_match: [a]', undefined, false],
  ['args: {a: null}, args_match: [a]', {}, false],
  ['args: {a: null}, args_match: [a]', { a: null }, true],
  ['args: {o: {a: 1, b: 2}}, args_match: [o.a]', { o: { a: 1, b: 9 } }, true],
  ['args: {o: {a: 1, b: 2}}, args_match: [o.a]', { o: { a: 9, b: 2 } }, false],
  ['args: {l: [{a: 1}, {a: 2}]}, args_match: ["l[1].a"]', { l: [{}, { a: 2 }] }, true],
  ['args: {l: [{a: 1}, {a: 2}]}, args_match: ["l[1].a"]', { l: [{ a: 2 }] }, false],
]

describe.each([
  ['only the keys given are compared', byDefault],
  ['args_match: exact', exact],
  ['args_match: subset, superset, ignore', within],
  ['args_match: paths', byPath],
])('%s', (_, cases) => {
  it.each(cases)('{%s} on %j: %s', async (said, input, same) => {
    const modes = ['any_order', 'in_order', 'exact', 'superset', 'subset']
    const checks = modes.map(mode => `{type: tool_trajectory, mode: ${mode}, expected: [{tool: t, ${said}}]}`)
    const call: ToolCall = input === undefined ? { tool: 't' } : { tool: 't', input }
    const results = await gradeChecks(checks, answerWith([call]))
    expect(results.map(({ score }) => score)).toEqual(modes.map(() => (same ? 1 : 0)))
  })
})

it.each([
  '{tool: t, args_match: [a]}',
  '{tool: t, args: {a: 1}, args_match: [b]}',
  '{tool: t, args: {a: 1}, args_match: ["a..b"]}',
  '{tool: t, args: some}',
  '{args: any}',
])('rejects %s before the run', async entry => {
  const { diagnostics } = await loadTestWithDiagnostics([`{type: tool_trajectory, expected: [${entry}]}`])
  expect(diagnostics).toHaveLength(1)
})

const t = (k: number, duration_ms?: number): ToolCall => ({
  tool: 't',
  input: { k },
  ...(duration_ms === undefined ? {} : { duration_ms }),
})

describe('matches each entry with a different call, as many as possible', () => {
  it.each<[expected: string, calls: ToolCall[], score: number]>([
    // A greedy match would leave no call for a later entry.
    ['{tool: t}, {tool: t, args: {k: 1}}', [t(1), t(2)], 1],
    ['{tool: t, args: {k: 1}}, {tool: t}', [t(2), t(1)], 1],
    ['{tool: t}, {tool: t, args: {k: 2}}, {tool: t, args: {k: 1}}', [t(1), t(2), t(3)], 1],
    ['{tool: t}, {tool: t}, {tool: t, args: {k: 2}}', [t(1), t(2), t(3)], 1],
    ['{tool: t, args: {k: 1}}, {tool: t, args: {k: 1}}', [t(1), t(2)], 1 / 2],
    ['{tool: t}, {tool: t, args: {k: 1}}', [t(1)], 1 / 2],
    ['{tool: t, max_duration_ms: 10}, {tool: t, args: {k: 1}}', [t(1, 5), t(2, 5)], 1],
    ['{tool: t, max_duration_ms: 10}, {tool: t, args: {k: 1}}', [t(1, 5), t(2, 50)], 2 / 3],
    ['{tool: t, max_duration_ms: 10}, {tool: t, max_duration_ms: 100}', [t(1, 50), t(1, 5)], 1],
  ])('[%s] on %j: %d', async (expected, calls, score) => {
    const checks = ['any_order', 'superset'].map(
      mode => `{type: tool_trajectory, mode: ${mode}, expected: [${expected}]}`,
    )
    const there = await gradeChecks(checks, answerWith(calls))
    const back = await gradeChecks(checks, answerWith(calls.toReversed()))
    for (const result of [...there, ...back]) expect(result.score).toBeCloseTo(score, 12)
  })
})

describe('in_order compares the arguments too', () => {
  it.each<[expected: string, calls: ToolCall[], score: number]>([
    ['{tool: t, args: {k: 1}}, {tool: t, args: {k: 2}}', [t(1), t(2)], 1],
    ['{tool: t, args: {k: 1}}, {tool: t, args: {k: 2}}', [t(2), t(1)], 0],
    ['{tool: t, args: {k: 1}}, {tool: t, args: {k: 2}}', [t(2), t(2)], 1 / 2],
    ['{tool: t}, {tool: t, args: {k: 1}}', [t(1), t(2)], 0],
    ['{tool: t}, {tool: t, args: {k: 1}}', [t(1), t(1)], 1],
    // All calls exist, one of them late and out of order.
    ['{tool: t, max_duration_ms: 10}, {tool: t, args: {k: 1}}', [t(1, 5), t(2, 50)], 0],
    ['{tool: t, args: {k: 1}}, {tool: t, max_duration_ms: 10}', [t(2, 50), t(1, 5)], 0],
  ])('[%s] on %j: %d', async (expected, calls, score) => {
    const check = `{type: tool_trajectory, mode: in_order, expected: [${expected}]}`
    const [result] = await gradeChecks([check], answerWith(calls))
    expect(result?.score).toBeCloseTo(score, 12)
  })
})

it('hits and misses name the arguments, truncated if they are long', async () => {
  const check = `{type: tool_trajectory, expected: [{tool: t, args: {k: 1}}, {tool: t, args: {q: ${'x'.repeat(200)}}}, {tool: u, args: any}]}`
  const [result] = await gradeChecks([check], answerWith([t(1), ...callsOf('u')]))
  expect(result?.hits).toEqual(['t was called with {"k": 1}', 'u was called'])
  expect(result?.misses).toEqual([
    `t was called 1 time, expected one more call with {"q": "${'x'.repeat(193)}…`,
    expect.stringMatching(/^expected: .*; called: .*$/),
  ])
})
