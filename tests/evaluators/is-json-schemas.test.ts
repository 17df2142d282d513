import { describe, expect, it } from 'vitest'
import { gradeOf, loadTestWithDiagnostics } from '../support/checks.ts'
import { cpuTimeOf } from '../support/cpu-time.ts'

const check = (schema: unknown) => `{type: is_json, schema: ${JSON.stringify(schema)}}`
const DRAFT_07 = 'http://json-schema.org/draft-07/schema#'
const DRAFT_2019 = 'https://json-schema.org/draft/2019-09/schema'

describe('keywords', () => {
  it.each<[schema: object, answer: string, score: number]>([
    [{ prefixItems: [{ type: 'string' }] }, '["a", 1]', 1],
    [{ prefixItems: [{ type: 'string' }] }, '[1]', 0],
    [{ prefixItems: [{ type: 'string' }], items: false }, '["a", 1]', 0],
    [{ properties: { a: true }, unevaluatedProperties: false }, '{"a": 1}', 1],
    [{ properties: { a: true }, unevaluatedProperties: false }, '{"a": 1, "b": 2}', 0],
    [{ dependentRequired: { a: ['b'] } }, '{"a": 1}', 0],
    [{ dependentRequired: { a: ['b'] } }, '{"a": 1, "b": 2}', 1],
    [{ contains: { const: 1 }, minContains: 2 }, '[1]', 0],
    [{ contains: { const: 1 }, minContains: 2 }, '[1, 1]', 1],
    [{ $defs: { n: { type: 'number' } }, items: { $ref: '#/$defs/n' } }, '["1"]', 0],
    [{ $defs: { n: { type: 'number' } }, items: { $ref: '#/$defs/n' } }, '[1]', 1],
    [{ $defs: { n: { $anchor: 'n', type: 'number' } }, items: { $ref: '#n' } }, '["1"]', 0],
    [{ definitions: { n: { type: 'number' } }, items: { $ref: '#/definitions/n' } }, '["1"]', 0],
    [{ $ref: 'https://json-schema.org/draft/2020-12/schema' }, '{"type": "objekt"}', 0],
    [{ $schema: DRAFT_07, items: [{ type: 'string' }], additionalItems: false }, '["a", 1]', 0],
    [{ $schema: DRAFT_07, dependencies: { a: ['b'] } }, '{"a": 1}', 0],
    [{ $schema: DRAFT_2019, items: [{ type: 'string' }], unevaluatedItems: false }, '["a", 1]', 0],
    [{ title: 'A note', 'x-note': 'of the team', deprecated: true, default: 1, examples: [2] }, '1', 1],
  ])('%j gives %s the score %d', async (schema, answer, score) => {
    expect(await gradeOf(check(schema), answer)).toMatchObject({ score })
  })
})

describe('references', () => {
  it.each<[schema: object, path: string]>([
    [{ $ref: '#' }, '#'],
    [{ $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, items: { $ref: '#/$defs/a' } }, '#/$defs/b'],
  ])('rejects a circular reference: %j', async (schema, reference) => {
    const { diagnostics } = await loadTestWithDiagnostics([check(schema)])
    expect(diagnostics[0]).toMatchObject({ code: 'bad-json-schema' })
    expect(diagnostics[0]?.message).toContain(`\`${reference}\` is a circular reference`)
  })

  it('accepts a recursive schema', async () => {
    const tree = { properties: { children: { items: { $ref: '#' } } }, required: ['name'] }
    expect(await gradeOf(check(tree), '{"name": 1, "children": [{"name": 2}]}')).toMatchObject({ score: 1 })
    expect(await gradeOf(check(tree), '{"name": 1, "children": [{}]}')).toMatchObject({ score: 0 })
  })
})

describe('keywords of another type', () => {
  it.each<[schema: object, keyword: string]>([
    [{ type: 'object', minLength: 3 }, 'minLength'],
    [{ type: 'array', minProperties: 1 }, 'minProperties'],
    [{ type: ['string', 'null'], maximum: 3 }, 'maximum'],
    [{ properties: { a: { type: 'boolean', items: true } } }, 'items'],
  ])('are rejected: %j', async (schema, keyword) => {
    const { diagnostics } = await loadTestWithDiagnostics([check(schema)])
    expect(diagnostics).toMatchObject([{ code: 'bad-json-schema' }])
    expect(diagnostics[0]?.message).toContain(`\`${keyword}\` has no effect without \`type: `)
  })

  it.each([
    { type: 'integer', minimum: 1 },
    { type: ['object', 'array'], required: ['a'], minItems: 1 },
    { minLength: 1, minimum: 2 },
  ])('are accepted if one of the types matches: %j', async schema => {
    expect((await loadTestWithDiagnostics([check(schema)])).diagnostics).toEqual([])
  })
})

describe('own properties', () => {
  it.each<[schema: object, answer: string, score: number]>([
    [{ required: ['constructor'] }, '{}', 0],
    [{ const: { constructor: { name: 'x' } } }, '{"constructor": {"name": "x"}}', 1],
    [{ enum: [{ constructor: 1 }] }, '{"constructor": 1}', 1],
    [{ uniqueItems: true }, '[{"constructor": {}}, {"constructor": {}}]', 0],
    [{ uniqueItems: true }, '[{"a": 1, "b": 2}, {"b": 2, "a": 1}]', 0],
    [{ uniqueItems: true }, '[1, "1", [1], {"a": 1}, {"a": "1"}]', 1],
    [{ const: { a: 1 } }, '{"toString": 1}', 0],
    [{ enum: [{ a: 1 }] }, '{"valueOf": 1}', 0],
    [{ required: ['constructor'] }, '{"constructor": 1}', 1],
    [{ required: ['toString', '__proto__'] }, '{"toString": 1}', 0],
    [{ properties: { constructor: { type: 'string' } } }, '{}', 1],
    [{ properties: { constructor: { type: 'string' } } }, '{"constructor": 1}', 0],
    [{ dependentRequired: { valueOf: ['a'] } }, '{}', 1],
    [{ dependentSchemas: { valueOf: { required: ['a'] } } }, '{}', 1],
    [{ additionalProperties: false }, '{"__proto__": 1}', 0],
    [
      { anyOf: [{ properties: { a: true }, required: ['a'] }, { minProperties: 9 }], unevaluatedProperties: false },
      '{"a": 1, "constructor": 2}',
      0,
    ],
    [
      { $defs: { a: { properties: { a: true } } }, anyOf: [{ $ref: '#/$defs/a' }], unevaluatedProperties: false },
      '{"toString": 1}',
      0,
    ],
  ])('%j gives %s the score %d', async (schema, answer, score) => {
    expect(await gradeOf(check(schema), answer)).toMatchObject({ score })
  })
})

describe('multipleOf', () => {
  it.each<[multipleOf: number, answer: string, score: number]>([
    [0.01, '19.99', 1],
    [0.01, '19.995', 0],
    [0.01, '0.07', 1],
    [0.1, '0.3', 1],
    [0.1, '-1.1', 1],
    [0.1, '0.30000000000000004', 0],
    [0.01, '1e300', 1],
    [3, '1e300', 0],
    [1e-300, '1e300', 1],
    [7, '0', 1],
    [0.0001, '4.35', 1],
    [2, '3', 0],
    [1e300, '1', 0],
    [0.01, '"19.995"', 1],
  ])('of %d on %s: %d', async (multipleOf, answer, score) => {
    const misses = score === 1 ? [] : [`the value must be multiple of ${multipleOf}, found ${Number(answer)}`]
    expect(await gradeOf(check({ multipleOf }), answer)).toMatchObject({ score, misses })
  })
})

describe('formats', () => {
  it.each<[format: string, valid: string, invalid: string]>([
    ['date', '2026-02-28', '2026-02-30'],
    ['date-time', '2026-02-28T10:00:00Z', '2026-02-28'],
    ['time', '10:00:00Z', '25:00:00Z'],
    ['duration', 'P1DT2H', 'one day'],
    ['email', 'ann@example.com', 'ann@'],
    ['hostname', 'example.com', '-example.com'],
    ['ipv4', '127.0.0.1', '256.0.0.1'],
    ['ipv6', '::1', ':::1'],
    ['uri', 'https://example.com/a?b#c', 'example'],
    ['uri-reference', '/a/b', '\\\\a'],
    ['uuid', '123e4567-e89b-12d3-a456-426614174000', '123e4567'],
    ['json-pointer', '/a/0', 'a'],
    ['regex', '^a+$', '('],
    ['byte', 'aGVsbG8=', 'not base64\n'],
  ])('checks %s', async (format, valid, invalid) => {
    for (const schema of [{ format }, { $schema: DRAFT_07, format }, { $schema: DRAFT_2019, format }]) {
      expect(await gradeOf(check(schema), JSON.stringify(valid))).toMatchObject({ score: 1 })
      expect(await gradeOf(check(schema), JSON.stringify(invalid))).toMatchObject({
        score: 0,
        misses: [`the value must match format "${format}", found ${JSON.stringify(invalid).replace('\\n', '↵')}`],
      })
    }
  })

  it('checks the range of int64', async () => {
    expect(await gradeOf(check({ format: 'int64' }), '1e18')).toMatchObject({ score: 1 })
    expect(await gradeOf(check({ format: 'int64' }), '1e19')).toMatchObject({ score: 0 })
  })

  it('applies to strings only', async () => {
    expect(await gradeOf(check({ format: 'date' }), '5')).toMatchObject({ score: 1 })
  })

  it.each(['email', 'url', 'uri', 'hostname', 'uri-template'])(
    'decides a huge text under %s within seconds',
    async format => {
      const text = JSON.stringify(`http://${'a-'.repeat(200_000)}`)
      expect(await cpuTimeOf(() => gradeOf(check({ format }), text).catch(() => undefined))).toBeLessThan(5000)
    },
  )
})

describe('a schema with parts that would be ignored', () => {
  /** The messages of a schema, each with its line and column. */
  async function problemsOf(schema: string) {
    const { diagnostics } = await loadTestWithDiagnostics([`{type: is_json, schema: ${schema}}`])
    return diagnostics.map(({ code, message, hint, column }) => ({ code, message, hint, column }))
  }

  it.each<[schema: string, message: string, hint: string | undefined]>([
    ['{requird: [a]}', 'unknown keyword `requird`', 'did you mean `required`?'],
    ['{properties: {a: {minLenght: 1}}}', 'unknown keyword `minLenght`', 'did you mean `minLength`?'],
    ['{items: {anyOf: [{typ: string}]}}', 'unknown keyword `typ`', 'did you mean `type`?'],
    ['{allOf: [{not: {constt: 1}}]}', 'unknown keyword `constt`', 'did you mean `const`?'],
    ['{$defs: {a: {foo: 1}}}', 'unknown keyword `foo`', 'remove it, or begin it with `x-` if it is an annotation'],
    [
      '{type: string, nullable: true}',
      'unknown keyword `nullable`',
      "write the type as a list with 'null' in it: `type: [string, 'null']`",
    ],
    ['{id: a}', 'unknown keyword `id`', 'did you mean `$id`?'],
    [
      `{$schema: "${DRAFT_07}", prefixItems: [true]}`,
      'unknown keyword `prefixItems`',
      'it is a keyword of 2020-12, but this schema is draft-07',
    ],
    [
      '{additionalItems: false}',
      'unknown keyword `additionalItems`',
      'it is a keyword of draft-07 and 2019-09, but this schema is 2020-12',
    ],
    ['{format: dat}', 'unknown format `dat`', 'did you mean `date`?'],
    ['{format: iri}', 'unknown format `iri`', 'did you mean `uri`?'],
    ['{format: colour}', 'unknown format `colour`', 'remove it, or describe the text with `pattern`'],
    [
      `{$schema: "${DRAFT_07}", additionalItems: false}`,
      '`additionalItems` has no effect without `items` as a list',
      undefined,
    ],
    ['{enum: []}', 'enum must have non-empty array', undefined],
    ['{pattern: "\\\\_"}', 'this is not a regular expression: invalid escape', undefined],
    ['{pattern: "("}', 'this is not a regular expression: unterminated group', undefined],
    ['{patternProperties: {"(": true}}', 'this is not a regular expression: unterminated group', undefined],
    ['{then: {type: string}}', '`then` has no effect without `if`', undefined],
    ['{minContains: 2}', '`minContains` has no effect without `contains`', undefined],
    ['{if: {type: string}}', '`if` has no effect without `then` or `else`', undefined],
    [
      '{$schema: "http://json-schema.org/draft-04/schema#"}',
      'unsupported dialect `http://json-schema.org/draft-04/schema#`',
      `use https://json-schema.org/draft/2020-12/schema, ${DRAFT_2019} or ${DRAFT_07}`,
    ],
    [
      '{items: {$schema: "http://json-schema.org/draft-04/schema#"}}',
      '`$schema` is only allowed at the top of a schema',
      undefined,
    ],
    [
      '{$ref: "https://example.com/person.json"}',
      '`https://example.com/person.json` is not in this schema, and remote schemas are not loaded',
      'copy it into `$defs` and refer to `#/$defs/NAME`',
    ],
    [
      '{items: {$ref: "other.json#/a"}}',
      '`other.json#/a` is not in this schema, and remote schemas are not loaded',
      'copy it into `$defs` and refer to `#/$defs/NAME`',
    ],
    ['{$ref: "#/$defs/person"}', '`#/$defs/person` is not in this schema', undefined],
    ['{$dynamicRef: "#person"}', '`#person` is not in this schema', undefined],
    ['{items: [{type: string}]}', '`items` must be object,boolean', undefined],
    ['{type: objekt}', '`type` must be equal to one of the allowed values', undefined],
    ['{minLength: -1}', '`minLength` must be >= 0', undefined],
  ])('%s: %s', async (schema, message, hint) => {
    expect(await problemsOf(schema)).toMatchObject([
      { code: 'bad-json-schema', message: expect.stringContaining(message), hint },
    ])
  })

  it('reports every problem at its location', async () => {
    const found = await problemsOf('{requird: [a], properties: {a: {minLenght: 1, type: strin}}}')
    const line = '      - {type: is_json, schema: {requird: [a], properties: {a: {minLenght: 1, type: strin}}}}'
    expect(found.map(({ column }) => column).sort((a, b) => a - b)).toEqual(
      ['requird', 'minLenght', 'strin}'].map(word => line.indexOf(word) + 1),
    )
  })

  it('names the line in a schema file', async () => {
    const files = {
      'person.json': '{\n  "type": "object",\n  "properties": {\n    "a\\"b": {"minLenght": 1}\n  }\n}\n',
    }
    const { diagnostics } = await loadTestWithDiagnostics(['{type: is_json, schema: person.json}'], { files })
    expect(diagnostics).toMatchObject([
      { message: 'invalid JSON Schema: unknown keyword `minLenght`', line: 4, column: 14, length: 11 },
    ])
    expect(diagnostics[0]?.file).toMatch(/person\.json$/)
  })

  it.each(['{"properties": {"__proto__": {"type": "string"}}}', '{"patternProperties": {"__proto__": false}}'])(
    'rejects %s, which would not be checked',
    async schema => {
      const { diagnostics } = await loadTestWithDiagnostics(['{type: is_json, schema: s.json}'], {
        files: { 's.json': schema },
      })
      expect(diagnostics).toMatchObject([{ code: 'bad-json-schema', message: expect.stringContaining('`__proto__`') }])
    },
  )

  it('rejects a schema that is nested too deeply', async () => {
    const schema = `${'{"items": '.repeat(5000)}{}${'}'.repeat(5000)}`
    const { diagnostics } = await loadTestWithDiagnostics(['{type: is_json, schema: s.json}'], {
      files: { 's.json': schema },
    })
    expect(diagnostics).toMatchObject([{ message: 'invalid JSON Schema: it is nested too deeply' }])
  })

  it('accepts a schema that has keywords as data', async () => {
    const schema = {
      const: { requird: 1 },
      enum: [{ minLenght: 1 }],
      default: { typ: 1 },
      properties: { requird: true },
    }
    expect((await loadTestWithDiagnostics([check(schema)])).diagnostics).toEqual([])
  })
})
