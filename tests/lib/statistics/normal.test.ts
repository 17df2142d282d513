import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalQuantile, normalTwoSidedP } from '../../../src/lib/statistics/distributions.ts'
import { normalDistribution } from '../../support/distributions.ts'
import { expectClose } from './expect-close.ts'
import { NOT_INSIDE, NOT_NUMBERS } from './invalid-numbers.ts'

// Computed with mpmath 1.3 (ncdf, and its root) to 50 digits.
const DISTRIBUTION: readonly [z: number, p: number][] = [
  [-37.5, 4.605353009581955e-308],
  [-10, 7.619853024160525e-24],
  [-5, 2.866515718791939e-7],
  [-3, 0.0013498980316300946],
  [-2.99, 0.0013948872354922505],
  [-1.96, 0.024997895148220435],
  [-1, 0.15865525393145705],
  [-0.1, 0.460172162722971],
  [0, 0.5],
  [0.5, 0.6914624612740131],
  [1, 0.8413447460685429],
  [2, 0.9772498680518208],
  [3, 0.9986501019683699],
  [6, 0.9999999990134123],
]

const QUANTILES: readonly [p: number, z: number][] = [
  [0.975, 1.9599639845400543],
  [0.8, 0.8416212335729142],
  [0.995, 2.575829303548901],
  [0.9, 1.2815515655446006],
  [0.6, 0.2533471031357998],
  [0.3, -0.5244005127080408],
  [0.001, -3.0902323061678136],
  [1e-12, -7.034483825301132],
  [1e-300, -37.0470962993612],
]

describe('the normal distribution', () => {
  it.each(DISTRIBUTION)('below %d', (z, p) => {
    expectClose(normalDistribution(z), p, 1e-12)
  })

  it.each([
    [-1e10, 0],
    [-1e200, 0],
    [-Number.MAX_VALUE, 0],
    [1e10, 1],
    [1e200, 1],
  ])('in the tail at %d', (z, p) => {
    expect(normalDistribution(z)).toBe(p)
  })

  it('is increasing', () => {
    const z = fc.double({ min: -8, max: 8, noNaN: true })
    fc.assert(
      fc.property(z, z, (one, other) => {
        const [lower, higher] = [Math.min(one, other), Math.max(one, other)]
        expect(normalDistribution(lower)).toBeLessThanOrEqual(normalDistribution(higher) * (1 + 1e-14))
      }),
    )
  })

  it.each(NOT_NUMBERS)('rejects %d', z => {
    expect(() => normalDistribution(z)).toThrow(RangeError)
  })
})

describe('both tails of the normal distribution', () => {
  it.each(DISTRIBUTION.filter(([z]) => z < 0))('beyond %d', (z, p) => {
    expectClose(normalTwoSidedP(z), 2 * p, 1e-12)
    expect(normalTwoSidedP(-z)).toBe(normalTwoSidedP(z))
  })

  it('are 1 at 0 and 0 at extreme values', () => {
    expect([0, -0, 1e200, -Number.MAX_VALUE].map(normalTwoSidedP)).toEqual([1, 1, 0, 0])
    for (let z = 1e-18; z < 1; z *= 1.1) expect(normalTwoSidedP(z)).toBeLessThanOrEqual(1)
  })

  it.each(NOT_NUMBERS)('reject %d', z => {
    expect(() => normalTwoSidedP(z)).toThrow(RangeError)
  })
})

describe('the quantiles of the normal distribution', () => {
  it.each(QUANTILES)('of %d', (p, z) => {
    expectClose(normalQuantile(p), z, 1e-12)
  })

  it('of a half is 0', () => {
    expect(normalQuantile(0.5)).toBe(0)
  })

  it.each([Number.MIN_VALUE, 1e-310, 1 - 2 ** -53])('of %d is a number', p => {
    expect(Math.abs(normalQuantile(p))).toBeLessThan(40)
  })

  it('are the inverse of the distribution', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-15, max: 1 - 1e-9, noNaN: true }), p => {
        expectClose(normalDistribution(normalQuantile(p)), p, 1e-12)
      }),
    )
  })

  it('are inverted by the distribution', () => {
    fc.assert(
      fc.property(fc.double({ min: -30, max: 5, noNaN: true }), z => {
        expect(normalQuantile(normalDistribution(z))).toBeCloseTo(z, 9)
      }),
    )
  })

  it.each(NOT_INSIDE)('rejects %d', p => {
    expect(() => normalQuantile(p)).toThrow(RangeError)
  })
})
