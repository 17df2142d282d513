import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sizeNeeded } from '../../../src/lib/statistics/significance.ts'
import { NOT_NUMBERS } from './invalid-numbers.ts'

describe('the size needed', () => {
  it.each([
    [0.02, 3140],
    [0.05, 503],
    [0.1, 126],
    [0.2, 32],
  ])('for a difference of %d with a standard deviation of 0.4', (difference, n) => {
    expect(sizeNeeded(0.4, difference)).toBe(n)
    expect(sizeNeeded(0.4, -difference)).toBe(n)
  })

  it('is a whole number, and grows as the difference shrinks', () => {
    const positive = fc.double({ min: 0.001, max: 10, noNaN: true })
    fc.assert(
      fc.property(positive, positive, (sd, difference) => {
        const n = sizeNeeded(sd, difference) ?? -1
        expect(Number.isInteger(n) && n > 0).toBe(true)
        expect(sizeNeeded(sd, difference / 2)).toBeGreaterThanOrEqual(n)
        // One less is too few.
        expect(Math.sqrt(n - 1) * difference).toBeLessThan(2.8015852181 * sd)
        expect(Math.sqrt(n) * difference).toBeGreaterThanOrEqual(2.801585218 * sd)
      }),
    )
  })

  it('is undefined for a difference of 0 or too small for any number', () => {
    expect(sizeNeeded(0.4, 0)).toBeUndefined()
    expect(sizeNeeded(0.4, -0)).toBeUndefined()
    expect(sizeNeeded(0, 0)).toBeUndefined()
    expect(sizeNeeded(1, 1e-300)).toBeUndefined()
    expect(sizeNeeded(Number.MAX_VALUE, Number.MIN_VALUE)).toBeUndefined()
  })

  it('is 1 if nothing varies', () => {
    expect(sizeNeeded(0, 0.1)).toBe(1)
  })

  it.each(NOT_NUMBERS)('rejects %d', value => {
    expect(() => sizeNeeded(value, 0.1)).toThrow(RangeError)
    expect(() => sizeNeeded(0.4, value)).toThrow(RangeError)
  })

  it('rejects a negative standard deviation', () => {
    expect(() => sizeNeeded(-0.4, 0.1)).toThrow(new RangeError('The standard deviation must not be below 0: -0.4.'))
  })
})
