import { describe, expect, it } from 'vitest'
import { parseJsonPath, valueAt } from '../../../src/lib/json/path.ts'

const found = (root: unknown, path: string) => valueAt(root, parseJsonPath(path) ?? ['not a path'])

it.each<[root: unknown, path: string, value: unknown]>([
  [{ items: [{ price: 1 }] }, 'items[0].price', 1],
  [{ items: [{ price: 1 }] }, 'items.0.price', 1],
  [[[1, 2]], '[0][1]', 2],
  [{ 0: 'zero' }, '0', 'zero'],
  [{ items: { 0: 'zero' } }, 'items.0', 'zero'],
  [{ a: null }, 'a', null],
  [{ length: 3 }, 'length', 3],
])('finds in %j at %s: %j', (root, path, value) => {
  expect(found(root, path)).toEqual({ value })
})

it.each<[root: unknown, path: string]>([
  [{ items: { 0: 'zero' } }, 'items[0]'],
  [{ 0: 'zero' }, '[0]'],
  [{ items: [1, 2] }, 'items.length'],
  [{ items: [1] }, 'items[1]'],
  [{ items: [1] }, 'items.01'],
  [{ items: 'text' }, 'items[0]'],
  [{ items: 'text' }, 'items.length'],
  [{}, 'constructor'],
  [{}, '__proto__'],
  [null, 'a'],
])('finds nothing in %j at %s', (root, path) => {
  expect(found(root, path)).toBeUndefined()
})

describe('JSON paths', () => {
  it.each([
    ['a', ['a']],
    ['a.b[0].c', ['a', 'b', 0, 'c']],
    ['[2]', [2]],
    ['a[0][1]', ['a', 0, 1]],
    ['', undefined],
    ['a..b', undefined],
    ['a[x]', undefined],
    ['a.', undefined],
    ['.a', ['a']],
  ])('%s', (path, steps) => {
    expect(parseJsonPath(path)).toEqual(steps)
  })

  it('tells null from missing, and ignores prototypes', () => {
    expect(valueAt({ a: null }, ['a'])).toEqual({ value: null })
    expect(valueAt({ a: null }, ['a', 'b'])).toBeUndefined()
    expect(valueAt({}, ['constructor'])).toBeUndefined()
    expect(valueAt({ a: [1, { b: 2 }] }, ['a', 1, 'b'])).toEqual({ value: 2 })
  })
})
