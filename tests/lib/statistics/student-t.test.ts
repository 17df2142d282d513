import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalQuantile, studentQuantile, studentTwoSidedP } from '../../../src/lib/statistics/distributions.ts'
import { studentDistribution } from '../../support/distributions.ts'
import { examples } from '../../support/random-examples.ts'
import { expectClose } from './expect-close.ts'
import { NOT_INSIDE, NOT_NUMBERS } from './invalid-numbers.ts'
import { QUANTILES, TWO_SIDED } from './vectors/student-t.ts'

const degrees = fc.oneof(
  fc.integer({ min: 1, max: 1_000_000 }),
  fc.double({ min: 1, max: 50, noNaN: true }),
  fc.double({ min: 1, max: 1e6, noNaN: true }),
)
const NOT_DEGREES = [...NOT_NUMBERS, -1, 0, 0.5] as const

describe.each(TWO_SIDED)('Student t with %d degrees of freedom', (df, ps) => {
  it.each(ps)('beyond %d on both sides', (t, p) => {
    expectClose(studentTwoSidedP(t, df), p, 1e-11)
    expect(studentTwoSidedP(-t, df)).toBe(studentTwoSidedP(t, df))
  })

  it.each(ps)('below %d, and below its negative', (t, p) => {
    expectClose(studentDistribution(-t, df), p / 2, 1e-11)
    expectClose(studentDistribution(t, df), 1 - p / 2, 1e-11)
  })
})

describe.each(QUANTILES)('the quantiles of Student t with %d degrees of freedom', (df, ts) => {
  it.each(ts)('of %d', (p, t) => {
    expectClose(studentQuantile(p, df), t, 1e-11)
  })
})

describe('extreme values of Student t', () => {
  it.each([1, 1.5, 7, 1e6])('is symmetric around 0 with %d degrees of freedom', df => {
    expect(studentDistribution(0, df)).toBe(0.5)
    expect(studentTwoSidedP(0, df)).toBe(1)
    expect(studentQuantile(0.5, df)).toBe(0)
  })

  it.each([1e100, 1e160, Number.MAX_VALUE])('has almost no probability beyond %d', t => {
    expect(studentTwoSidedP(t, 1)).toBeLessThan(1e-99)
    expect(studentTwoSidedP(t, 1)).toBeGreaterThanOrEqual(0)
    expect(studentTwoSidedP(t, 1e6)).toBe(0)
    expect(studentDistribution(t, 1)).toBe(1)
  })

  it.each([1e15, 1e160, 1e300, Number.MAX_VALUE])(
    'has almost all probability beyond a tiny t, with %d degrees of freedom',
    df => {
      for (const t of [1e-300, 1e-20, 1e-19, 1e-10]) expectClose(studentTwoSidedP(t, df), 1, 1e-9)
    },
  )

  it.each([1e7, 1e10, 1e15, 1e100, 1e300])('is the normal distribution with %d degrees of freedom', df => {
    expectClose(studentQuantile(0.975, df), normalQuantile(0.975), 1e-6)
    expectClose(studentQuantile(1e-12, df), normalQuantile(1e-12), 1e-5)
  })

  // The density, integrated with mpmath 1.3 to 60 digits.
  it.each([
    [2, 1e8, 0.04550026659590675],
    [7.5, 1e8, 6.381835607835293e-14],
    [2, 1e10, 0.0455002639233539],
    [7.5, 1e10, 6.381783868440002e-14],
    [2, 1e14, 0.045500263896361116],
    [7.5, 1e14, 6.381783345874054e-14],
  ])('beyond %d with %d degrees of freedom', (t, df, p) => {
    expectClose(studentTwoSidedP(t, df), p, 1e-11)
  })

  it.each([1e-100, 1e-50, 1 - 2 ** -53, 0.5 + 2 ** -52, 0.5 - 2 ** -53])('has a quantile of %d', p => {
    for (const df of [1, 3, 1000]) expectClose(studentDistribution(studentQuantile(p, df), df), p, 1e-9)
  })
})

describe('for any probability', () => {
  it('the quantile and the distribution of Student t are inverse', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-12, max: 1 - 1e-12, noNaN: true }), degrees, (p, df) => {
        expectClose(studentDistribution(studentQuantile(p, df), df), p, 1e-10)
      }),
      { numRuns: examples(500) },
    )
  })

  it('the quantile of 1 − p is the negative quantile of p', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4095 }), degrees, (part, df) => {
        expect(studentQuantile(part / 4096, df) + studentQuantile(1 - part / 4096, df)).toBe(0)
      }),
    )
  })

  it('Student t has heavier tails than the normal distribution', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.6, max: 1 - 1e-9, noNaN: true }), degrees, (p, df) => {
        expect(studentQuantile(p, df)).toBeGreaterThan(normalQuantile(p))
      }),
    )
  })
})

describe('invalid arguments', () => {
  it.each(NOT_NUMBERS)('rejects %d as t', t => {
    expect(() => studentDistribution(t, 3)).toThrow(RangeError)
    expect(() => studentTwoSidedP(t, 3)).toThrow(RangeError)
  })

  it.each(NOT_DEGREES)('rejects %d degrees of freedom', df => {
    expect(() => studentDistribution(1, df)).toThrow(RangeError)
    expect(() => studentTwoSidedP(1, df)).toThrow(RangeError)
    expect(() => studentQuantile(0.9, df)).toThrow(RangeError)
  })

  it.each([...NOT_INSIDE, 1e-101])('rejects the quantile of %d', p => {
    expect(() => studentQuantile(p, 3)).toThrow(RangeError)
  })
})
