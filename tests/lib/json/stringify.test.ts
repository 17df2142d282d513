import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../../../src/lib/json/stringify.ts'
import { deepEqual, isMapping } from '../../../src/lib/objects.ts'
import { examples } from '../../support/random-examples.ts'

describe('canonicalJson', () => {
  it.each<[value: unknown, json: string]>([
    [{ b: 1, a: 2 }, '{"a":2,"b":1}'],
    [{ a: 2, b: 1 }, '{"a":2,"b":1}'],
    [[{ b: 1, a: 2 }], '[{"a":2,"b":1}]'],
    [{ x: [{ y: { d: 1, c: 2 } }] }, '{"x":[{"y":{"c":2,"d":1}}]}'],
    [[3, 1, 2], '[3,1,2]'],
    [{ b: undefined, a: 1 }, '{"a":1}'],
    [{ a: { c: undefined } }, '{"a":{}}'],
    [undefined, 'null'],
    [null, 'null'],
    ['', '""'],
    [{}, '{}'],
    [[], '[]'],
    [{ B: 1, a: 2 }, '{"B":1,"a":2}'],
    [{ b: 0, '': 1 }, '{"":1,"b":0}'],
    [JSON.parse('{"b": 1, "__proto__": {"d": 1, "c": 2}}'), '{"__proto__":{"c":2,"d":1},"b":1}'],
    [{ constructor: 1, a: 2 }, '{"a":2,"constructor":1}'],
    [{ ä: 1, z: 2 }, '{"z":2,"ä":1}'],
  ])('%j', (value, json) => {
    expect(canonicalJson(value)).toBe(json)
  })

  it.each([
    [1, '1'],
    [null, 'null'],
    [{ a: null }, {}],
    [[], {}],
    [
      [1, 2],
      [2, 1],
    ],
    [{ a: 1 }, { A: 1 }],
    [
      [[1], 2],
      [1, [2]],
    ],
    [{ a: '\ud800' }, { a: '\\ud800' }],
    ['é', 'e\u0301'],
    [
      { 1: 'a', 10: 'b' },
      { 1: 'b', 10: 'a' },
    ],
    [JSON.parse('{"__proto__": 1}'), {}],
  ])('%j and %j differ', (a, b) => {
    expect(canonicalJson(a)).not.toBe(canonicalJson(b))
  })

  it('does not change its input', () => {
    const value = Object.freeze({ b: Object.freeze([Object.freeze({ d: 1, c: 2 })]), a: 1 })
    canonicalJson(value)
    expect(JSON.stringify(value)).toBe('{"b":[{"d":1,"c":2}],"a":1}')
  })
})

describe('for any values', () => {
  // Few keys, so that values are often equal; digits, which engines sort first; and `__proto__`.
  const key = fc.oneof(fc.constantFrom('a', 'b', '', '0', '1', '10', '9', '__proto__', 'constructor'), fc.string())
  const { value } = fc.letrec<{ value: unknown }>(tie => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(null, true, false, 0, 1, '', '0', 'a'),
      fc.string({ unit: 'binary' }),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.array(fc.tuple(key, tie('value')), { maxLength: 5 }).map(entries => Object.fromEntries(entries)),
    ),
  }))

  it('is JSON of an equal value', () => {
    fc.assert(
      fc.property(value, value => {
        expect(deepEqual(JSON.parse(canonicalJson(value)), value)).toBe(true)
      }),
    )
  })

  it('does not depend on the order of keys, and ignores undefined values', () => {
    fc.assert(
      fc.property(value, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (value, random) => {
        const number = () => random.next().value ?? 0
        expect(canonicalJson(shuffled(value, number))).toBe(canonicalJson(value))
      }),
    )
  })

  it('is equal for two values exactly if they are equal', () => {
    fc.assert(
      fc.property(value, value, (a, b) => {
        expect(canonicalJson(a) === canonicalJson(b)).toBe(deepEqual(a, b))
      }),
      { numRuns: examples(1000) },
    )
  })

  /** A copy with reordered keys and additional undefined values. */
  function shuffled(value: unknown, random: () => number): unknown {
    if (Array.isArray(value)) return value.map(item => shuffled(item, random))
    if (!isMapping(value)) return value
    const entries = Object.entries(value).map(([key, part]) => [random(), key, shuffled(part, random)] as const)
    const mixed = entries.sort(([a], [b]) => a - b).map(([, key, part]) => [key, part] as const)
    return Object.fromEntries(random() < 0.5 ? mixed : [['left out', undefined] as const, ...mixed])
  }
})
