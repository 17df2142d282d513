import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { passAtK, passHatK } from '../../../src/lib/statistics/pass-at-k.ts'
import { expectClose } from './expect-close.ts'
import { NOT_COUNTS } from './invalid-numbers.ts'

const drawn = (most: number) =>
  fc
    .integer({ min: 1, max: most })
    .chain(n => fc.tuple(fc.constant(n), fc.integer({ min: 0, max: n }), fc.integer({ min: 1, max: n })))

describe('pass@k and pass^k', () => {
  it.each([
    [5, 3, 2, 0.9, 0.3],
    [5, 3, 3, 1, 0.1],
    [10, 9, 4, 1, 0.6],
  ])('%d trials, %d passed, %d drawn', (n, c, k, any, all) => {
    expect(passAtK(n, c, k)).toBeCloseTo(any, 14)
    expect(passHatK(n, c, k)).toBeCloseTo(all, 14)
  })

  // Computed exactly with fractions.Fraction and math.comb of Python, rounded to 17 digits.
  it.each([
    [10_000, 5000, 10, 0.9990278263190201, 0.0009721736809799328],
    [10_000, 9990, 5000, 1, 0.0009721736809799328],
    [10_000, 9999, 9999, 1, 0.0001],
    [10_000, 10, 3000, 0.9718069418228802, 0],
    [10_000, 3, 1, 0.0003, 0.0003],
    [10_000, 9000, 100, 1, 2.5130213022564813e-5],
    [10_000, 1, 10_000, 1, 0],
    // Below the smallest number.
    [10_000, 5000, 3000, 1, 0],
  ])('%d trials, %d passed, %d drawn', (n, c, k, any, all) => {
    expectClose(passAtK(n, c, k) ?? -1, any, 1e-12)
    expectClose(passHatK(n, c, k) ?? -1, all, 1e-12)
  })

  it.each([
    [0, 0, 1],
    [1, 1, 2],
    [5, 3, 6],
  ])('are undefined for %d trials, %d passed, %d drawn', (n, c, k) => {
    expect(passAtK(n, c, k)).toBeUndefined()
    expect(passHatK(n, c, k)).toBeUndefined()
  })

  it('are 1 if all passed and 0 if none did', () => {
    for (const k of [1, 2, 5]) {
      expect([passAtK(5, 5, k), passHatK(5, 5, k)]).toEqual([1, 1])
      expect([passAtK(5, 0, k), passHatK(5, 0, k)]).toEqual([0, 0])
    }
  })

  it('enclose the pass rate, and equal it if one is drawn', () => {
    fc.assert(
      fc.property(drawn(500), ([n, c, k]) => {
        const [any, all] = [passAtK(n, c, k) ?? -1, passHatK(n, c, k) ?? 2]
        expect(0 <= all && all <= c / n && c / n <= any && any <= 1).toBe(true)
        expect([passAtK(n, c, 1), passHatK(n, c, 1)]).toEqual([c / n, c / n])
      }),
    )
  })

  it('equal the shares over all possible draws', () => {
    fc.assert(
      fc.property(drawn(10), ([n, c, k]) => {
        let [ways, any, all] = [0, 0, 0]
        for (let mask = 0; mask < 2 ** n; mask++) {
          if (bits(mask) !== k) continue
          const passed = bits(mask & (2 ** c - 1))
          ways++
          any += passed > 0 ? 1 : 0
          all += passed === k ? 1 : 0
        }
        expect(passAtK(n, c, k)).toBeCloseTo(any / ways, 13)
        expect(passHatK(n, c, k)).toBeCloseTo(all / ways, 13)
      }),
    )
  })

  it('diverge as more are drawn', () => {
    fc.assert(
      fc.property(drawn(500), ([n, c, k]) => {
        fc.pre(k < n)
        expect(passAtK(n, c, k + 1)).toBeGreaterThanOrEqual(passAtK(n, c, k) ?? 2)
        expect(passHatK(n, c, k + 1)).toBeLessThanOrEqual(passHatK(n, c, k) ?? -1)
      }),
    )
  })

  it('are 1 (pass@k) and 0 (pass^k) only if that is certain', () => {
    fc.assert(
      fc.property(drawn(40), ([n, c, k]) => {
        expect(passAtK(n, c, k) === 1).toBe(n - c < k)
        expect(passHatK(n, c, k) === 0).toBe(c < k)
      }),
    )
  })

  it.each(NOT_COUNTS)('rejects %d, which is not a count', count => {
    for (const pass of [passAtK, passHatK]) {
      expect(() => pass(count, 0, 1)).toThrow(RangeError)
      expect(() => pass(5, count, 1)).toThrow(RangeError)
      expect(() => pass(5, 3, count)).toThrow(RangeError)
    }
  })

  it('rejects zero draws, and more passes than trials', () => {
    for (const pass of [passAtK, passHatK]) {
      expect(() => pass(5, 3, 0)).toThrow(new RangeError('None are drawn: k is 0.'))
      expect(() => pass(5, 6, 1)).toThrow(new RangeError('6 of 5: the part is larger than the whole.'))
    }
  })
})

function bits(mask: number): number {
  return mask.toString(2).replaceAll('0', '').length
}
