import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findJsonError } from '../../../src/lib/json/parse-json.ts'
import { examples } from '../../support/random-examples.ts'

describe('findJsonError', () => {
  it.each([
    ["{'id': 1}", 1, 'strings need double quotes'],
    ['{id: 1}', 1, 'expected a key in double quotes or `}`, found `id`'],
    ['{"a": 1,}', 8, 'expected a key in double quotes, found `}`'],
    ['[1, 2', 5, 'it ends where `,` or `]` is expected'],
    ['{"a" 1}', 5, 'expected `:`, found `1`'],
    ['{"a": 01}', 6, 'expected a value, found `01`'],
    ['{"a": "x', 6, 'this string is not closed'],
    ['{"a": "x\ty"}', 8, 'a control character in a string must be escaped'],
    ['{"a": "\\x"}', 7, 'there is no such escape'],
    ['{} {}', 3, 'expected nothing more, found `{`'],
    ['{"a": NaN}', 6, 'expected a value, found `NaN`'],
    ['# comment', 0, 'expected a value, found `#`'],
    ['', 0, 'it ends where a value is expected'],
  ])('%s', (text, offset, reason) => {
    expect(() => JSON.parse(text)).toThrow()
    expect(findJsonError(text)).toEqual({ offset, reason })
  })

  it('locates the error in every text that JSON.parse rejects: the text before it can be completed', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.constantFrom('', '}', ']', ',', ':', '"', 'x', '\\'), (json, at, noise) => {
        const cut = at % (json.length + 1)
        const text = json.slice(0, cut) + noise + json.slice(cut + 1)
        fc.pre(!isJson(text))
        const { offset } = findJsonError(text)
        expect(offset).toBeGreaterThanOrEqual(0)
        expect(offset).toBeLessThanOrEqual(text.length)
        const before = text.slice(0, offset)
        if (isJson(before)) return
        const earlier = findJsonError(before)
        if (earlier.reason !== 'this string is not closed') expect(earlier.offset).toBe(before.length)
      }),
      { numRuns: examples(1000) },
    )
  })

  it('reads a string of ten million characters', () => {
    expect(findJsonError(`{"a": "${'x'.repeat(10_000_000)}"`).offset).toBe(10_000_008)
  })

  function isJson(text: string): boolean {
    try {
      JSON.parse(text)
      return true
    } catch {
      return false
    }
  }
})
