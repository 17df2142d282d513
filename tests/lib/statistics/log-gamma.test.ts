import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { logGamma } from '../../support/distributions.ts'
import { expectClose } from './expect-close.ts'
import { NOT_NUMBERS } from './invalid-numbers.ts'

describe('the logarithm of the gamma function', () => {
  // Computed with mpmath 1.3 (loggamma) to 50 digits.
  it.each([
    [1e-5, 11.512919692895826],
    [0.5, 0.5723649429247001],
    [1.5, -0.12078223763524522],
    [3.7, 1.4280723266653879],
    [10, 12.80182748008147],
    [100.25, 360.28455963776423],
    [12345.5, 103958.24296512322],
    [500000.5, 6061182.607640615],
  ])('of %d', (x, expected) => {
    expectClose(logGamma(x), expected, 1e-14)
  })

  it.each([1, 2])('of %d is 0', x => {
    expect(logGamma(x)).toBeCloseTo(0, 14)
  })

  it('is the logarithm of a factorial for integers', () => {
    let factorial = 1
    for (let n = 2; n <= 170; n++) {
      factorial *= n
      expectClose(logGamma(n + 1), Math.log(factorial), 1e-14)
    }
  })

  it('increases by log x from x to x + 1', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 1000, noNaN: true }), x => {
        expect(logGamma(x + 1) - logGamma(x)).toBeCloseTo(Math.log(x), 10)
      }),
    )
  })

  it.each([...NOT_NUMBERS, 0, -1, -0.5])('rejects %d', x => {
    expect(() => logGamma(x)).toThrow(RangeError)
  })
})
