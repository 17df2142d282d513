import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evaluators } from '../../../src/evaluators/index.ts'
import { NO, UNSURE } from '../../../src/lib/schemas/quick.ts'
import * as z from '../../../src/lib/zod.ts'
import { providers } from '../../../src/providers/index.ts'
import { recordedResultSchema } from '../../../src/record/recorded-result.ts'
import { checkSchema } from '../../../src/spec/check.ts'
import { suiteSchema } from '../../../src/spec/suite.ts'
import { targetSchema } from '../../../src/spec/targets.ts'
import { inputSchema, testSchema } from '../../../src/spec/test.ts'
import { examples } from '../../support/random-examples.ts'
import { checkResult, resultWith } from '../../support/recorded-run.ts'
import { ofZod, quick, written } from './support.ts'

describe('what users and runs write', () => {
  const call = { tool: 'search', input: { query: 'x', filters: [null, 1] }, output: 'found' }
  const records = [
    resultWith({ token_usage: { input: 3, output: 4, cached: 1 }, cost_usd: 0.1, duration_ms: 12, tags: ['a'] }),
    resultWith({ output_messages: [{ role: 'assistant', content: 'Hello', tool_calls: [call] }] }),
    resultWith({
      evaluator_results: [
        checkResult({ details: { any: ['thing'] }, trigger: { skill: 'a', should_trigger: true, triggered: true } }),
        checkResult({ name: 'all', evaluator_results: [checkResult({ required: 0.5, votes: [] })] }),
      ],
    }),
    resultWith({ score: null, verdict: 'error', answer: null, error: { code: 'a', stage: 'answer', message: 'b' } }),
  ]
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'text', value: 'Hi' }] },
    { role: 'assistant', tool_calls: [{ tool: 'search', input: {} }] },
  ]
  const test = { id: 'a', criteria: 'Adds', input: messages, metadata: { cluster: 1, tags: ['a'] } }
  const execution = {
    target: 'default',
    trials: 3,
    timeout_seconds: 10,
    quarantine: { reason: 'a', until: '2026-12-31' },
  }
  const suite = { name: 'sums', version: '1.0', execution, vars: { a: 1 }, tests: [test, './more.yaml'] }
  const anything = z.any()
  const documents: [name: string, schema: z.ZodType, value: object][] = [
    ...records.map((record, index): [string, z.ZodType, object] => [`record ${index}`, recordedResultSchema(), record]),
    ['suite', suiteSchema(anything, testSchema(anything, { input: inputSchema() })), suite],
    ['test', testSchema(anything, { input: inputSchema() }), { ...test, execution }],
    ...evaluators.flatMap(evaluator =>
      evaluator.examples.map(({ check }): [string, z.ZodType, object] => [
        evaluator.type,
        checkSchema(evaluator),
        { weight: 0.5, required: true, ...(check as object) },
      ]),
    ),
    ...providers.flatMap(provider =>
      provider.examples.map(({ target }): [string, z.ZodType, object] => [
        provider.type,
        targetSchema(provider),
        { retries: 2, price: { input: 1 }, ...(target as object) },
      ]),
    ),
  ]

  it.each(records.map((record, index) => [index, record] as const))('record %i needs no zod', (_, record) => {
    expect(quick(recordedResultSchema(), record)).toEqual(record)
  })

  it('is never accepted where zod refuses it, refused where zod accepts it, or changed to something else', () => {
    const part = fc.oneof(fc.jsonValue(), fc.constantFrom(...PARTS))
    let decided = 0
    fc.assert(
      fc.property(
        fc.constantFrom(...documents),
        fc.nat(),
        fc.constantFrom(...CHANGES),
        part,
        ([, schema, value], at, change, replacement) => {
          const edited = structuredClone(value)
          const places = placesIn(edited)
          const [parent, key] = places[at % places.length] as Place
          change(parent, key, replacement)
          const found = quick(schema, edited)
          if (found === UNSURE) return
          decided++
          expect(found === NO ? undefined : written(found)).toBe(ofZod(schema, edited))
        },
      ),
      { numRuns: examples(10_000) },
    )
    expect(decided).toBeGreaterThan(examples(10_000) / 2)
  })
})

type Parent = Record<string, unknown>
type Place = readonly [parent: Parent, key: string]

/** Every key at any depth. */
function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) => [[value as Parent, key], ...placesIn(part)] as Place[])
}

const PARTS = [
  0,
  -1,
  0.5,
  1,
  1e300,
  Number.POSITIVE_INFINITY,
  '',
  'pass',
  'fail',
  true,
  [],
  {},
  [null],
  null,
  undefined,
]

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
  (parent, key) => {
    const value = parent[key]
    if (Array.isArray(parent)) parent.push(value)
    else {
      delete parent[key]
      parent[key] = value
    }
  },
  (parent, _, value) => {
    if (!Array.isArray(parent))
      Object.defineProperty(parent, '__proto__', { value, enumerable: true, configurable: true, writable: true })
  },
  (parent, _, value) => {
    if (!Array.isArray(parent)) Object.assign(parent, { quarantine: value, control_of: value, required: value })
  },
]
