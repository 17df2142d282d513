import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { acceptsAsIs } from '../../src/lib/accepts-as-is.ts'
import { recordedResultSchema } from '../../src/record/recorded-result.ts'
import { examples } from '../support/random-examples.ts'
import { checkResult, resultWith } from '../support/recorded-run.ts'

const tree: z.ZodType = z.strictObject({
  name: z.string(),
  get inside() {
    return z.array(tree).optional()
  },
})

/** For each schema, values that it accepts as they are, and values that it refuses. */
const schemas: readonly (readonly [schema: z.ZodType, accepted: readonly unknown[], refused: readonly unknown[]])[] = [
  [z.string(), ['', 'a'], [1, null]],
  [z.string().min(1), ['a'], ['', 1]],
  [z.number(), [0, -1.5], ['1', Number.POSITIVE_INFINITY, Number.NaN, null]],
  [z.number().gt(0).max(1), [0.1, 1], [0, 1.1, '1']],
  [z.number().min(0).lt(1), [0, 0.9], [-0.1, 1]],
  [z.int().min(1), [1, 2 ** 53 - 1], [0, 1.5, 2 ** 53, '1']],
  [z.boolean(), [true, false], [0, 'true', null]],
  [z.literal([1, 'a']), [1, 'a'], ['1', 2, null]],
  [z.enum(['pass', 'fail']), ['pass'], ['Pass', 'toString', 1]],
  [z.string().nullable(), [null, 'a'], [1]],
  [z.array(z.string()), [[], ['a']], [['a', 1], {}, 'a', { length: 0 }]],
  [z.tuple([z.int(), z.string()]), [[1, 'a']], [[1], [1, 'a', 'b'], ['a', 1]]],
  [z.record(z.string(), z.int()), [{}, { a: 1 }], [{ a: 'b' }, [], null]],
  [z.strictObject({ a: z.string(), b: z.int().optional() }), [{ a: '' }, { b: 1, a: '' }], [{ b: 1 }, { a: '', c: 1 }]],
  [z.strictObject({ a: z.string().optional() }), [{}], [[], null, 'a', JSON.parse('{"__proto__": 1}')]],
  [z.strictObject({ a: z.unknown() }), [{ a: [{ b: 1 }] }], [{ b: 1 }]],
  [z.int().refine(value => value % 2 === 0), [2], [1, 'a']],
  [tree, [{ name: 'a', inside: [{ name: 'b', inside: [] }] }], [{ name: 'a', inside: [{ name: 1 }] }]],
]

it.each(schemas)('decides like the schema: %#', (schema, accepted, refused) => {
  for (const value of accepted) {
    expect(acceptsAsIs(schema, value), JSON.stringify(value)).toBe(true)
    expect(schema.parse(value)).toEqual(value)
  }
  for (const value of refused) {
    expect(acceptsAsIs(schema, value), JSON.stringify(value)).toBe(false)
    expect(schema.safeParse(value).success).toBe(false)
  }
})

it.each([
  [z.string().default('a'), 'a'],
  [z.coerce.number(), 1],
  [z.string().trim(), 'a'],
  [z.string().transform(text => text.length), 'a'],
  [z.string().catch('a'), 'a'],
  [z.union([z.string().trim(), z.string()]), ' a'],
  [z.array(z.string()).readonly(), ['a']],
  [z.array(z.string()).max(1), ['a']],
  [z.iso.date(), '2026-01-01'],
  [z.object({ a: z.string() }), { a: 'b', c: 'd' }],
  [z.looseObject({ a: z.string() }), JSON.parse('{"a": "b", "__proto__": 1}')],
  [z.strictObject({ a: z.string().default('b').optional() }), {}],
  [z.record(z.string(), z.unknown()), JSON.parse('{"__proto__": 1}')],
  [z.record(z.string().min(2), z.unknown()), { a: 1 }],
  [z.tuple([z.string()]).rest(z.string()), ['a', 'b']],
  [z.string().refine(async () => false), 'a'],
  [z.string().superRefine((_, { addIssue }) => addIssue('no')), 'a'],
] as const)('leaves the decision to a schema that it does not know, or that changes values: %#', (schema, value) => {
  expect(acceptsAsIs(schema, value)).toBe(false)
})

describe('records', () => {
  const usage = { input: 3, output: 4, cached: 1 }
  const call = { tool: 'search', input: { query: 'x', filters: [null, 1] }, output: 'found' }
  const records = [
    resultWith({ token_usage: usage, cost_usd: 0.1, duration_ms: 12, tags: ['a'], metadata: { cluster: 1 } }),
    resultWith({ output_messages: [{ role: 'assistant', content: 'Hello', tool_calls: [call] }] }),
    resultWith({
      evaluator_results: [
        checkResult({ details: { any: ['thing'] }, trigger: { skill: 'a', should_trigger: true, triggered: true } }),
        checkResult({ name: 'all', evaluator_results: [checkResult({ required: 0.5, votes: [] })] }),
        checkResult({
          score: 1,
          items: [{ id: 'a', text: 'b', weight: 1, required: true, passed: true, reasoning: '' }],
        }),
      ],
    }),
    resultWith({
      score: null,
      verdict: 'error',
      answer: null,
      error: { code: 'timeout', stage: 'answer', message: 'no answer' },
    }),
  ]

  it('accepts the records of usual runs, which are many', () => {
    for (const record of records) {
      expect(recordedResultSchema().safeParse(record).error).toBeUndefined()
      expect(acceptsAsIs(recordedResultSchema(), record)).toBe(true)
    }
  })

  it('accepts no record that the schema refuses or changes', () => {
    const part = fc.oneof(fc.jsonValue(), fc.constantFrom(...PARTS))
    fc.assert(
      fc.property(
        fc.constantFrom(...records),
        fc.nat(),
        fc.constantFrom(...CHANGES),
        part,
        (record, at, change, value) => {
          const edited = structuredClone(record)
          const places = placesIn(edited)
          const [parent, key] = places[at % places.length] as Place
          change(parent, key, value)
          if (!acceptsAsIs(recordedResultSchema(), edited)) return
          expect(isDeepStrictEqual(recordedResultSchema().parse(edited), edited)).toBe(true)
        },
      ),
      { numRuns: examples(10_000) },
    )
  })
})

type Parent = Record<string, unknown>
type Place = readonly [parent: Parent, key: string]

/** Every key at any depth. */
function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) => [[value as Parent, key], ...placesIn(part)] as Place[])
}

const PARTS = [0, -1, 0.5, 1, 1e300, Number.POSITIVE_INFINITY, '', 'pass', 'fail', true, [], {}, [null], null]

const CHANGES: readonly ((parent: Parent, key: string, value: unknown) => void)[] = [
  (parent, key, value) => {
    parent[key] = value
  },
  (parent, key) => {
    if (Array.isArray(parent)) parent.splice(Number(key), 1)
    else delete parent[key]
  },
  (parent, key, value) => {
    if (!Array.isArray(parent)) parent[`${key}_`] = value
  },
  (parent, _, value) => {
    if (!Array.isArray(parent))
      Object.defineProperty(parent, '__proto__', { value, enumerable: true, configurable: true, writable: true })
  },
  (parent, _, value) => {
    if (!Array.isArray(parent)) Object.assign(parent, { quarantine: value, control_of: value })
  },
]
