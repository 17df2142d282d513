import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { displayWidth } from '../../../src/lib/text/unicode.ts'
import { wrapIndented, wrapText } from '../../../src/lib/text/wrap.ts'

describe('wrapText', () => {
  it('breaks between words, and words that are too long', () => {
    expect(wrapText('one two three', 8)).toEqual(['one two', 'three'])
    expect(wrapText('abcdefghij kl', 4)).toEqual(['abcd', 'efgh', 'ij', 'kl'])
    expect(wrapText('a\n\n  b', 10)).toEqual(['a', '', '  b'])
  })

  it('counts wide characters twice and combining marks not at all', () => {
    expect(wrapText('日本語', 4)).toEqual(['日本', '語'])
    expect(wrapText('e\u0301e\u0301', 2)).toEqual(['e\u0301e\u0301'])
  })

  it('never exceeds the width, and loses nothing but spaces at breaks', () => {
    const text = fc.string({ unit: 'binary', maxLength: 200 }).map(each => each.replace(/\t/g, ''))
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 30 }), (text, columns) => {
        const lines = wrapText(text, columns)
        for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(columns)
        expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll('\n', '').replaceAll(' ', ''))
      }),
    )
  })

  it('ends lines of characters without width', () => {
    expect(wrapText('\u0301'.repeat(10_000), 10).length).toBeGreaterThan(100)
  })
})

describe('wrapIndented', () => {
  it('indents what continues a line', () => {
    expect(wrapIndented('one two three\n  four five six', 10)).toBe('one two\n  three\n  four\n    five\n    six')
    expect(wrapIndented('one two three', undefined)).toBe('one two three')
  })

  it('does not count colours', () => {
    const red = (text: string) => `\u001b[31m${text}\u001b[39m`
    expect(wrapIndented(`${red('one two')} three`, 13)).toBe(`${red('one two')} three`)
    expect(wrapIndented(`${red('one two')} three`, 12)).toBe(`${red('one two')}\n  three`)
  })

  it('never exceeds the width, and loses nothing but spaces at breaks', () => {
    const text = fc
      .string({ unit: 'binary', maxLength: 200 })
      .map(each => each.replaceAll('\t', '').replaceAll('\u001b', ''))
    fc.assert(
      fc.property(text, fc.integer({ min: 8, max: 30 }), (text, columns) => {
        const wrapped = wrapIndented(text, columns)
        for (const line of wrapped.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(columns)
        expect(wrapped.replace(/[\n ]/g, '')).toBe(text.replace(/[\n ]/g, ''))
      }),
    )
  })
})
