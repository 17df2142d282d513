import { describe, expect, it } from 'vitest'
import { regexSamples } from '../../../src/lib/regex/regex-samples.ts'

describe('regexSamples', () => {
  it.each([
    ['abc', ''],
    ['^[A-Z]{2}-\\d{4}$', ''],
    ['colou?r|grey', 'i'],
    ['\\bfoo\\b', ''],
    ['x{3,5}(?:a|b)+?\\s*', ''],
    ['(?<year>\\d{4})-(\\d\\d)', ''],
    ['\\$\\{\\{\\s*secrets\\.', ''],
    ['[^\\]"\\\\]+\\]', ''],
    ['\\u0041\\x42\\t', ''],
    ['\\u{1F600}', 'u'],
    ['\\p{Script=Cyrillic}+', 'u'],
    ['[\\u3040-\\u309f]{3,}', ''],
    ['a\\b.', ''],
    ['', ''],
    ['{not a quantifier}', ''],
  ])('makes a text that /%s/%s matches', (pattern, flags) => {
    const { texts } = regexSamples(pattern, flags)
    expect(texts.some(text => new RegExp(pattern, flags).test(text))).toBe(true)
  })

  it.each(['a^b', 'a$b', '[^\\s\\S]', '(?!)', 'x(?!)|[]'])(
    'makes none that /%s/ matches, and is sure of it',
    pattern => {
      const { texts, is_complete } = regexSamples(pattern)
      expect(texts.some(text => new RegExp(pattern).test(text))).toBe(false)
      expect(is_complete).toBe(true)
    },
  )

  it.each(['(?=.*\\d)(?=.*[a-z]).{8,}', '(\\d)\\1', 'foo\\bbar', '\\cA', 'a{30000}'])(
    'is not sure of /%s/, in which more than characters decides',
    pattern => expect(regexSamples(pattern).is_complete).toBe(false),
  )

  it('makes the texts that lookarounds ask about', () => {
    expect(regexSamples('^(?!.*secret)').texts).toContain('secret')
  })

  it('does not overflow on deep nesting', () => {
    const deep = `${'('.repeat(5000)}a${')'.repeat(5000)}`
    expect(regexSamples(deep)).toEqual({ texts: [], is_complete: false })
  })
})
