import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cohensKappa } from '../../../src/lib/statistics/significance.ts'
import { NOT_COUNTS } from './invalid-numbers.ts'

const tables = fc.integer({ min: 1, max: 5 }).chain(size =>
  fc.array(fc.array(fc.oneof(fc.constant(0), fc.nat(50), fc.nat()), { minLength: size, maxLength: size }), {
    minLength: size,
    maxLength: size,
  }),
)

describe("Cohen's kappa", () => {
  it('of two judges', () => {
    const table = [
      [40, 9],
      [6, 45],
    ]
    expect(cohensKappa(table)).toBeCloseTo(0.69952, 5)
    // (100 · 85 − 5008) / (100² − 5008), by hand.
    expect(cohensKappa(table)).toBe(3492 / 4992)
  })

  // By hand: (n · agreed − expected) / (n² − expected).
  it.each([
    [
      [
        [20, 5],
        [10, 15],
      ],
      0.4,
    ],
    [
      [
        [0, 5],
        [5, 0],
      ],
      -1,
    ],
    [
      [
        [1, 1],
        [1, 1],
      ],
      0,
    ],
    [
      [
        [3, 0, 0],
        [0, 2, 0],
        [0, 0, 4],
      ],
      1,
    ],
    [
      [
        [5, 5],
        [0, 0],
      ],
      0,
    ],
  ])('of %j', (table, kappa) => {
    expect(cohensKappa(table)).toBe(kappa)
  })

  it.each([
    [[[7]]],
    [
      [
        [0, 0],
        [0, 7],
      ],
    ],
  ])('of %j is undefined, since chance would always agree', table => {
    expect(cohensKappa(table)).toBeUndefined()
  })

  it.each([
    [[]],
    [[[0]]],
    [
      [
        [0, 0],
        [0, 0],
      ],
    ],
  ])('of %j is undefined', table => {
    expect(cohensKappa(table)).toBeUndefined()
  })

  it('of counts whose squares are too large for a number', () => {
    const most = Number.MAX_SAFE_INTEGER
    expect(
      cohensKappa([
        [most, 1],
        [0, 0],
      ]),
    ).toBe(0)
    expect(
      cohensKappa([
        [most, 0],
        [0, most],
      ]),
    ).toBe(1)
  })

  it('is at most 1, equals 1 only for full agreement, and is undefined for a single category', () => {
    fc.assert(
      fc.property(tables, table => {
        const kappa = cohensKappa(table)
        const all = table.flat().reduce((sum, count) => sum + count, 0)
        const agreed = table.reduce((sum, row, index) => sum + (row[index] ?? 0), 0)
        const isOneWord = table.some((row, index) => row[index] === all)
        expect(kappa === undefined).toBe(isOneWord || all === 0)
        if (kappa === undefined) return
        expect(kappa >= -1 && kappa <= 1).toBe(true)
        if (agreed === all) expect(kappa).toBe(1)
        if (agreed < all && all < 1000) expect(kappa).toBeLessThan(1)
      }),
    )
  })

  it('is symmetric', () => {
    fc.assert(
      fc.property(tables, table => {
        const turned = table.map((_, index) => table.map(row => row[index] ?? 0))
        expect(cohensKappa(turned)).toBe(cohensKappa(table))
      }),
    )
  })

  it.each([[[[1, 2]]], [[[1, 2], [3]]], [[[1], [2]]], [[[]]]])('rejects %j, which is not square', table => {
    expect(() => cohensKappa(table)).toThrow(new RangeError('The table of counts must be square.'))
  })

  it.each(NOT_COUNTS)('rejects %d, which is not a count', count => {
    expect(() =>
      cohensKappa([
        [1, count],
        [2, 3],
      ]),
    ).toThrow(RangeError)
  })
})
