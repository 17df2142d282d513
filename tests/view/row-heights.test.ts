import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RowHeights } from '../../src/view/row-heights.ts'

describe('the heights of rows', () => {
  it('finds the row at each position, and where each begins', () => {
    const heights = new RowHeights(4, index => (index === 1 ? 30 : 10))
    expect([0, 1, 2, 3, 4].map(index => heights.top(index))).toEqual([0, 10, 40, 50, 60])
    expect([-5, 0, 9, 10, 39, 40, 59, 60, 999].map(position => heights.indexAt(position))).toEqual([
      ...[0, 0, 0, 1, 1, 2, 3, 3, 3],
    ])
  })

  it('uses measured heights in place of estimates', () => {
    const heights = new RowHeights(3, () => 10)
    expect([heights.measure(1, 25), heights.measure(1, 25.2), heights.total]).toEqual([15, 0, 45])
    expect(heights.between(0, 26, 0)).toEqual({ first: 0, end: 2 })
    expect(heights.between(20, 26, 5)).toEqual({ first: 0, end: 3 })
  })

  it('has no rows in an empty table', () => {
    const heights = new RowHeights(0, () => 10)
    expect([heights.total, heights.between(0, 900, 8)]).toEqual([0, { first: 0, end: 0 }])
  })

  it('draws every row of the visible part', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(sizes, fc.nat({ max: 3000 }), fc.nat({ max: 900 }), (rows, from, height) => {
        const heights = new RowHeights(rows.length, index => rows[index] ?? 0)
        const { first, end } = heights.between(from, from + height, 0)
        const visible = rows.flatMap((_, index) =>
          heights.top(index) < from + height && heights.top(index + 1) > from ? [index] : [],
        )
        expect(visible.filter(index => index < first || index >= end)).toEqual([])
      }),
    )
  })
})
