import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutToWidth, decodeUtf8, displayWidth } from '../../../src/lib/text/unicode.ts'

describe('decodeUtf8', () => {
  it('accepts what TextDecoder accepts, and removes a byte order mark', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), text => {
        expect(decodeUtf8(new TextEncoder().encode(text))).toEqual({ text })
        expect(decodeUtf8(new TextEncoder().encode(`\uFEFF${text}`))).toEqual({ text })
      }),
    )
  })

  it.each([
    ['a lone byte', [0x61, 0xe9, 0x62], 'a'],
    ['a cut character', [0x61, 0xc3], 'a'],
    ['a cut character of three bytes', [0x61, 0xe2, 0x82], 'a'],
    ['a wrong byte in the middle of one', [0xe2, 0x82, 0x41], ''],
    ['an encoded surrogate', [0x61, 0xed, 0xa0, 0x80], 'a'],
    ['an overlong form', [0xc0, 0xaf], ''],
    ['after wide characters', [0xf0, 0x9f, 0x98, 0x80, 0xff], '😀'],
    ['after a byte order mark', [0xef, 0xbb, 0xbf, 0x61, 0xff], 'a'],
  ])('%s', (_, bytes, prefix) => {
    expect(decodeUtf8(new Uint8Array(bytes))).toEqual({ text: prefix, invalidAt: prefix.length })
  })
})

it('displayWidth counts terminal columns', () => {
  expect(displayWidth('abc')).toBe(3)
  expect(displayWidth('日本')).toBe(4)
  expect(displayWidth('é')).toBe(1)
  expect(displayWidth('😀')).toBe(2)
  expect(displayWidth('❤')).toBe(1)
  expect(displayWidth('❤️')).toBe(2)
  expect(displayWidth('🇫🇷')).toBe(2)
  expect(displayWidth('[72–100] ≤ 5 %…')).toBe(15)
  expect(displayWidth('soft\u00adhyphen')).toBe(10)
  expect(displayWidth('zero\u200bwidth\u2060')).toBe(9)
})

it('cutToWidth keeps a text that fits, and marks the cut of another', () => {
  expect(cutToWidth('日本', 4)).toBe('日本')
  expect(cutToWidth('日本語', 4)).toBe('日…')
  expect(cutToWidth('abc', 2)).toBe('a…')
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.integer({ min: 1, max: 30 }), (text, columns) => {
      const cut = cutToWidth(text, columns)
      expect(displayWidth(cut)).toBeLessThanOrEqual(columns)
      expect(cut === text || text.startsWith(cut.slice(0, -1))).toBe(true)
    }),
  )
})
