import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Subject } from '../../src/model/evaluator.ts'
import { gradeChecks, loadTest } from '../support/checks.ts'
import { examples } from '../support/random-examples.ts'

/** The settings of a field `a`, its expected value, the answer, and the score or an error code. */
type Case = [settings: string, expected: string, answer: string, outcome: number | string]

const exact: Case[] = [
  ['', 'x', '"x"', 1],
  ['', 'x', '"X"', 0],
  ['', 'x', '"x "', 0],
  ['', '1', '1', 1],
  ['', '1', '1.0', 1],
  ['', '1', '"1"', 0],
  ['', '"1"', '1', 0],
  ['', '1', 'true', 0],
  ['', '0', 'false', 0],
  ['', '0', 'null', 0],
  ['', '""', 'null', 0],
  ['', 'null', 'null', 1],
  ['', '{b: 1, c: 2}', '{"c": 2, "b": 1}', 1],
  ['', '{b: 1}', '{"b": 1, "c": null}', 0],
  ['', '{b: 1, c: null}', '{"b": 1}', 0],
  ['', '[1, [2, [3]]]', '[1, [2, [3]]]', 1],
  ['', '[1, [2, [3]]]', '[1, [2, ["3"]]]', 0],
  ['', '[1, 2]', '[2, 1]', 0],
  ['', '[1, 2]', '[1, 2, 3]', 0],
  ['', '[]', '{}', 0],
  ['', '{0: x}', '["x"]', 0],
  [', match: exact', '0.1', '0.10', 1],
  ['', 'caf\u00e9', '"cafe\u0301"', 0],
]

const contains: Case[] = [
  [', match: contains', 'Alice', '"Hello Alice!"', 1],
  [', match: contains', 'alice', '"Hello Alice!"', 0],
  [', match: contains', 'Hello Alice!', '"Alice"', 0],
  [', match: contains', '42', '"It is 42."', 1],
  [', match: contains', '"42"', '142', 1],
  [', match: contains', '.*', '"anything"', 0],
  [', match: contains', 'b', '["a", "b"]', 1],
  [', match: contains', 'x', 'null', 0],
]

const regex: Case[] = [
  [', match: regex', '^A-\\d+$', '"A-17"', 1],
  [', match: regex', '^A-\\d+$', '"a-17"', 0],
  [', match: regex', '^A-\\d+$', '"A-17\\n"', 0],
  [', match: regex', '\\d', '"x7x"', 1],
  [', match: regex', '^\\d+$', '17', 1],
  [', match: regex', '^\\d+$', 'null', 0],
  [', match: regex', '^(a+)+\\1$', `"${'a'.repeat(40)}b"`, 'regex-too-slow'],
]

const numeric: Case[] = [
  [', match: numeric_tolerance', '5', '5', 1],
  [', match: numeric_tolerance', '5', '5.1', 0],
  [', match: numeric_tolerance', '5', '"5.00"', 1],
  [', match: numeric_tolerance', '"1,200.50"', '1200.5', 1],
  [', match: numeric_tolerance', '1200.5', '"1,200.50"', 1],
  [', match: numeric_tolerance', '1200.5', '"1.200,50 €"', 1],
  [', match: numeric_tolerance', '-1200', '"(1,200)"', 1],
  [', match: numeric_tolerance, tolerance: 100', '12', '"12abc"', 0],
  [', match: numeric_tolerance, tolerance: 100', '12', '"12ABC"', 0],
  [', match: numeric_tolerance, tolerance: 100', '12', 'null', 0],
  [', match: numeric_tolerance, tolerance: 100', '12', 'true', 0],
  [', match: numeric_tolerance, tolerance: 100', '12', '[12]', 0],
  [', match: numeric_tolerance, tolerance: 100', '12', '""', 0],
  [', match: numeric_tolerance, tolerance: 0.01', '1200.5', '1200.51', 1],
  [', match: numeric_tolerance, tolerance: 0.01', '1200.5', '1200.511', 0],
  [', match: numeric_tolerance, tolerance: 0.1', '1', '1.1', 1],
  [', match: numeric_tolerance, tolerance: 0.1', '1', '0.9', 1],
  [', match: numeric_tolerance, tolerance: 0.2', '0.1', '0.3', 1],
  [', match: numeric_tolerance, tolerance: 0', '0', '0', 1],
  [', match: numeric_tolerance, tolerance: 0', '0', '1e-300', 0],
  [', match: numeric_tolerance, tolerance: 1', '-5', '-6', 1],
  [', match: numeric_tolerance, tolerance: 1', '-5', '5', 0],
  [', match: numeric_tolerance, tolerance: 0.05, relative: true', '100', '105', 1],
  [', match: numeric_tolerance, tolerance: 0.05, relative: true', '100', '105.1', 0],
  [', match: numeric_tolerance, tolerance: 0.05, relative: true', '-100', '-95', 1],
  [', match: numeric_tolerance, tolerance: 0.05, relative: true', '0', '0', 1],
  [', match: numeric_tolerance, tolerance: 0.05, relative: true', '0', '0.001', 0],
  [', match: numeric_tolerance, tolerance: 0.05, relative: false', '100', '105', 0],
  [', match: numeric_tolerance', '9007199254740990', '9007199254740991', 0],
  [', match: numeric_tolerance, tolerance: 1', '5', '1e400', 0],
  [', match: numeric_tolerance, tolerance: 1', '5', '-1e400', 0],
  [', match: numeric_tolerance, tolerance: 1', '5', '"1e400"', 0],
]

const date: Case[] = [
  [', match: date', '2025-12-31', '"2025-12-31"', 1],
  [', match: date', '2025-12-31', '"2025-12-30"', 0],
  [', match: date', '2025-12-31', '"2025-12-31T23:30:00-05:00"', 1],
  [', match: date', '"2025-12-31T00:00:00Z"', '"2025-12-31"', 1],
  [', match: date', '2025-12-31', '"20251231"', 1],
  [', match: date', '2025-12-31', '"31/12/2025"', 1],
  [', match: date', '2025-12-31', '"12/31/2025"', 1],
  [', match: date', '2025-12-31', '"December 31, 2025"', 1],
  [', match: date', '2025-12-31', '"31 Dec 2025"', 1],
  [', match: date', '31 December 2025', '"2025-12-31"', 1],
  [', match: date', '2025-05-05', '"5/5/2025"', 1],
  [', match: date', '2024-02-29', '"29 February 2024"', 1],
  [', match: date', '2024-02-29', '"2023-02-29"', 0],
  [', match: date', '2025-04-03', '"03/04/2025"', 'ambiguous-date'],
  [', match: date', '2020-01-01', '"03/04/2025"', 'ambiguous-date'],
  [', match: date', '2025-12-31', '"31/12/25"', 'ambiguous-date'],
  [', match: date, formats: [DD/MM/YYYY]', '2025-04-03', '"03/04/2025"', 1],
  [', match: date, formats: [MM/DD/YYYY]', '2025-04-03', '"03/04/2025"', 0],
  [', match: date, formats: [DD/MM/YYYY]', '03/04/2025', '"2025-04-03"', 1],
  [', match: date, formats: [DD/MM/YYYY, MM/DD/YYYY]', '2025-04-03', '"03/04/2025"', 'ambiguous-date'],
  [', match: date, formats: [DD/MM/YYYY]', '2025-12-31', '"12/31/2025"', 0],
  [', match: date, formats: [DDMMYYYY]', '2025-12-31', '"31122025"', 1],
  [', match: date', '2025-12-31', '"soon"', 0],
  [', match: date', '2025-12-31', 'null', 0],
  [', match: date', '2025-12-31', '{"year": 2025}', 0],
]

describe.each([
  ['exact', exact],
  ['contains', contains],
  ['regex', regex],
  ['numeric_tolerance', numeric],
  ['date', date],
])('%s', (_, cases) => {
  it.each(cases)('{path: a%s} with %s expected on %s: %s', async (settings, expected, answer, outcome) => {
    const check = `{type: field_accuracy, fields: [{path: a${settings}}]}`
    const value = /^[\^.\\]/.test(expected) ? `'${expected}'` : expected
    const [result] = await gradeChecks(
      [check],
      { text: `{"a": ${answer}}` },
      { fields: `expected_output: {a: ${value}}` },
    )
    expect(result?.error?.code ?? result?.score).toBe(outcome)
  })
})

it('an error stays an error under negate, and a score is inverted', async () => {
  const negated = (match: string) => `{type: field_accuracy, negate: true, fields: [{path: a, match: ${match}}]}`
  const results = await gradeChecks(
    [negated('date'), negated('exact')],
    { text: '{"a": "03/04/2025"}' },
    { fields: 'expected_output: {a: 2025-04-03}' },
  )
  expect(results).toMatchObject([
    { score: null, passed: false, hits: [], misses: [], error: { code: 'ambiguous-date' } },
    { score: 1, hits: ['a is "03/04/2025", expected "2025-04-03"'], misses: [] },
  ])
})

it('an amount is within the tolerance exactly if its cents are', async () => {
  const test = await loadTest(
    ['{type: field_accuracy, fields: [{path: a, match: numeric_tolerance}]}'],
    {},
    'expected_output: {a: 1}',
  )
  const evaluator = test.checks[0]?.evaluator
  const cents = fc.integer({ min: -100_000_000, max: 100_000_000 })
  fc.assert(
    fc.property(cents, fc.integer({ min: -300, max: 300 }), fc.nat(300), (expected, apart, tolerance) => {
      const field = { path: 'a', match: 'numeric_tolerance', weight: 1, required: false, tolerance: tolerance / 100 }
      const subject = {
        answer: { text: `{"a": ${(expected + apart) / 100}}` },
        test: { expected_output: { a: expected / 100 } },
      }
      const grade = evaluator?.grade?.(
        { fields: [field], aggregation: 'weighted_average' },
        subject as unknown as Subject,
        {} as never,
      )
      expect(grade).toMatchObject({ score: Math.abs(apart) <= tolerance ? 1 : 0 })
    }),
    { numRuns: examples(1000) },
  )
})
