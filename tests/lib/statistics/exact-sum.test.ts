import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exactSum } from '../../../src/lib/statistics/means.ts'
import { examples } from '../../support/random-examples.ts'

/** Numbers of all magnitudes, so that most additions round. */
const numbers = fc.array(
  fc
    .tuple(fc.integer({ min: -(2 ** 53), max: 2 ** 53 }), fc.integer({ min: -60, max: 60 }))
    .map(([n, e]) => n * 2 ** e),
  { maxLength: 20 },
)

describe('an exact sum', () => {
  // Computed with math.fsum of Python.
  it.each([
    [[], 0],
    [[0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1], 1],
    [[1e100, 1, -1e100], 1],
    [[1, 2 ** -53], 1],
    [[1, 2 ** -53, 2 ** -106], 1 + 2 ** -52],
    [[-1, -(2 ** -53), -(2 ** -106)], -1 - 2 ** -52],
    [[1, 2 ** -53, -(2 ** -106)], 1],
    [[1 + 2 ** -52, 2 ** -53], 1 + 2 ** -51],
    [[1 + 2 ** -52, 2 ** -53, -(2 ** -106)], 1 + 2 ** -52],
  ])('of %j', (values, sum) => {
    expect(exactSum(values)).toBe(sum)
    expect(exactSum(values.toReversed())).toBe(sum)
  })

  it('equals exact arithmetic', () => {
    fc.assert(
      fc.property(numbers, values => {
        // Each is a multiple of 2⁻⁶⁰; the final division by a power of 2 is exact.
        const sum = values.reduce((total, value) => total + BigInt(value * 2 ** 60), 0n)
        expect(exactSum(values) === Number(sum) / 2 ** 60).toBe(true)
      }),
      { numRuns: examples(1000) },
    )
  })
})
