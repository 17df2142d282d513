import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { globCost, globMatcher, staticBase, widenedGlob, wildcard } from '../../src/lib/patterns.ts'
import { examples } from '../support/random-examples.ts'

/** The reference implementation with a regular expression, for short patterns. */
function byRegex(pattern: string): RegExp {
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 'su')
}

describe('a wildcard', () => {
  it.each([
    ['', '', true],
    ['', 'a', false],
    ['*', '', true],
    ['**', 'any\nthing', true],
    ['?', '😀', true],
    ['?', '', false],
    ['a*a', 'a', false],
    ['a*a', 'aa', true],
    ['*ab', 'aab', true],
    ['a?*?c', 'abbc', true],
    ['*a?c*', 'xxabc', true],
    ['a.c', 'abc', false],
    ['[a]*', '[a]b', true],
    ['*é', 'é', true],
  ])('%j of %j: %s', (pattern, text, matches) => {
    expect(wildcard(pattern).test(text)).toBe(matches)
  })

  it('agrees with a regular expression', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '😀', '\n'), maxLength: 12 })
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '😀'), maxLength: 8 })
    fc.assert(
      fc.property(pattern, text, (pattern, text) => {
        expect(wildcard(pattern).test(text)).toBe(byRegex(pattern).test(text))
      }),
      { numRuns: examples(2000) },
    )
  })

  it.each(['*a'.repeat(1000), '*?a'.repeat(1000), '*'.repeat(5000), '*a?'.repeat(2000)])(
    'with many stars is matched quickly',
    stars => {
      expect(wildcard(`${stars}b`).test('a'.repeat(20_000))).toBe(false)
    },
  )
})

describe('a glob', () => {
  it.each([
    ['prompts/**/*.md', 'prompts'],
    ['/srv/*/x', '/srv'],
    ['/*', '/'],
    ['agent.py', 'agent.py'],
    ['**', ''],
    ['../lib/{a,b}.py', '../lib'],
    ['!data/*.json', 'data'],
    ['a/!(b)/c', 'a'],
  ])('%s starts from %j', (glob, base) => {
    expect(staticBase(glob)).toBe(base)
  })

  it.each([
    ['evals/**/*.yaml', 'short'],
    ['{a,b}/*.eval.{yaml,yml}', 'short'],
    ['!(a|b)*.yaml', 'short'],
    ['{c++,rust}/*.yaml', 'short'],
    ['[ab]+b', 'endless'],
    ['*a*b*c*.yaml', 'long'],
    ['**/a/**/b/**/c', 'long'],
    ['a/*?*?*?*', 'long'],
    ['{*a*a*a*b,c}', 'endless'],
    ['[ab]*a*a*a*', 'endless'],
    ['+(a|aa)b', 'endless'],
    ['(a|aa)+b', 'endless'],
  ])('%s takes %s', (glob, cost) => {
    expect(globCost(glob)).toBe(cost)
  })

  it.each([
    ['*a*a*a*', 'bababa', true],
    ['*a*a*a*', 'x/aaa', false],
    ['*a*a*a*', '.aaa', false],
    ['.*a*a*a*', '.aaa', true],
    ['./*a*a*a*', 'aaa', true],
    ['**/*a*a*a*', 'aaa', true],
    ['**/a/**/b/**/c', 'a/b/c', true],
    ['**/a/**/b/**/c', 'x/a/x/y/b/c', true],
    ['**/a/**/b/**/c', 'a/c/b', false],
    ['**/a/**/b/**/c', 'a/.x/b/c', false],
    ['**/.a/**/b/**/c', 'x/.a/b/c', true],
    ['../*a*a*a*/**', '../aaa/b/c', true],
    ['a/**/**/**', 'a', true],
    ['a/**/**/**', 'b/a', false],
  ])('%s on %s: %s', (glob, path, matches) => {
    expect(globMatcher(glob)(path)).toBe(matches)
  })

  it('is widened to a shorter pattern', () => {
    expect(widenedGlob('x/*a*a*a*/y*/*b*b*b*b.yaml')).toBe('x/*/y*/*')
    expect(widenedGlob('x/**/a/**/b/**/c*.yaml')).toBe('x/**/c*.yaml')
  })

  it('of many depths is matched quickly', () => {
    expect(globMatcher(`${'**/a/'.repeat(300)}b`)('a/'.repeat(600))).toBe(false)
  })
})
