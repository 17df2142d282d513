import { describe, expect, it } from 'vitest'
import type { ToolCall } from '../../src/model/answer.ts'
import { gradeChecks, loadTestWithDiagnostics } from '../support/checks.ts'

/** 2^53, which a number can represent, and 2^53 + 1, which it cannot. */
const [EXACT, LOST] = ['9007199254740992', '9007199254740993']
/** 2^53 in YAML. */
const WRITTEN = '9.007199254740992e15'
const UNJUDGED = 'unjudged'

/** The score of a check, or `UNJUDGED`. */
async function scoreOf(check: string, text: string, fields = ''): Promise<number | typeof UNJUDGED> {
  const [result] = await gradeChecks([check], { text }, { fields })
  if (result?.error) expect(result.error.code).toBe('inexact-number')
  return result?.score ?? UNJUDGED
}

describe('is_json', () => {
  it.each<[schema: string, answer: string, score: number | typeof UNJUDGED]>([
    [`{const: ${WRITTEN}}`, EXACT, 1],
    [`{const: ${WRITTEN}}`, LOST, UNJUDGED],
    [`{not: {const: ${WRITTEN}}}`, LOST, UNJUDGED],
    [`{enum: [1, ${WRITTEN}]}`, LOST, UNJUDGED],
    ['{enum: [1, 2]}', LOST, 0],
    [`{const: {id: ${WRITTEN}}}`, `{"id": ${LOST}}`, UNJUDGED],
    [`{maximum: ${WRITTEN}}`, LOST, UNJUDGED],
    [`{exclusiveMinimum: ${WRITTEN}}`, LOST, UNJUDGED],
    ['{minimum: 1, maximum: 1e19}', LOST, 1],
    ['{maximum: 1000}', LOST, 0],
    ['{multipleOf: 2}', LOST, UNJUDGED],
    ['{multipleOf: 2}', EXACT, 1],
    ['{multipleOf: 2}', `${LOST}.0`, UNJUDGED],
    ['{multipleOf: 2}', `${LOST}e0`, UNJUDGED],
    [`{const: ${WRITTEN}}`, '9.007199254740993e15', UNJUDGED],
    [`{const: ${WRITTEN}}`, '9.007199254740992e15', 1],
    ['{const: 1e300}', '1e300', 1],
    ['{uniqueItems: true}', `[${EXACT}, ${LOST}]`, UNJUDGED],
    ['{uniqueItems: false}', `[${EXACT}, ${LOST}]`, 1],
    ['{uniqueItems: true}', '[1, 1]', 0],
    ['{type: integer}', LOST, 1],
    ['{type: object, required: [id], properties: {id: {type: integer, minimum: 0}}}', `{"id": ${LOST}}`, 1],
    ['{type: string}', `"${LOST}"`, 1],
    ['{format: int64}', '9223372036854775807', UNJUDGED],
    ['{format: int64}', '-9223372036854775808', 1],
    ['{format: int64}', '9223372036854775808', 0],
    ['{format: int64}', '1234567890123456789', 1],
    ['{minimum: 1e308}', '9'.repeat(400), 1],
  ])('%s on %s: %s', async (schema, answer, score) => {
    expect(await scoreOf(`{type: is_json, schema: ${schema}}`, answer)).toBe(score)
  })

  it('rejects such an integer in a schema file, with its location', async () => {
    const files = { 's.json': `{\n  "const": ${LOST}\n}` }
    const { diagnostics } = await loadTestWithDiagnostics(['{type: is_json, schema: s.json}'], { files })
    expect(diagnostics).toMatchObject([{ code: 'long-integer', line: 2, column: 12, length: LOST.length }])
  })
})

describe('field_accuracy', () => {
  const score = (field: string, answer: string, expected: string) =>
    scoreOf(`{type: field_accuracy, fields: [{path: id${field}}]}`, answer, `expected_output: ${expected}`)

  it.each<[field: string, answer: string, expected: string, score: number]>([
    ['', `{"id": ${LOST}}`, `{id: ${WRITTEN}}`, 0],
    ['', `{"id": ${EXACT}}`, `{id: ${WRITTEN}}`, 1],
    ['', `{"id": ${LOST}.0}`, `{id: ${WRITTEN}}`, 0],
    ['', `{"id": ${LOST}e0}`, `{id: ${WRITTEN}}`, 0],
    ['', `{"id": ${LOST}.0}`, `'{"id": ${LOST}}'`, 1],
    ['', '{"id": 1e300}', '{id: 1e300}', 1],
    ['', `{"id": ${LOST}}`, `'{"id": ${LOST}}'`, 1],
    ['', `{"id": ${EXACT}}`, `'{"id": ${LOST}}'`, 0],
    ['', `{"id": -${LOST}}`, `'{"id": ${LOST}}'`, 0],
    ['', `{"id": [${LOST}]}`, `{id: [${WRITTEN}]}`, 0],
    ['', `{"id": {"a": ${LOST}, "b": "${LOST}"}}`, `'{"id": {"a": ${LOST}, "b": "${LOST}"}}'`, 1],
    ['', `{"id": "${LOST}"}`, `'{"id": ${LOST}}'`, 0],
    [', match: contains', `{"id": ${LOST}}`, '{id: "0993"}', 1],
    [', match: contains', `{"id": [${LOST}]}`, '{id: "0992"}', 0],
    [', match: regex', `{"id": ${LOST}}`, '{id: "3$"}', 1],
    [', match: numeric_tolerance', `{"id": ${LOST}}`, `{id: ${WRITTEN}}`, 0],
    [', match: numeric_tolerance, tolerance: 1', `{"id": ${LOST}}`, `{id: ${WRITTEN}}`, 1],
    [', match: numeric_tolerance', `{"id": "9,007,199,254,740,993"}`, `{id: ${WRITTEN}}`, 0],
    [', match: numeric_tolerance', `{"id": "-${LOST}"}`, `'{"id": -${LOST}}'`, 1],
    [', match: numeric_tolerance, tolerance: 0.5', `{"id": ${LOST}}`, '{id: 1.5}', 0],
    [', match: numeric_tolerance, tolerance: 0.1, relative: true', `{"id": ${LOST}}`, '{id: 9e15}', 1],
  ])('%s: %s against %s is %d', async (field, answer, expected, wanted) => {
    expect(await score(field, answer, expected)).toBe(wanted)
  })

  it('reports the integer as written', async () => {
    const check = '{type: field_accuracy, fields: [{path: id}]}'
    const [result] = await gradeChecks([check], { text: `{"id": [${LOST}]}` }, { fields: `expected_output: {id: 1}` })
    expect(result?.misses[0]).toContain(`[${LOST}]`)
  })
})

describe('tool_trajectory', () => {
  const check = (args: string, more = '') =>
    `{type: tool_trajectory, mode: exact, expected: [{tool: refund, args: ${args}${more}}]}`
  const graded = async (check: string, input: unknown) => {
    const tool_calls: ToolCall[] = [{ tool: 'refund', input }]
    const [result] = await gradeChecks([check], { text: '', output_messages: [{ role: 'assistant', tool_calls }] })
    return result?.error?.code ?? result?.score
  }

  it.each<[check: string, input: unknown, found: unknown]>([
    [check(`{id: ${WRITTEN}}`), { id: 2 ** 53 }, 'inexact-number'],
    [check(`{id: ${WRITTEN}}`, ', args_match: exact'), { id: 2 ** 53 }, 'inexact-number'],
    [check(`{id: ${WRITTEN}}`, ', args_match: subset'), { id: 2 ** 53 }, 'inexact-number'],
    [check(`{id: ${WRITTEN}}`, ', args_match: [id]'), { id: 2 ** 53 }, 'inexact-number'],
    [check(`{ids: [{id: ${WRITTEN}}]}`), { ids: [{ id: 2 ** 53 }] }, 'inexact-number'],
    [check(`{id: ${WRITTEN}}`), { id: 1 }, 0],
    [check(`{id: ${WRITTEN}}`, ', args_match: ignore'), { id: 1 }, 1],
    [check('{id: 1}'), { id: 1, other: 2 ** 53 }, 1],
    [check(`{id: "${LOST}"}`), { id: LOST }, 1],
    [check('{ratio: 1.5}'), { ratio: 1.5 }, 1],
    [check('{id: 9007199254740991}'), { id: 9007199254740991 }, 1],
  ])('%s on %j: %s', async (check, input, found) => {
    expect(await graded(check, input)).toBe(found)
  })
})
