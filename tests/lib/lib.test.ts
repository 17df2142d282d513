import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findJsonError } from '../../src/lib/json/parse-json.ts'
import { parseJsonPath, valueAt } from '../../src/lib/json/path.ts'
import { deepFreeze } from '../../src/lib/objects.ts'
import { printable, printableLine } from '../../src/lib/text/escape.ts'
import { LineIndex } from '../../src/lib/text/line-index.ts'
import { quoteCode, singleLine } from '../../src/lib/text/quote.ts'
import { closestMatch } from '../../src/lib/text/suggestion.ts'
import { decodeUtf8, displayWidth } from '../../src/lib/text/unicode.ts'

describe('nearest', () => {
  it.each([
    ['wieght', 'weight'],
    ['llm-judg', 'llm_judge'],
    ['asert', 'assert'],
    ['Contains', 'contains'],
    ['x', undefined],
    ['completely_else', undefined],
    ['', undefined],
  ])('%s → %s', (word, meant) => {
    expect(closestMatch(word, ['weight', 'llm_judge', 'assert', 'contains', 'input'])).toBe(meant)
  })

  it('is quick on hostile words', () => {
    expect(closestMatch('a'.repeat(1_000_000), ['a', 'b'])).toBeUndefined()
  })
})

describe('decodeUtf8', () => {
  it('takes what TextDecoder takes, and drops the byte order mark', () => {
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
    ['behind a byte order mark', [0xef, 0xbb, 0xbf, 0x61, 0xff], 'a'],
  ])('%s', (_, bytes, prefix) => {
    expect(decodeUtf8(new Uint8Array(bytes))).toEqual({ text: prefix, invalidAt: prefix.length })
  })
})

describe('LineIndex', () => {
  it('agrees with counting by hand, for every kind of line break', () => {
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
})

describe('jsonError', () => {
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

  it('finds the place in every text that JSON.parse refuses: what stands before it can be completed', () => {
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
      { numRuns: 1000 },
    )
  })

  it('does not tire of a string of ten million characters', () => {
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

describe('json paths', () => {
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

  it('tells a null from nothing, and never looks at prototypes', () => {
    expect(valueAt({ a: null }, ['a'])).toEqual({ value: null })
    expect(valueAt({ a: null }, ['a', 'b'])).toBeUndefined()
    expect(valueAt({}, ['constructor'])).toBeUndefined()
    expect(valueAt({ a: [1, { b: 2 }] }, ['a', 1, 'b'])).toEqual({ value: 2 })
  })
})

describe('text for terminals', () => {
  it('measures what a terminal shows', () => {
    expect(displayWidth('abc')).toBe(3)
    expect(displayWidth('日本')).toBe(4)
    expect(displayWidth('é')).toBe(1)
    expect(displayWidth('😀')).toBe(2)
  })

  it('shows control characters instead of sending them', () => {
    expect(printable('a\u001b[31mb\u0007\u007f\u009b')).toBe('a␛[31mb␇␡\ufffd')
    expect(printable('\u202eevil')).toBe('\ufffdevil')
  })
})

it('deepFreeze freezes plain values all the way, and leaves instances alone', () => {
  const map = new Map()
  const value = deepFreeze({ a: [{ b: 1 }], map })
  expect(Object.isFrozen(value.a[0])).toBe(true)
  expect(Object.isFrozen(map)).toBe(false)
})

describe('a text on one line', () => {
  it('shows line breaks as a mark, never as an escape', () => {
    expect(printableLine('a\nb\r\nc\td')).toBe('a↵b␍↵c\td')
    expect(singleLine('a\nb\r\nc\td')).toBe('a↵b␍↵c␉d')
    expect(quoteCode('a\nb')).toBe('`a↵b`')
  })

  it('keeps an escape that is written in the text', () => {
    expect(printableLine('^a\\nb$')).toBe('^a\\nb$')
    expect(singleLine('^a\\nb$')).toBe('^a\\nb$')
  })
})
