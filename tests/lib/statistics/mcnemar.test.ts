import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exactMcNemar } from '../../../src/lib/statistics/mcnemar.ts'
import { expectClose } from './expect-close.ts'
import { NOT_COUNTS } from './hostile.ts'

const counts = fc.integer({ min: 0, max: 100_000 })

describe('the exact test of McNemar', () => {
  it.each([
    [2, 8, 0.109375],
    [0, 5, 0.0625],
    [0, 6, 0.03125],
  ])('%d against %d', (one, other, p) => {
    expectClose(exactMcNemar(one, other), p, 1e-13)
  })

  // Exact, with fractions.Fraction and math.comb of Python; those with more than 10,000 with mpmath 1.3, to 60 digits.
  it.each([
    [10, 25, 0.01667384780012071],
    [30, 70, 7.85013964559367e-5],
    [450, 550, 0.0017305360849763176],
    [1000, 1200, 2.1817026407914712e-5],
    [400, 1600, 2.2803404122146458e-169],
    [49_800, 50_200, 0.20703897176422484],
    [98_000, 100_000, 7.040690249406241e-6],
    [99_000, 100_000, 0.025127217688360945],
    [99_900, 100_000, 0.8247607455153544],
  ])('%d against %d', (one, other, p) => {
    expectClose(exactMcNemar(one, other), p, 1e-10)
  })

  it.each([
    [0, 0],
    [0, 1],
    [1, 1],
    [3, 4],
    [50_000, 50_000],
    [50_000, 50_001],
  ])('%d against %d says nothing', (one, other) => {
    expect(exactMcNemar(one, other)).toBe(1)
  })

  it('is what adding up the ways says', () => {
    for (let n = 1; n <= 40; n++) {
      for (let less = 0; 2 * less < n; less++) {
        let [ways, sum] = [1, 0]
        for (let i = 0; i <= less; i++) {
          sum += ways
          ways = (ways * (n - i)) / (i + 1)
        }
        expectClose(exactMcNemar(less, n - less), Math.min(1, (2 * sum) / 2 ** n), 1e-13)
      }
    }
  })

  it('is the same the other way round, and never 0', () => {
    fc.assert(
      fc.property(counts, counts, (one, other) => {
        const p = exactMcNemar(one, other)
        expect(p > 0 && p <= 1).toBe(true)
        expect(exactMcNemar(other, one)).toBe(p)
      }),
    )
  })

  it('never calls the smallest probability 0', () => {
    expect(exactMcNemar(0, 100_000)).toBe(Number.MIN_VALUE)
    expectClose(exactMcNemar(0, 1000), 2 ** -999, 1e-12)
  })

  it('falls as one side grows', () => {
    for (let other = 10; other < 60; other++) {
      expect(exactMcNemar(10, other + 1)).toBeLessThanOrEqual(exactMcNemar(10, other))
    }
  })

  it.each(NOT_COUNTS)('%d is no count', count => {
    expect(() => exactMcNemar(count, 1)).toThrow(RangeError)
    expect(() => exactMcNemar(1, count)).toThrow(RangeError)
  })
})
