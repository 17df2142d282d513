import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { incompleteBeta } from '../../../src/lib/statistics/special-functions.ts'
import { expectClose } from './expect-close.ts'
import { NOT_NUMBERS } from './invalid-numbers.ts'

const shape = fc.double({ min: 0.1, max: 1000, noNaN: true })
const inside = fc.double({ min: 0.001, max: 0.999, noNaN: true })

describe('the regularised incomplete beta function', () => {
  // Computed with mpmath 1.3 (betainc, regularized) to 60 digits; the first is exactly 67/256.
  it.each([
    [2, 3, 0.25, 0.26171875],
    [0.5, 0.5, 0.1, 0.20483276469913345],
    [100, 200, 0.3, 0.10884306564490984],
    [100, 200, 0.4, 0.9916844649260861],
  ])('with %d and %d up to %d', (a, b, x, expected) => {
    expectClose(incompleteBeta(a, b, x), expected, 1e-13)
  })

  it('goes from exactly 0 to exactly 1', () => {
    expect([incompleteBeta(2, 3, 0), incompleteBeta(2, 3, 1)]).toEqual([0, 1])
  })

  it('is a power if a or b is 1', () => {
    fc.assert(
      fc.property(shape, inside, (a, x) => {
        expectClose(incompleteBeta(a, 1, x), x ** a, 1e-11)
      }),
    )
  })

  it('is antisymmetric', () => {
    fc.assert(
      fc.property(shape, shape, inside, (a, b, x) => {
        expect(incompleteBeta(a, b, x) + incompleteBeta(b, a, 1 - x, x)).toBeCloseTo(1, 12)
      }),
    )
  })

  it('satisfies its recurrence relation', () => {
    // I(a, b) = x·I(a − 1, b) + (1 − x)·I(a, b − 1), see 8.17.12 of the Digital Library of Mathematical Functions.
    const above = fc.double({ min: 1.1, max: 1000, noNaN: true })
    fc.assert(
      fc.property(above, above, inside, (a, b, x) => {
        const parts = x * incompleteBeta(a - 1, b, x) + (1 - x) * incompleteBeta(a, b - 1, x)
        expect(incompleteBeta(a, b, x)).toBeCloseTo(parts, 12)
      }),
    )
  })

  it.each([...NOT_NUMBERS, 0, -1])('rejects %d as a or b', value => {
    expect(() => incompleteBeta(value, 1, 0.5)).toThrow(RangeError)
    expect(() => incompleteBeta(1, value, 0.5)).toThrow(RangeError)
  })

  it.each([...NOT_NUMBERS, -0.1, 1.1])('rejects %d as x', x => {
    expect(() => incompleteBeta(1, 1, x)).toThrow(RangeError)
  })
})
