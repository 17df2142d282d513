import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clusterShare } from '../../../src/lib/statistics/cluster-share.ts'
import { boundedMean } from '../../../src/lib/statistics/intervals.ts'

/** Clusters of answers, each 0 or 1. */
const clusters = fc.array(fc.array(fc.nat(1), { minLength: 1, maxLength: 5 }), { minLength: 2, maxLength: 12 })

const partsOf = (answers: readonly (readonly number[])[], scale = 1) =>
  answers.map((each, index) => ({
    cluster: String(index),
    size: each.length * scale,
    hits: each.reduce((sum, value) => sum + value, 0) * scale,
    answers: each.length,
  }))

describe('clusterShare', () => {
  it('equals the mean of all answers with its clusters', () => {
    fc.assert(
      fc.property(clusters, answers => {
        const keys = answers.flatMap((each, index) => each.map(() => (each.length > 1 ? String(index) : undefined)))
        const expected = boundedMean(answers.flat(), { clusters: keys, isRate: true })
        const found = clusterShare(partsOf(answers))
        expect(found?.share).toBeCloseTo(expected.mean, 12)
        expect(found?.interval?.low).toBeCloseTo(expected.interval?.low ?? Number.NaN, 9)
        expect(found?.interval?.high).toBeCloseTo(expected.interval?.high ?? Number.NaN, 9)
      }),
    )
  })

  it('does not depend on the unit of the sizes, or on the order', () => {
    fc.assert(
      fc.property(clusters, fc.double({ min: 0.1, max: 10, noNaN: true }), (answers, scale) => {
        const plain = clusterShare(partsOf(answers))
        const scaled = clusterShare(partsOf(answers, scale).toReversed())
        expect(scaled?.share).toBeCloseTo(plain?.share ?? Number.NaN, 9)
        expect(scaled?.interval?.low).toBeCloseTo(plain?.interval?.low ?? Number.NaN, 6)
      }),
    )
  })

  it('has no interval for one cluster, and nothing without a size', () => {
    const part = { cluster: 'a', size: 1, hits: 1, answers: 3 }
    expect(clusterShare([part, part])).toEqual({ share: 1, interval: undefined })
    expect(clusterShare([])).toBeUndefined()
    expect(clusterShare([{ ...part, size: 0, hits: 0 }])).toBeUndefined()
  })
})
