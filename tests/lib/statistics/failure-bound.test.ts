import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { failureBound } from '../../../src/lib/statistics/intervals.ts'
import { expectClose } from './expect-close.ts'
import { NOT_NUMBERS } from './invalid-numbers.ts'

describe('the bound of the failure rate', () => {
  // Computed with mpmath 1.3: 1 − 0.05^(1/n).
  it.each([
    [1, 0.95],
    [2, 0.776393202250021],
    [4, 0.5271291954984121],
    [20, 0.1391083406682652],
    [100, 0.029513049607039935],
    [1e6, 2.9957277863525446e-6],
    [1e12, 2.995732273549504e-12],
  ])('of none in %d', (size, bound) => {
    expectClose(failureBound(size), bound, 1e-13)
  })

  it('is the rate at which 5 % of samples have no failure, also for a fractional size', () => {
    fc.assert(
      fc.property(fc.double({ min: 1, max: 1e4, noNaN: true }), size => {
        expectClose((1 - failureBound(size)) ** size, 0.05, 1e-10)
      }),
    )
  })

  it('is at most 3 in n', () => {
    for (let n = 1; n <= 1000; n++) expect(failureBound(n)).toBeLessThan(3 / n)
  })

  it.each([...NOT_NUMBERS, 0, -1])('rejects %d', size => {
    expect(() => failureBound(size)).toThrow(RangeError)
  })
})
