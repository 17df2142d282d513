import { expect, it } from 'vitest'
import { deepFreeze, withFields } from '../../src/lib/objects.ts'

it('deepFreeze freezes plain values recursively, and skips class instances', () => {
  const map = new Map()
  const value = deepFreeze({ a: [{ b: 1 }], map })
  expect(Object.isFrozen(value.a[0])).toBe(true)
  expect(Object.isFrozen(map)).toBe(false)
})

it('withFields copies an object, and adds or replaces fields in order', () => {
  const given = { a: 1, b: 2 }
  expect(JSON.stringify(withFields(given, { c: 3, a: 4 }))).toBe('{"a":4,"b":2,"c":3}')
  expect(given).toEqual({ a: 1, b: 2 })
})
