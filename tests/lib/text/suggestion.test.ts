import { describe, expect, it } from 'vitest'
import { closestMatch } from '../../../src/lib/text/suggestion.ts'

describe('closestMatch', () => {
  it.each([
    ['wieght', 'weight'],
    ['llm-judg', 'llm_judge'],
    ['asert', 'assert'],
    ['Contains', 'contains'],
    ['x', undefined],
    ['completely_else', undefined],
    ['', undefined],
  ])('%s → %s', (word, expected) => {
    expect(closestMatch(word, ['weight', 'llm_judge', 'assert', 'contains', 'input'])).toBe(expected)
  })

  it('is quick on hostile words', () => {
    expect(closestMatch('a'.repeat(1_000_000), ['a', 'b'])).toBeUndefined()
  })
})
