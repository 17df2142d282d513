import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { kishSize } from '../../../src/lib/statistics/means.ts'
import { bonettPrice } from '../../../src/lib/statistics/paired.ts'
import { NOT_NUMBERS } from './invalid-numbers.ts'
import { PAIRED_BINARY } from './vectors/paired-binary.ts'

const Z = 1.959963984540054

const samples = fc
  .array(
    fc.tuple(
      fc.oneof(fc.constantFrom(-1, 0, 1), fc.double({ min: -1, max: 1, noNaN: true })),
      fc.constantFrom('a', 'b', 'c', undefined),
    ),
    { minLength: 1, maxLength: 40 },
  )
  .map(pairs => ({ differences: pairs.map(([value]) => value), clusters: pairs.map(([, name]) => name) }))

/** `improved` times 1, `worse` times −1, and zeros. */
function pairs(improved: number, worse: number, all: number): number[] {
  return Array.from({ length: all }, (_, index) => (index < improved ? 1 : index < improved + worse ? -1 : 0))
}

describe('the Bonett–Price interval', () => {
  it.each(PAIRED_BINARY)('%d better and %d worse of %d', (improved, worse, all, _p, _mean, low, high) => {
    const { interval } = bonettPrice(pairs(improved, worse, all))
    expect(interval.low).toBeCloseTo(low, 9)
    expect(interval.high).toBeCloseTo(high, 9)
  })

  it('equals the formula for counts, for up to 25 pairs', () => {
    for (let n = 1; n <= 25; n++) {
      for (let improved = 0; improved <= n; improved++) {
        for (let worse = 0; improved + worse <= n; worse++) {
          const [a, b] = [(improved + 1) / (n + 2), (worse + 1) / (n + 2)]
          const half = Z * Math.sqrt((a + b - (a - b) ** 2) / (n + 2))
          const { centre, interval } = bonettPrice(pairs(improved, worse, n))
          expect(centre).toBeCloseTo(a - b, 13)
          expect(interval.low).toBeCloseTo(Math.max(-1, a - b - half), 12)
          expect(interval.high).toBeCloseTo(Math.min(1, a - b + half), 12)
        }
      }
    }
  })

  it('equals that of two additional pairs, +1 and −1, with the Kish size as the number', () => {
    fc.assert(
      fc.property(samples, ({ differences, clusters }) => {
        const size = kishSize(clusters)
        const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
        const centre = (size * meanOf(differences)) / (size + 2)
        const square = (size * meanOf(differences.map(value => value ** 2)) + 2) / (size + 2)
        const actual = bonettPrice(differences, clusters)
        expect(actual.centre).toBeCloseTo(centre, 12)
        expect(actual.standardError).toBeCloseTo(Math.sqrt((square - centre ** 2) / (size + 2)), 12)
      }),
    )
  })

  it('has a width, contains the mean and is within ±1', () => {
    fc.assert(
      fc.property(samples, ({ differences, clusters }) => {
        const { centre, standardError, interval } = bonettPrice(differences, clusters)
        expect(standardError).toBeGreaterThan(0)
        expect(-1 <= interval.low && interval.low < centre && centre < interval.high && interval.high <= 1).toBe(true)
        const mean = differences.reduce((sum, value) => sum + value, 0) / differences.length
        expect(interval.low - 1e-12 <= mean && mean <= interval.high + 1e-12).toBe(true)
      }),
    )
  })

  it('has a width even if a hundred thousand pairs are all worse', () => {
    const { centre, standardError, interval } = bonettPrice(new Array<number>(100_000).fill(-1))
    expect(centre).toBeCloseTo(-1 + 2 / 100_002, 14)
    // The variance of values that are −1 except for 1 of 100,002, at distance 2.
    expect(standardError / Math.sqrt((4 * 100_001) / 100_002 ** 3)).toBeCloseTo(1, 12)
    expect(interval.low).toBe(-1)
    expect(interval.high).toBeGreaterThan(-1)
  })

  it('does not depend on the order or on clusters of size one', () => {
    fc.assert(
      fc.property(samples, ({ differences, clusters }) => {
        expect(bonettPrice(differences.toReversed(), clusters.toReversed())).toEqual(bonettPrice(differences, clusters))
        const named = differences.map((_, index) => `${index}`)
        expect(bonettPrice(differences, named)).toEqual(bonettPrice(differences))
      }),
    )
  })

  it('is mirrored if all signs change', () => {
    fc.assert(
      fc.property(samples, ({ differences, clusters }) => {
        const one = bonettPrice(differences, clusters)
        const other = bonettPrice(
          differences.map(value => -value),
          clusters,
        )
        expect([other.centre + one.centre, other.interval.low + one.interval.high]).toEqual([0, 0])
        expect(other.standardError).toBe(one.standardError)
      }),
    )
  })
})

describe('invalid arguments', () => {
  it('rejects an empty list and clusters of a different length', () => {
    expect(() => bonettPrice([])).toThrow(new RangeError('There are no numbers.'))
    expect(() => bonettPrice([1, 0], ['a'])).toThrow(new RangeError('2 numbers with 1 cluster keys.'))
  })

  it.each([...NOT_NUMBERS, -1.01, 1.01])('rejects the difference %d', value => {
    expect(() => bonettPrice([0, value])).toThrow(RangeError)
  })
})
