import { expect, it } from 'vitest'
import { deepFreeze } from '../../src/lib/objects.ts'

it('deepFreeze freezes plain values recursively, and skips class instances', () => {
  const map = new Map()
  const value = deepFreeze({ a: [{ b: 1 }], map })
  expect(Object.isFrozen(value.a[0])).toBe(true)
  expect(Object.isFrozen(map)).toBe(false)
})
