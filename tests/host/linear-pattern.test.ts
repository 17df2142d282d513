import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileLinear } from '../../src/host/linear-pattern.ts'
import { examples } from '../support/random-examples.ts'

describe('compileLinear', () => {
  it.each(['(?=a)b', '(?!a)b', '(?<=a)b', '(?<!a)b', '(a)\\1', '(?<x>a)\\k<x>', '\\cA', '\\p{L}', '\\e', 'a{2000}'])(
    'rejects %s',
    pattern => {
      expect(compileLinear(pattern, '')).toBeUndefined()
    },
  )

  it.each(['i', 'u', 'ims'])('rejects the flags %s', flags => {
    expect(compileLinear('a', flags)).toBeUndefined()
  })

  it('returns no result for texts with line breaks that RE2 does not support', () => {
    const pattern = compileLinear('^b$', 'm')
    expect([pattern?.test('a\nb'), pattern?.test('a\rb'), pattern?.test('a\u2028b')]).toEqual([
      true,
      undefined,
      undefined,
    ])
    expect(compileLinear('a.b', '')?.test('a\u2028b')).toBe(false)
  })

  const ATOMS = [
    ...['a', 'A', '1', '.', '\\d', '\\D', '\\w', '\\W', '\\b', '\\B', '^', '$', '\\n', '\\s', '\\S', '\\v', '\\0'],
    ...['[ab]', '[^a]', '[\\s\\S]', '[^\\s]', '[^\\S]', '[\\w-z]', '[a-]', '[-a]', '[--a]', '[\\w--z]', '[]', '[^]'],
    ...['[\\b]', '[[:alpha:]]', '[\\]a]', '[\\^a]', '[a-\\uffff]', '[^\\u0000-\\u007f]', '[\\ud800-\\udbff]'],
    ...['é', 'Σ', '👍', '\\ud83d', '\\x41', '\\u00e9', '\\.', '\\-', '\\_', '{', '}', ']', '{a', '/', '#', ' '],
  ]
  const CHARACTERS = [
    ...['a', 'b', 'A', '1', ' ', '\n', '\r', '\t', '\v', '\b', '\0', '-', '_', '{', '}', '[', ']', ':', '.', '/', '#'],
    ...['é', 'σ', '👍', '\ud83d', '\udc4d', '\u0085', '\u00a0', '\u2028', '\ue000', '\ufeff', '\uffff'],
  ]
  const { pattern } = fc.letrec(tie => ({
    pattern: fc.array(fc.oneof({ depthSize: 'small' }, tie('atom'), tie('repeated')), { maxLength: 5 }).map(join),
    atom: fc.oneof({ depthSize: 'small' }, fc.constantFrom(...ATOMS), tie('group')),
    group: fc.tuple(fc.constantFrom('(', '(?:', '(?<n>'), tie('pattern'), fc.constantFrom(')', '|a)', '|)')).map(join),
    repeated: fc
      .tuple(tie('atom'), fc.constantFrom('*', '+', '?', '*?', '+?', '{0}', '{2}', '{1,}', '{0,1}?'))
      .map(join),
  })) as { pattern: fc.Arbitrary<string> }

  it('agrees with JavaScript', () => {
    const flags = fc.subarray(['m', 's']).map(join)
    const text = fc.string({ unit: fc.constantFrom(...CHARACTERS), maxLength: 12 })
    fc.assert(
      fc.property(pattern, flags, text, (pattern, flags, text) => {
        const regex = regexOf(pattern, flags)
        fc.pre(regex !== undefined)
        const found = compileLinear(pattern, flags)?.test(text)
        if (found !== undefined) expect(found).toBe(regex?.test(text))
      }),
      { numRuns: examples(3000) },
    )
  })
})

function join(parts: readonly unknown[]): string {
  return parts.join('')
}

/** The result of JavaScript; undefined if it rejects the pattern. */
function regexOf(pattern: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(pattern, flags)
  } catch {
    return undefined
  }
}
