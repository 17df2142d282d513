import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimateMean } from '../../../src/lib/statistics/intervals.ts'
import { standardError } from '../../../src/lib/statistics/means.ts'
import { ratioOfMeans } from '../../../src/lib/statistics/ratio.ts'

const pairs = fc.array(
  fc.tuple(
    fc.double({ min: 0.1, max: 1000, noNaN: true }),
    fc.double({ min: 0, max: 1000, noNaN: true }),
    fc.constantFrom('a', 'b', 'c', undefined),
  ),
  { minLength: 2, maxLength: 30 },
)

describe('the ratio of two means', () => {
  it('has the interval of Fieller', () => {
    const { ratio, interval } = ratioOfMeans([10, 12, 9, 20, 14], [12, 13, 11, 22, 15]) ?? {}
    expect(ratio).toBeCloseTo(73 / 65, 12)
    // The roots of (ā − R·b̄)² = t²·Var(a − R·b)/5, by scipy's brentq.
    expect(interval?.low).toBeCloseTo(1.06430926387, 8)
    expect(interval?.high).toBeCloseTo(1.2334564771, 8)
  })

  it('is undefined if the mean that divides is 0', () => {
    expect(ratioOfMeans([0, 0], [1, 2])).toBeUndefined()
  })

  it('has no interval for one test or one cluster', () => {
    expect(ratioOfMeans([2], [3])).toEqual({ ratio: 1.5, interval: undefined })
    expect(ratioOfMeans([2, 2], [3, 5], { clusters: ['a', 'a'] })).toEqual({ ratio: 2, interval: undefined })
  })

  it('has no interval if the mean that divides may be 0', () => {
    expect(ratioOfMeans([0, 0, 0, 1], [1, 2, 3, 4])?.interval).toBeUndefined()
  })

  it('has 1 inside of its interval exactly if the mean difference has 0 inside of its own', () => {
    fc.assert(
      fc.property(pairs, values => {
        const [before, after] = [values.map(([first]) => first), values.map(([, second]) => second)]
        const clusters = values.map(([, , cluster]) => cluster)
        const { interval } = ratioOfMeans(before, after, { clusters }) ?? {}
        const difference = estimateMean(
          after.map((value, index) => value - (before[index] ?? 0)),
          { clusters },
        ).interval
        if (!interval || !difference) return
        const isAtEdge = [difference.low, difference.high].some(edge => Math.abs(edge) < 1e-6)
        if (isAtEdge || standardError(before, clusters)?.standardError === 0) return
        expect(interval.low <= 1 && interval.high >= 1).toBe(difference.low <= 0 && difference.high >= 0)
      }),
    )
  })

  it('does not depend on the unit', () => {
    fc.assert(
      fc.property(pairs, values => {
        const [before, after] = [values.map(([first]) => first), values.map(([, second]) => second)]
        const [one, other] = [
          ratioOfMeans(before, after),
          ratioOfMeans(
            before.map(v => v / 1024),
            after.map(v => v / 1024),
          ),
        ]
        expect(other?.ratio).toBeCloseTo(one?.ratio ?? Number.NaN, 9)
      }),
    )
  })
})
