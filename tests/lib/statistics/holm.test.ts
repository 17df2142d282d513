import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { holm } from '../../../src/lib/statistics/significance.ts'
import { NOT_NUMBERS } from './invalid-numbers.ts'

const probabilities = fc.array(
  fc.oneof(fc.constantFrom(0, 0.01, 0.05, 1), fc.double({ min: 0, max: 1, noNaN: true })),
  { minLength: 1, maxLength: 20 },
)

describe("Holm's adjustment", () => {
  // By hand: the smallest p times n, the next times n − 1, and never below the one before.
  it.each([
    [[0.03], [0.03]],
    [
      [0.01, 0.04, 0.03, 0.005],
      [0.03, 0.06, 0.06, 0.02],
    ],
    [
      [0.02, 0.02],
      [0.04, 0.04],
    ],
    [
      [0.6, 0.5, 0.9],
      [1, 1, 1],
    ],
    [
      [0, 1],
      [0, 1],
    ],
  ])('of %j', (given, adjusted) => {
    const actual = holm(given)
    expect(actual).toHaveLength(adjusted.length)
    adjusted.forEach((p, index) => {
      expect(actual[index]).toBeCloseTo(p, 14)
    })
  })

  it('is at least the given p and at most 1, and keeps their order', () => {
    fc.assert(
      fc.property(probabilities, given => {
        const adjusted = holm(given)
        given.forEach((p, index) => {
          const own = adjusted[index] ?? -1
          expect(own >= p && own <= 1).toBe(true)
          given.forEach((other, place) => {
            if (p <= other) expect(own).toBeLessThanOrEqual(adjusted[place] ?? -1)
          })
        })
      }),
    )
  })

  it('does not depend on the order', () => {
    fc.assert(
      fc.property(probabilities, given => {
        expect(holm(given.toReversed())).toEqual(holm(given).toReversed())
      }),
    )
  })

  it('does not change its input', () => {
    const given = Object.freeze([0.5, 0.1])
    expect(holm(given)).toEqual([0.5, 0.2])
    expect(given).toEqual([0.5, 0.1])
  })

  it('rejects an empty list', () => {
    expect(() => holm([])).toThrow(new RangeError('There are no p values.'))
  })

  it.each([...NOT_NUMBERS, -0.01, 1.01])('rejects %d, which is not a probability', p => {
    expect(() => holm([0.5, p])).toThrow(RangeError)
  })
})
