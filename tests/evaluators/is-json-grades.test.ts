import { describe, expect, it } from 'vitest'
import { gradeOf, gradeTest, loadTest } from '../support/checks.ts'
import { assayWithTimeout, mockTargets, recordsOf, suiteFolder, verdictsOf } from '../support/runs.ts'

const VALID = ['is valid JSON']
const files = {
  'schemas/person.json': '{"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}',
}

describe('without a schema', () => {
  it.each([
    '{"a": 1}',
    '[1, 2]',
    '  {"a": 1}\n',
    '\n\t[]\r\n',
    '"a text"',
    '1.50',
    '-0',
    '1e400',
    'true',
    'null',
    '{}',
    '{"a": 1, "a": 2}',
    '{"": "\\u00e9\\ud83d"}',
    '"\u2028"',
    '\ufeff{"a": 1}',
  ])('%j is JSON', async answer => {
    expect(await gradeOf('{type: is_json}', answer)).toEqual({ score: 1, hits: VALID, misses: [] })
  })

  it.each([
    ['', 'it ends where a value is expected'],
    ['  \n', 'it ends where a value is expected'],
    ['{"a": 1} Done.', 'expected nothing more, found `Done.`'],
    ['Here: {"a": 1}', 'expected a value, found `Here`'],
    ['{"a": 1}{"b": 2}', 'expected nothing more, found `{`'],
    ["{'a': 1}", 'strings need double quotes'],
    ['{"a": 1,}', 'expected a key in double quotes, found `}`'],
    ['[1, 2,]', 'expected a value, found `]`'],
    ['[1, 2', 'it ends where `,` or `]` is expected'],
    ['NaN', 'expected a value, found `NaN`'],
    ['[Infinity]', 'expected a value or `]`, found `Infinity`'],
    ['undefined', 'expected a value, found `undefined`'],
    ['007', 'expected a value, found `007`'],
    ['+1', 'expected a value, found `+1`'],
    ['.5', 'expected a value, found `.5`'],
    ['True', 'expected a value, found `True`'],
    ['"a\nb"', 'a control character in a string must be escaped'],
    ['"open', 'this string is not closed'],
    ['"\\x41"', 'there is no such escape'],
    ['{"a": 1} // all', 'expected nothing more, found `//`'],
    ['```json\n{"a": 1}\n```', 'expected a value, found '],
  ])('%j is not JSON: %s', async (answer, reason) => {
    const grade = await gradeOf('{type: is_json}', answer)
    expect(grade).toMatchObject({ score: 0, hits: [] })
    expect(grade.misses).toHaveLength(1)
    expect(grade.misses[0]).toMatch(/^is not valid JSON: /)
    expect(grade.misses[0]).toContain(reason)
  })

  it('accepts and rejects deep nesting', async () => {
    const [open, close] = ['['.repeat(100_000), ']'.repeat(100_000)]
    expect(await gradeOf('{type: is_json}', open + close)).toMatchObject({ score: 1 })
    expect(await gradeOf('{type: is_json}', open)).toMatchObject({ score: 0 })
    expect(await gradeOf('{type: is_json}', `${open}${close}]`)).toMatchObject({ score: 0 })
  })
})

describe('allow_fenced', () => {
  it.each<[answer: string, score: number]>([
    ['{"a": 1}', 1],
    ['```json\n{"a": 1}\n```', 1],
    ['```\n[1]\n```', 1],
    ['Here you are:\n\n```json\n{"a": 1}\n```\nAnything else?', 1],
    ['~~~\n{"a": 1}\n~~~', 1],
    ['~~~json\n"```"\n~~~', 1],
    ['````\n"a"\n````', 1],
    ['```json\r\n{"a": 1}\r\n```\r\n', 1],
    ['   ```\n1\n   ```', 1],
    ['```\n{"a": 1}\n`````', 1],
    ['"```"', 1],
    ['no JSON and no fence', 0],
    ['```json\n{"a": 1}\n```\n```json\n{"a": 2}\n```', 0],
    ['```\nnot JSON\n```\n```json\n{"a": 1}\n```', 0],
    ['```json\n{"a": 1,}\n```', 0],
    ['```\n\n```', 0],
    ['```json\n{"a": 1}', 0],
    ['```json\n{"a": 1}\n~~~', 0],
    ['````\n```json\n{"a": 1}\n```\n````', 0],
    ['{"a": 1} and a word', 0],
  ])('%j: %d', async (answer, score) => {
    const grade = await gradeOf('{type: is_json, allow_fenced: true}', answer)
    expect(grade.score).toBe(score)
    expect(grade.misses).toHaveLength(score === 1 ? 0 : 1)
  })

  it('reports several blocks', async () => {
    const { misses } = await gradeOf('{type: is_json, allow_fenced: true}', '```\n1\n```\n```\n2\n```')
    expect(misses).toEqual(['is not valid JSON: it has more than one fenced block'])
  })

  it('works with a schema', async () => {
    const check = '{type: is_json, allow_fenced: true, schema: {type: object, required: [name]}}'
    expect(await gradeOf(check, '```json\n{"name": "Ann"}\n```')).toMatchObject({ score: 1 })
    expect(await gradeOf(check, '```json\n{"nome": "Ann"}\n```')).toMatchObject({ score: 0, hits: VALID })
  })
})

describe('with a schema', () => {
  const MATCHES = [...VALID, 'matches the schema']

  it.each<[schema: string, answer: string, misses: string[]]>([
    ['{type: object}', '{}', []],
    ['{type: object}', '[]', ['the value must be object, found []']],
    ['{}', 'null', []],
    ['{type: object, required: [a, b]}', '{"a": 1}', ["the value must have required property 'b'"]],
    ['{properties: {a: {type: integer}}}', '{"a": 1.0}', []],
    ['{properties: {a: {type: integer}}}', '{"a": "1"}', ['/a must be integer, found "1"']],
    ['{items: {type: string}}', '["x", 1, 2]', ['/1 must be string, found 1', '/2 must be string, found 2']],
    ['{type: string, format: date}', '"not a date"', ['the value must match format "date", found "not a date"']],
    ['{type: string, pattern: "^a+$"}', '"aab"', ['the value must match pattern "^a+$", found "aab"']],
    ['{items: {type: string}, maxItems: 1}', '["x"]', []],
    [
      '{"$schema": "http://json-schema.org/draft-07/schema#", items: [{type: string}]}',
      '[1]',
      ['/0 must be string, found 1'],
    ],
    ['{"$schema": "https://json-schema.org/draft/2019-09/schema", dependentRequired: {a: [b]}}', '{"b": 1}', []],
    ['{"$schema": "https://json-schema.org/draft/2020-12/schema", prefixItems: [{type: string}]}', '["a", 1]', []],
    [
      '{"$schema": "https://json-schema.org/draft/2020-12/schema", prefixItems: [{type: string}]}',
      '[1]',
      ['/0 must be string, found 1'],
    ],
    ['{definitions: {n: {type: number}}, properties: {a: {"$ref": "#/definitions/n"}}}', '{"a": 1}', []],
  ])('%s on %s', async (schema, answer, misses) => {
    const grade = await gradeOf(`{type: is_json, schema: ${schema}}`, answer)
    const expected = misses.length === 0 ? { score: 1, hits: MATCHES } : { score: 0, hits: VALID }
    expect(grade).toEqual({ ...expected, misses })
  })

  it('reads the schema from a file', async () => {
    const check = '{type: is_json, schema: schemas/person.json}'
    expect(await gradeOf(check, '{"name": "Ann"}', files)).toEqual({ score: 1, hits: MATCHES, misses: [] })
    const grade = await gradeOf(check, '{"name": 1}', files)
    expect(grade).toEqual({ score: 0, hits: VALID, misses: ['/name must be string, found 1'] })
    expect(await gradeOf(check, 'Ann', files)).toMatchObject({ score: 0, hits: [] })
  })

  it('grades many answers with one check; checks are independent', async () => {
    const [first, second] = await Promise.all(
      ['string', 'number'].map(type => loadTest([`{type: is_json, schema: {$id: same, type: ${type}}}`])),
    )
    for (const [test, text, score] of [
      [first, '"a"', 1],
      [second, '"a"', 0],
      [first, '1', 0],
      [second, '1', 1],
      [first, '"b"', 1],
    ] as const) {
      expect(await gradeTest(test!, { text })).toMatchObject([{ score }])
    }
  })

  it('an answer that is nested too deeply for a recursive schema is an error, not a bug', async () => {
    const test = await loadTest(['{type: is_json, schema: {type: array, items: {$ref: "#"}}}'])
    const text = '['.repeat(50_000) + ']'.repeat(50_000)
    const [result] = await gradeTest(test, { text })
    expect(result?.error?.code).not.toBe('bug')
  })

  it('a pattern with catastrophic backtracking does not stop the run', async () => {
    const cwd = suiteFolder(
      `name: slow
tests:
  - id: slow
    criteria: Is made of words
    input: slow
    assert: [{type: is_json, schema: {type: string, pattern: '^(\\w+\\s?)+$'}}]
  - id: fine
    criteria: Says yes
    input: fine
    assert: [{type: equals, value: "yes"}]
`,
      mockTargets(['slow', JSON.stringify(`${'a'.repeat(60)}!`)], ['fine', 'yes']),
    )
    const { code } = await assayWithTimeout(['eval'], cwd)
    expect([1, 3]).toContain(code)
    expect(verdictsOf(recordsOf(cwd))).toEqual({ slow: code === 1 ? 'fail' : 'error', fine: 'pass' })
  })
})
