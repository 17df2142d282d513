import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LineIndex } from '../../../src/lib/text/line-index.ts'

describe('LineIndex', () => {
  it('returns the line and column for every kind of line break', () => {
    const part = fc.constantFrom('\n', '\r', '\r\n', 'a', 'bc', '😀', '')
    fc.assert(
      fc.property(fc.array(part), fc.nat(), (parts, at) => {
        const text = parts.join('')
        const offset = at % (text.length + 1)
        const inside = text[offset] === '\n' && text[offset - 1] === '\r'
        fc.pre(!inside)
        const before = text.slice(0, offset).split(/\r\n|\r|\n/)
        const index = new LineIndex(text)
        expect(index.position(offset)).toEqual({ line: before.length, column: (before.at(-1) ?? '').length + 1 })
        expect(index.line(before.length)).toBe(text.split(/\r\n|\r|\n/)[before.length - 1])
      }),
    )
  })

  it.each(['\n', '\r\n'])('returns the same lines in any order of offsets (%j)', lineBreak => {
    const text = Array.from({ length: 100 }, (_, line) => 'x'.repeat(line % 4)).join(lineBreak)
    const index = new LineIndex(text)
    fc.assert(
      fc.property(fc.nat({ max: text.length }), offset => {
        expect(index.position(offset)).toEqual(new LineIndex(text).position(offset))
      }),
    )
    const inOrder = Array.from({ length: text.length + 1 }, (_, offset) => index.position(offset).line)
    const fresh = Array.from({ length: text.length + 1 }, (_, offset) => new LineIndex(text).position(offset).line)
    expect(inOrder).toEqual(fresh)
  })
})
