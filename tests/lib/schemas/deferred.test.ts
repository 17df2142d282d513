import { describe, expect, it } from 'vitest'
import * as zod from 'zod'
import { hintsOf, withHints, withMetaOf } from '../../../src/lib/schema-rules.ts'
import { type Deferred, madeOf } from '../../../src/lib/schemas/deferred.ts'
import { NO, UNSURE } from '../../../src/lib/schemas/quick.ts'
import * as z from '../../../src/lib/zod.ts'
import { ofZod, quick, written } from './support.ts'

const tree: z.ZodType = z.strictObject({
  name: z.string(),
  get inside() {
    return z.array(tree).optional()
  },
})
const point = z.strictObject({ x: z.number(), y: z.number().optional() })
const PROTO = JSON.parse('{"__proto__": 1}')

/** For each schema, values that it accepts, and values that it refuses. */
const known: readonly (readonly [schema: z.ZodType, accepted: readonly unknown[], refused: readonly unknown[]])[] = [
  [z.string(), ['', 'a'], [1, null, undefined]],
  [z.string().min(1), ['a', '😀'], ['', 1]],
  [z.string().max(2), ['', '😀'], ['abcde', 1]],
  [z.string().min(2), ['abcd', '😀😀'], ['a', 1]],
  [z.string().regex(/^a/g), ['a', 'ab', 'a'], ['b', 1]],
  [z.number(), [0, -1.5], ['1', Number.POSITIVE_INFINITY, Number.NaN, null]],
  [z.number().gt(0).max(1), [0.1, 1], [0, 1.1, '1']],
  [z.number().min(0).lt(1), [0, 0.9], [-0.1, 1]],
  [z.int().min(1), [1, 2 ** 53 - 1], [0, 1.5, 2 ** 53, '1']],
  [z.boolean(), [true, false], [0, 'true', null]],
  [z.null(), [null], [undefined, 0]],
  [z.literal([1, 'a']), [1, 'a'], ['1', 2, null]],
  [z.enum(['pass', 'fail']), ['pass'], ['Pass', 'toString', 1]],
  [z.unknown(), [undefined, null, 1, PROTO], []],
  [z.string().nullable(), [null, 'a'], [1, undefined]],
  [z.string().optional(), [undefined, 'a'], [1, null]],
  [z.string().nullish().describe('A text.'), [undefined, null, 'a'], [1]],
  [z.number().default(1), [undefined, 2], [null, 'a']],
  [z.array(z.string()), [[], ['a']], [['a', 1], {}, 'a', { length: 0 }]],
  [z.array(z.string()).min(1).max(2), [['a'], ['a', 'b']], [[], ['a', 'b', 'c']]],
  [z.array(z.number().default(1)), [[2], [undefined, 2, undefined]], [[null]]],
  [z.tuple([z.int(), z.string()]), [[1, 'a']], [[1], [1, 'a', 'b'], ['a', 1]]],
  [z.record(z.string(), z.int()), [{}, { a: 1 }], [{ a: 'b' }, [], null]],
  [point, [{ x: 1 }, { y: 2, x: 1 }, { x: 1, y: undefined }], [{ y: 1 }, { x: 1, z: 1 }, [], null, 'a']],
  [z.strictObject({ a: z.string().optional() }), [{}, { a: undefined }], [PROTO]],
  [z.strictObject({ a: z.unknown() }), [{ a: [{ b: 1 }] }], [{ a: 1, b: 1 }]],
  [z.strictObject({ b: z.int().default(1), a: z.int() }), [{ a: 2 }, { a: 2, b: 3 }], [{}, { b: 1 }]],
  [
    z.looseObject({ b: z.int(), a: z.int().optional() }),
    [
      { z: 1, a: 2, b: 3 },
      { b: 1, c: 2 },
    ],
    [{ a: 1 }],
  ],
  [z.union([z.string(), z.array(z.string())]), ['a', ['b']], [1, [1]]],
  [z.union([point, z.strictObject({ x: z.string() })]), [{ x: 1 }, { x: 'a' }], [{ x: true }, { x: 'a', y: 1 }]],
  [
    z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('a'), value: z.string() }),
      z.strictObject({ type: z.literal('b'), value: z.int() }),
    ]),
    [
      { type: 'a', value: 'x' },
      { value: 1, type: 'b' },
    ],
    [{ type: 'a', value: 1 }, { type: 'c' }, {}],
  ],
  [z.int().refine(value => value % 2 === 0), [2], [1, 'a']],
  [z.string().transform(text => text.length), ['abc'], [1]],
  [z.strictObject({ a: z.union([z.string(), z.number()]).transform(String) }), [{ a: 1 }, { a: 'b' }], [{ a: null }]],
  [
    point.superRefine(({ x }, context) => {
      if (x < 0) context.addIssue({ code: 'custom', message: 'is negative' })
    }),
    [{ x: 1 }],
    [{ x: -1 }, { x: 'a' }],
  ],
  [tree, [{ name: 'a', inside: [{ name: 'b', inside: [] }] }], [{ name: 'a', inside: [{ name: 1 }] }]],
  [z.lazy(() => tree), [{ name: 'a' }], [{}]],
  [point.extend({ z: z.int() }), [{ z: 1, x: 1 }], [{ x: 1 }]],
  [point.refine(({ x }) => x > 0).safeExtend({ z: z.int() }), [{ z: 1, x: 1 }], [{ z: 1, x: 0 }, { x: 1 }]],
  [point.pick({ x: true }), [{ x: 1 }], [{ x: 1, y: 1 }]],
  [point.omit({ x: true }), [{ y: 1 }, {}], [{ x: 1 }]],
]

it.each(known)('decides like zod, and returns the same: %#', (schema, accepted, refused) => {
  for (const value of accepted) {
    const found = quick(schema, value)
    expect([NO, UNSURE], written(value)).not.toContain(found)
    expect(written(found)).toBe(ofZod(schema, value))
  }
  for (const value of refused) {
    expect(quick(schema, value), written(value)).toBe(NO)
    expect(ofZod(schema, value)).toBeUndefined()
  }
})

it.each([
  [z.string().trim(), 'a'],
  [z.string().max(2), '😀a'],
  [z.string().min(2), '😀'],
  [z.string().catch('a'), 'a'],
  [z.union([z.string().trim(), z.string()]), ' a'],
  [z.array(z.string()).readonly(), ['a']],
  [z.array(z.string()).default(['a']), undefined],
  [z.datetime({}), '2026-01-01T00:00:00Z'],
  [z.day('is no date'), '2026-01-01'],
  [z.object({ a: z.string() }), { a: 'b', c: 'd' }],
  [z.looseObject({}), PROTO],
  [z.record(z.string(), z.unknown()), PROTO],
  [z.record(z.string(), z.string()), PROTO],
  [z.union([z.record(z.string(), z.string()), z.unknown()]), PROTO],
  [z.record(z.string(), z.unknown()), new Map()],
  [z.record(z.string().min(2), z.unknown()), { a: 1 }],
  [z.record(z.string(), z.number().default(1)), { a: undefined }],
  [z.tuple([z.string()], z.string()), ['a', 'b']],
  [z.strictObject({ a: z.unknown() }), {}],
  [
    z.strictObject({
      a: z
        .string()
        .optional()
        .refine(text => text !== ''),
    }),
    {},
  ],
  [z.strictObject({ a: zod.string() }), { a: 'b' }],
  [point.refine(() => true).extend({ z: z.int() }), { z: 1, x: 1 }],
  [point.partial(), {}],
  [z.string().refine(async () => false), 'a'],
  [z.string().transform(async () => 1), 'a'],
] as readonly [z.ZodType, unknown][])('leaves the decision to zod: %#', (schema, value) => {
  const deferred = schema as unknown as Deferred
  expect(deferred.quick?.(value) ?? UNSURE).toBe(UNSURE)
})

describe('a schema', () => {
  it('is not made for a value that it accepts, and once for others', () => {
    let made = 0
    const schema = z.lazy(() => z.string())
    const counted = (schema as unknown as Deferred).like(inner => {
      made++
      return inner
    })
    expect(counted.safeParse('a')).toEqual({ success: true, data: 'a' })
    expect(made).toBe(0)
    expect(counted.safeParse(1).success).toBe(false)
    expect(() => counted.parse(1)).toThrow(zod.ZodError)
    expect(made).toBe(1)
  })

  it('has the problems of zod, however often it is used', () => {
    const own = z.strictObject({ a: z.string().min(2, 'is short') })
    const other = zod.strictObject({ a: zod.string().min(2, 'is short') })
    for (let use = 0; use < 100; use++) {
      for (const value of [{ a: 'b' }, { a: 1 }, { b: 1 }, null])
        expect(own.safeParse(value).error).toEqual(other.safeParse(value).error)
    }
  })

  it('can be part of a schema of zod, and has all that zod has', () => {
    expect(zod.array(z.string()).parse(['a'])).toEqual(['a'])
    expect(zod.strictObject({ a: z.int().optional() }).safeParse({ a: 'b' }).success).toBe(false)
    expect(z.string().or(z.int()).parse(1)).toBe(1)
    expect(z.string().describe('A text.').description).toBe('A text.')
    expect(z.string().meta({ title: 'Text' }).meta()).toEqual({ title: 'Text' })
    expect(z.strictObject({ a: z.string() }).keyof().options).toEqual(['a'])
    expect(z.string().optional().unwrap().parse('a')).toBe('a')
    expect(z.string() instanceof zod.ZodString).toBe(true)
  })

  it('keeps its hints and metadata in the schema that zod makes', () => {
    const hints = { otherKeys: 'write less' }
    const schema = withHints(z.string().describe('A text.'), hints)
    expect(hintsOf(schema)).toBe(hints)
    expect(hintsOf(madeOf(schema))).toBe(hints)
    expect(withMetaOf(z.int(), schema).meta()).toEqual({ description: 'A text.' })
  })
})
