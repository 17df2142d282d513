import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fisherExact } from '../../../src/lib/statistics/significance.ts'
import { expectClose } from './expect-close.ts'
import { NOT_COUNTS } from './invalid-numbers.ts'

const side = (most: number) =>
  fc.integer({ min: 0, max: most }).chain(of => fc.tuple(fc.integer({ min: 0, max: of }), fc.constant(of)))

describe("Fisher's exact test", () => {
  // Computed with scipy 1.17 (hypergeom): twice the smaller tail.
  it.each([
    [10, 10, 0, 10, 1.0825088224469026e-5],
    [5, 5, 0, 5, 0.007936507936507936],
    [4, 5, 0, 5, 0.047619047619047616],
    [3, 3, 0, 3, 0.1],
    [9, 10, 5, 10, 0.14086687306501547],
    [900, 1000, 850, 1000, 0.0008950875386906893],
    [1, 2000, 20, 2000, 2.009426410062881e-5],
  ])('%d of %d against %d of %d', (passesA, ofA, passesB, ofB, p) => {
    expectClose(fisherExact(passesA, ofA, passesB, ofB), p, 1e-9)
  })

  it('equals exact arithmetic for all tables with up to eight per side', () => {
    for (let ofA = 0; ofA <= 8; ofA++) {
      for (let ofB = 0; ofB <= 8; ofB++) {
        for (const [passesA, passesB] of pairsUpTo(ofA, ofB)) {
          expectClose(fisherExact(passesA, ofA, passesB, ofB), byWholeNumbers(passesA, ofA, passesB, ofB), 1e-13)
        }
      }
    }
  })

  it('equals exact arithmetic for hundreds', () => {
    fc.assert(
      fc.property(side(300), side(300), ([passesA, ofA], [passesB, ofB]) => {
        const expected = byWholeNumbers(passesA, ofA, passesB, ofB)
        expectClose(fisherExact(passesA, ofA, passesB, ofB), expected, 1e-11)
      }),
    )
  })

  it('is a probability of thousands, and never 0', () => {
    fc.assert(
      fc.property(side(20_000), side(20_000), ([passesA, ofA], [passesB, ofB]) => {
        const p = fisherExact(passesA, ofA, passesB, ofB)
        expect(p > 0 && p <= 1).toBe(true)
        expectClose(fisherExact(passesB, ofB, passesA, ofA), p, 1e-9)
        expectClose(fisherExact(ofA - passesA, ofA, ofB - passesB, ofB), p, 1e-9)
      }),
    )
    expect(fisherExact(5000, 5000, 0, 5000)).toBe(Number.MIN_VALUE)
  })

  it.each([
    [0, 0, 0, 0],
    [0, 0, 3, 5],
    [3, 5, 0, 0],
    [0, 5, 0, 7],
    [5, 5, 7, 7],
    [2, 4, 2, 4],
  ])('%d of %d against %d of %d is 1', (passesA, ofA, passesB, ofB) => {
    expect(fisherExact(passesA, ofA, passesB, ofB)).toBe(1)
  })

  it.each(NOT_COUNTS)('rejects %d, which is not a count', count => {
    expect(() => fisherExact(count, 5, 1, 5)).toThrow(RangeError)
    expect(() => fisherExact(0, count, 1, 5)).toThrow(RangeError)
    expect(() => fisherExact(1, 5, count, 5)).toThrow(RangeError)
    expect(() => fisherExact(1, 5, 0, count)).toThrow(RangeError)
  })

  it('rejects more passes than trials', () => {
    expect(() => fisherExact(6, 5, 1, 5)).toThrow(new RangeError('6 of 5: the part is larger than the whole.'))
    expect(() => fisherExact(1, 5, 6, 5)).toThrow(RangeError)
  })
})

function pairsUpTo(ofA: number, ofB: number): [number, number][] {
  const upTo = (most: number) => Array.from({ length: most + 1 }, (_, count) => count)
  return upTo(ofA).flatMap(passesA => upTo(ofB).map((passesB): [number, number] => [passesA, passesB]))
}

/** Counts the possible draws; exact until the final division. */
function byWholeNumbers(passesA: number, ofA: number, passesB: number, ofB: number): number {
  const passes = passesA + passesB
  let [lower, upper, all] = [0n, 0n, 0n]
  for (let x = Math.max(0, passes - ofB); x <= Math.min(passes, ofA); x++) {
    const ways = choose(ofA, x) * choose(ofB, passes - x)
    all += ways
    if (x <= passesA) lower += ways
    if (x >= passesA) upper += ways
  }
  const [smaller = 0n] = [lower, upper].sort((one, other) => Number(one > other) - Number(one < other))
  return 2n * smaller >= all ? 1 : quotient(2n * smaller, all)
}

function choose(n: number, k: number): bigint {
  let ways = 1n
  for (let i = 0; i < k; i++) ways = (ways * BigInt(n - i)) / BigInt(i + 1)
  return ways
}

/** A fraction with 60 significant bits. */
function quotient(part: bigint, whole: bigint): number {
  const shift = Math.max(0, whole.toString(2).length - part.toString(2).length) + 60
  return Number((part << BigInt(shift)) / whole) / 2 ** 60 / 2 ** (shift - 60)
}
