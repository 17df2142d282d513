import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { SparseObject } from '../../src/lib/sparse-object.ts'

function person() {
  const made: string[] = []
  const field = <Schema extends z.ZodType>(name: string, schema: Schema) => {
    return () => {
      made.push(name)
      return schema
    }
  }
  const makers = {
    name: field('name', z.string()),
    age: field('age', z.number().optional()),
    note: field('note', z.string().optional()),
  }
  return { made, object: new SparseObject(makers, ['name']) }
}

describe('a sparse object', () => {
  it('makes the schemas of the keys that a value has, and of those that it must have', () => {
    const { made, object } = person()
    expect(object.keys).toEqual(['name', 'age', 'note'])
    expect(made).toEqual([])
    expect(object.for({ note: 'Hi' }).safeParse({ note: 'Hi' }).success).toBe(false)
    expect(made).toEqual(['name', 'note'])
  })

  it('uses one schema for values with the same keys, in any order', () => {
    const { made, object } = person()
    expect(object.for({ age: 1, name: 'Ada' })).toBe(object.for({ name: 'Bob', age: 2 }))
    object.whole()
    expect(made).toEqual(['name', 'age', 'note'])
  })

  it('accepts the values that the whole schema accepts, with keys in the same order', () => {
    const { object } = person()
    for (const value of [{ name: 'Ada' }, { note: 'Hi', name: 'Ada' }, { name: 1 }, {}, { name: 'Ada', other: 1 }]) {
      const [part, whole] = [object.for(value), object.whole()].map(schema => schema.safeParse(value))
      expect(part?.success).toBe(whole?.success)
      expect(JSON.stringify(part?.data)).toBe(JSON.stringify(whole?.data))
    }
  })

  it('takes the whole schema for values with ever new keys', () => {
    const keys = Array.from({ length: 200 }, (_, index) => `key${index}`)
    const object = new SparseObject(Object.fromEntries(keys.map(key => [key, () => z.number().optional()])), [])
    const schemas = keys.map(key => object.for({ [key]: 1 }))
    expect(new Set(schemas).size).toBe(101)
    expect(schemas.at(-1)).toBe(object.whole())
  })
})
