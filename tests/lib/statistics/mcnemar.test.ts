import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { midPMcNemar } from '../../../src/lib/statistics/significance.ts'
import { expectClose } from './expect-close.ts'
import { NOT_COUNTS } from './invalid-numbers.ts'
import { PAIRED_BINARY } from './vectors/paired-binary.ts'

const counts = fc.integer({ min: 0, max: 100_000 })

describe("McNemar's mid-p test", () => {
  it.each(PAIRED_BINARY)('%d against %d of %d', (improved, worse, _, p) => {
    expect(midPMcNemar(improved, worse)).toBeCloseTo(p, 11)
  })

  it.each([
    [2, 8, 0.0654296875],
    [0, 5, 0.03125],
    [0, 6, 0.015625],
    [3, 4, 0.7265625],
  ])('%d against %d', (one, other, p) => {
    expectClose(midPMcNemar(one, other), p, 1e-13)
  })

  // Exact, computed with Python integers; above 10,000 with mpmath 1.3 to 60 digits.
  it.each([
    [10, 25, 0.011330984183587134],
    [30, 70, 5.5330705875801516e-5],
    [450, 550, 0.001561138839699202],
    [1000, 1200, 1.9916416564602037e-5],
    [400, 1600, 1.4247393913164614e-169],
    [49_800, 50_200, 0.20590525142492638],
    [98_000, 100_000, 6.967113342761075e-6],
    [99_000, 100_000, 0.024982233145674416],
    [99_900, 100_000, 0.8230202601267439],
    [50_000, 50_001, 0.9974768990165608],
  ])('%d against %d', (one, other, p) => {
    expectClose(midPMcNemar(one, other), p, 1e-10)
  })

  it.each([0, 1, 7, 50_000])('%d against the same number is 1', count => {
    expect(midPMcNemar(count, count)).toBe(1)
  })

  it('equals the sum over all outcomes, with the last one counted half', () => {
    for (let n = 1; n <= 40; n++) {
      for (let less = 0; 2 * less < n; less++) {
        let [ways, sum] = [1, 0]
        for (let i = 0; i < less; i++) {
          sum += ways
          ways = (ways * (n - i)) / (i + 1)
        }
        expectClose(midPMcNemar(less, n - less), (2 * sum + ways) / 2 ** n, 1e-13)
      }
    }
  })

  it('needs five pairs that all differ in one direction to be below 0.05', () => {
    expect(midPMcNemar(0, 4)).toBeGreaterThan(0.05)
    expect(midPMcNemar(0, 5)).toBeLessThan(0.05)
  })

  it('is symmetric and never 0', () => {
    fc.assert(
      fc.property(counts, counts, (one, other) => {
        const p = midPMcNemar(one, other)
        expect(p > 0 && p <= 1).toBe(true)
        expect(midPMcNemar(other, one)).toBe(p)
      }),
    )
  })

  it('never rounds the smallest probability to 0', () => {
    expect(midPMcNemar(0, 100_000)).toBe(Number.MIN_VALUE)
    expectClose(midPMcNemar(0, 1000), 2 ** -1000, 1e-12)
  })

  it('falls as one side grows', () => {
    for (let other = 10; other < 60; other++) {
      expect(midPMcNemar(10, other + 1)).toBeLessThanOrEqual(midPMcNemar(10, other))
    }
  })

  it.each(NOT_COUNTS)('rejects %d, which is not a count', count => {
    expect(() => midPMcNemar(count, 1)).toThrow(RangeError)
    expect(() => midPMcNemar(1, count)).toThrow(RangeError)
  })
})
