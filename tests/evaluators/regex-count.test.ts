import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nodeHost } from '../../src/host/node.ts'
import { gradeChecks, gradeOf, loadTestWithDiagnostics } from '../support/checks.ts'
import { examples } from '../support/random-examples.ts'

const { count } = nodeHost().patterns

describe('regex with count', () => {
  it.each<[fields: string, text: string, score: 0 | 1]>([
    ['value: a, count: 0', 'b', 1],
    ['value: a, count: 0', 'a', 0],
    ['value: a, count: 2', 'a b a', 1],
    ['value: a, count: 2', 'a a a', 0],
    ['value: aa, count: 1', 'aaa', 1],
    ['value: aa, count: 2', 'aaaa', 1],
    ['value: a*, count: 2', 'b', 1],
    ['value: A, flags: i, count: 2', 'aA', 1],
    ['value: a, count: {min: 2}', 'aa', 1],
    ['value: a, count: {min: 2}', 'a', 0],
    ['value: a, count: {max: 1}', '', 1],
    ['value: a, count: {max: 1}', 'aa', 0],
    ['value: a, count: {min: 1, max: 2}', 'aa', 1],
    ['value: a, count: {min: 1, max: 2}', 'aaa', 0],
  ])('%s on %j: %d, and the opposite if negated', async (fields, text, score) => {
    expect((await gradeOf(`{type: regex, ${fields}}`, text)).score).toBe(score)
    expect((await gradeOf(`{type: regex, ${fields}, negate: true}`, text)).score).toBe(1 - score)
  })

  it('names the number of matches', async () => {
    const misses = async (fields: string) => (await gradeOf(`{type: regex, value: a, ${fields}}`, 'aa')).misses
    expect(await misses('count: 3')).toEqual(['matches /a/ 2 times, expected exactly 3 times'])
    expect(await misses('count: 2, negate: true')).toEqual(['must not match /a/ exactly 2 times, but matches 2 times'])
  })

  it.each<[fields: string, code: string]>([
    ['count: {min: 3, max: 2}', 'bad-range'],
    ['count: {min: 0}', 'bad-range'],
    ['count: -1', 'out-of-range'],
    ['count: {}', 'missing-key'],
    ['count: many', 'wrong-type'],
  ])('reports %s before the run', async (fields, code) => {
    const { diagnostics } = await loadTestWithDiagnostics([`{type: regex, value: a, ${fields}}`])
    expect(diagnostics.map(each => each.code)).toEqual([code])
  })

  it('counts as matchAll does, for any text', () => {
    const pattern = fc.constantFrom('a', 'a*', '', 'a|b', '(ab)+', '^', '$', '\\b', '(?=a)', '.', 'a+?', '👍?')
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '👍'), maxLength: 10 })
    fc.assert(
      fc.property(pattern, fc.subarray(['i', 'm', 's', 'u']), text, (pattern, chosen, text) => {
        const flags = chosen.join('')
        expect(count(pattern, flags, text)).toBe([...text.matchAll(new RegExp(pattern, `${flags}g`))].length)
      }),
      { numRuns: examples(500) },
    )
  })

  it('gives up after a second', async () => {
    const [result] = await gradeChecks(['{type: regex, value: (a+)+$, flags: i, count: 1}'], {
      text: `${'a'.repeat(40)}b`,
    })
    expect(result).toMatchObject({ score: null, error: { code: 'regex-too-slow' } })
    expect(count('(a+)+$', '', `${'a'.repeat(40)}b`)).toBe(0)
    expect(count('\\s+$', '', `${' '.repeat(200_000)}x`)).toBe(0)
  })
})
