import { describe, expect, it } from 'vitest'
import { gradeChecks, loadTestWithDiagnostics } from '../support/checks.ts'

async function graded(settings: string, text: string, expected = 'expected_output: {a: 1, b: 2, c: [x, {d: null}]}') {
  const [result] = await gradeChecks([`{type: field_accuracy, ${settings}}`], { text }, { fields: expected })
  return result
}

const FENCE = '```'
const A = 'fields: [{path: a}]'

describe('the JSON of an answer', () => {
  it.each<[text: string, score: number]>([
    ['{"a": 1}', 1],
    ['\n  {"a": 1}\n', 1],
    ['\ufeff{"a": 1}', 1],
    [`${FENCE}json\n{"a": 1}\n${FENCE}`, 1],
    [`Here it is:\n${FENCE}\n{"a": 1}\n${FENCE}\nDone {really}.`, 1],
    [`~~~\n{"a": 1}\n~~~`, 1],
    [`${FENCE}json\n{"a": 1}\n`, 1],
    [`${FENCE}json\n{"a": 1}\n${FENCE}\nor\n${FENCE}json\n{"a": 1}\n${FENCE}`, 0],
    [`${FENCE}sh\nls\n${FENCE}\nthen\n${FENCE}json\n{"a": 1}\n${FENCE}`, 1],
    [`${FENCE}sh\nls\n${FENCE}\nThe answer is {"a": 1}.`, 1],
    ['The answer is {"a": 1}.', 1],
    ['{"a": 2} no, {"a": 1}', 0],
    ['With {braces} before {"a": 1}', 0],
    ['', 0],
    ['I do not know.', 0],
    ['} {', 0],
    ['{a: 1}', 0],
    ["{'a': 1}", 0],
    ['null', 0],
    ['1', 0],
    ['"a"', 0],
    ['[1]', 0],
  ])('%j: %d', async (text, score) => {
    const result = await graded(A, text)
    expect(result?.error).toBeUndefined()
    expect(result?.score).toBe(score)
  })

  it('an answer without JSON misses every field, with a message', async () => {
    const result = await graded('fields: [{path: a}, {path: b, required: true}]', 'Sorry.')
    const misses = ['the answer has no JSON', 'a is missing, expected 1', 'b is missing, expected 2 (required)']
    expect(result).toMatchObject({ score: 0, hits: [], misses })
    expect(result?.error).toBeUndefined()
  })
})

describe('the expected output', () => {
  it.each([
    ['a mapping', 'expected_output: {a: 1}'],
    ['a string of JSON', `expected_output: '{"a": 1}'`],
    [
      'the last message of the assistant',
      `expected_output:\n  - {role: assistant, content: '{"a": 2}'}\n  - {role: assistant, content: '{"a": 1}'}\n  - {role: user, content: Thanks}`,
    ],
    ['a block of JSON', 'expected_output:\n  - {role: assistant, content: [{type: json, value: {a: 1}}]}'],
  ])('as %s', async (_, expected) => {
    expect(await graded(A, '{"a": 1}', expected)).toMatchObject({ score: 1, hits: ['a: 1'], misses: [] })
    expect(await graded(A, '{"a": 2}', expected)).toMatchObject({ score: 0, misses: ['a is 2, expected 1'] })
  })
})

describe('paths', () => {
  const EXPECTED = `expected_output: '{"a": {"b": [{"c": 1}, [2, 3]]}, "n": null, "__proto__": {"x": 1}}'`

  it.each<[path: string, text: string, score: number]>([
    ['a.b[0].c', '{"a": {"b": [{"c": 1}]}}', 1],
    ['a.b[1][0]', '{"a": {"b": [0, [2]]}}', 1],
    ['a.b[1][1]', '{"a": {"b": [0, [2]]}}', 0],
    ['a.b[0].c', '{"a": {"b": []}}', 0],
    ['a.b[0].c', '{"a": null}', 0],
    ['a.b[0].c', '{"a.b[0].c": 1}', 0],
    ['a.b[0].c', '{"a": "b"}', 0],
    ['n', '{"n": null}', 1],
    ['n', '{}', 0],
    ['__proto__.x', '{"__proto__": {"x": 1}}', 1],
    ['__proto__.x', '{"x": 1}', 0],
  ])('%s in %s: %d', async (path, text, score) => {
    expect(await graded(`fields: [{path: "${path}"}]`, text, EXPECTED)).toMatchObject({ score })
  })

  it('indexes into a top-level list', async () => {
    const result = await graded(
      'fields: [{path: "[1].n"}]',
      '[{"n": 0}, {"n": 7}]',
      'expected_output: [{n: 1}, {n: 7}]',
    )
    expect(result).toMatchObject({ score: 1, hits: ['[1].n: 7'] })
  })
})

describe('aggregates fields into one score', () => {
  it.each<[settings: string, score: number]>([
    ['fields: [{path: a}, {path: b}]', 0.5],
    ['fields: [{path: a, weight: 3}, {path: b}]', 0.75],
    ['fields: [{path: a, weight: 0}, {path: b}]', 0],
    ['fields: [{path: a}, {path: b, weight: 0}]', 1],
    ['fields: [{path: a}, {path: b}, {path: "c[0]"}]', 0.666_666_667],
    ['fields: [{path: a, weight: 0.1}, {path: b, weight: 0.2}]', 0.333_333_333],
    ['fields: [{path: a, weight: 1.0e+308}, {path: b, weight: 1.0e+308}]', 0.5],
    ['fields: [{path: a, required: true}, {path: b}]', 0.5],
    ['fields: [{path: a}, {path: b, required: true}]', 0],
    ['fields: [{path: a}, {path: b, required: true, weight: 0}]', 0],
    ['fields: [{path: a}, {path: b, required: false}]', 0.5],
    ['aggregation: weighted_average, fields: [{path: a}, {path: b}]', 0.5],
    ['aggregation: minimum, fields: [{path: a}, {path: b}]', 0],
    ['aggregation: minimum, fields: [{path: a}, {path: "c[0]"}]', 1],
    ['aggregation: all_or_nothing, fields: [{path: a, weight: 9}, {path: b}]', 0],
    ['aggregation: all_or_nothing, fields: [{path: a}, {path: "c[1].d"}]', 1],
    ['negate: true, fields: [{path: a, weight: 3}, {path: b}]', 0.25],
    ['negate: true, fields: [{path: a}, {path: b, required: true}]', 1],
  ])('%s: %d', async (settings, score) => {
    const result = await graded(settings, '{"a": 1, "b": 3, "c": ["x", {"d": null}]}')
    expect(result?.score).toBeCloseTo(score, 9)
  })

  it('one ambiguous date makes the check an error', async () => {
    const fields = 'fields: [{path: a, required: true}, {path: d, match: date, weight: 0}]'
    const result = await graded(fields, '{"a": 2, "d": "1/2/2025"}', 'expected_output: {a: 1, d: 2025-02-01}')
    expect(result).toMatchObject({ score: null, passed: false, error: { code: 'ambiguous-date' } })
  })
})

describe('hostile answers are misses, not bugs', () => {
  const nested = (open: string, close: string, times = 100_000) => `${open.repeat(times)}1${close.repeat(times)}`
  const MATCHES = ['exact', 'contains', 'regex', 'numeric_tolerance', 'date']

  it.each([
    ['braces that open', '{'.repeat(5_000_000)],
    ['braces that close', '}'.repeat(5_000_000)],
    ['pairs of braces', '{}'.repeat(2_500_000)],
    ['objects that never end', '{"a":'.repeat(1_000_000)],
    ['lists that never end', '['.repeat(5_000_000)],
    ['fences', `${FENCE}\n`.repeat(1_000_000)],
    ['one long fence', '`'.repeat(5_000_000)],
    ['line breaks', '\r\n'.repeat(2_500_000)],
    ['other keys named __proto__', '{"__proto__": {"a": 1}, "constructor": {"a": 1}}'],
    ['a half of a character', '{"a": "\ud800", "b": "\\udfff"}'],
    ['a text of five million characters', `{"a": "${'x'.repeat(5_000_000)}"}`],
  ])('%s', async (_, text) => {
    const result = await graded(A, text)
    expect(result?.error).toBeUndefined()
    expect(result?.score).toBe(0)
  })

  it.each(MATCHES)('100,000 nested lists, with %s', async match => {
    const expected = 'expected_output: {a: "2025-12-31"}'.replace('2025-12-31', match === 'date' ? '2025-12-31' : '7')
    const result = await graded(`fields: [{path: a, match: ${match}}]`, `{"a": ${nested('[', ']')}}`, expected)
    expect(result?.error?.code).not.toBe('bug')
    expect(result?.score).not.toBe(1)
  })

  it('100,000 nested objects', async () => {
    const result = await graded(A, nested('{"a":', '}'))
    expect(result?.error?.code).not.toBe('bug')
  })
})

describe('diagnostics before the run', () => {
  it.each<[settings: string, expected: string, code: string]>([
    [A, `expected_output: '5'`, 'unknown-path'],
    [A, `expected_output: '"a"'`, 'unknown-path'],
    [A, `expected_output: '{a: 1}'`, 'unknown-path'],
    [A, `expected_output: [{role: assistant, content: '{"a": 1}'}, {role: assistant, content: ok}]`, 'unknown-path'],
    ['fields: [{path: constructor}]', 'expected_output: {a: 1}', 'unknown-path'],
    ['fields: [{path: __proto__}]', 'expected_output: {a: 1}', 'unknown-path'],
    ['fields: [{path: "a[0]"}]', 'expected_output: {a: x}', 'unknown-path'],
    ['fields: [{path: "a[-1]"}]', 'expected_output: {a: [x]}', 'unknown-path'],
    ['fields: [{path: a, match: numeric_tolerance}]', 'expected_output: {a: null}', 'bad-expected'],
    ['fields: [{path: a, match: numeric_tolerance}]', 'expected_output: {a: .nan}', 'bad-expected'],
    ['fields: [{path: a, match: numeric_tolerance}]', 'expected_output: {a: .inf}', 'bad-expected'],
    ['fields: [{path: a, match: numeric_tolerance}]', 'expected_output: {a: "1e400"}', 'bad-expected'],
    ['fields: [{path: a, match: date}]', 'expected_output: {a: null}', 'bad-expected'],
    ['fields: [{path: a, match: date}]', 'expected_output: {a: 2023-02-29}', 'bad-expected'],
    ['fields: [{path: a, match: date, formats: []}]', 'expected_output: {a: 2025-12-31}', 'out-of-range'],
    ['fields: [{path: a, match: numeric_tolerance, tolerance: -1}]', 'expected_output: {a: 1}', 'out-of-range'],
    ['fields: [{path: a, weight: -1}]', 'expected_output: {a: 1}', 'out-of-range'],
  ])('%s with %s: %s', async (settings, fields, code) => {
    const { diagnostics } = await loadTestWithDiagnostics([`{type: field_accuracy, ${settings}}`], { fields })
    expect(diagnostics.map(({ code }) => code)).toEqual([code])
  })
})
