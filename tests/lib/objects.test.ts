import { expect, it } from 'vitest'
import { addDefined, deepFreeze, isSameJson, withFields } from '../../src/lib/objects.ts'

it('deepFreeze freezes plain values recursively, and skips class instances', () => {
  const map = new Map()
  const value = deepFreeze({ a: [{ b: 1 }], map })
  expect(Object.isFrozen(value.a[0])).toBe(true)
  expect(Object.isFrozen(map)).toBe(false)
})

it('isSameJson compares values as they are written', () => {
  expect(isSameJson({ a: [1, { b: 'x' }] }, { a: [1, { b: 'x' }] })).toBe(true)
  const different = [
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    [{ a: 1 }, { a: 1, b: undefined }],
    [[1], { 0: 1 }],
    [0, -0],
    [null, Number.POSITIVE_INFINITY],
    [{}, null],
    ['1', 1],
  ]
  for (const [a, b] of different) expect(isSameJson(a, b)).toBe(false)
})

it('withFields copies an object, and adds or replaces fields in order', () => {
  const given = { a: 1, b: 2 }
  expect(JSON.stringify(withFields(given, { c: 3, a: 4 }))).toBe('{"a":4,"b":2,"c":3}')
  expect(given).toEqual({ a: 1, b: 2 })
})

it('addDefined adds only fields that have a value', () => {
  const given = { a: 1 }
  expect(addDefined(given, { b: undefined, c: null, d: 0 })).toBe(given)
  expect(Object.entries(given)).toEqual([
    ['a', 1],
    ['c', null],
    ['d', 0],
  ])
})
