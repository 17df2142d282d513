import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Clusters, clusterSizes, kishSize, standardError } from '../../../src/lib/statistics/means.ts'
import { expectClose } from './expect-close.ts'

const clustered = fc
  .array(fc.tuple(fc.double({ min: -1, max: 1, noNaN: true }), fc.constantFrom('a', 'b', 'c', 'd', undefined)), {
    minLength: 2,
    maxLength: 40,
  })
  .map(pairs => ({ values: pairs.map(([value]) => value), clusters: pairs.map(([, cluster]) => cluster) }))

/** Cluster labels for these sizes. */
const clustersOf = (...sizes: number[]): Clusters => sizes.flatMap((size, c) => new Array<string>(size).fill(`c${c}`))

describe('the standard error of clusters of different sizes', () => {
  // CR2 computed by its matrices with numpy 2: A = (I − H)^−½ for each cluster, and the eigenvalues of its quadratic form.
  it.each([
    [[1, 2, 3, 6], ['a', undefined, 'a', undefined], 1.1547005383792515, 1.8],
    [[0.5, 0.25, 0, -0.25, 1, 0.75, 0.125], [...'aabbccd'], 0.2422260708259024, 2.7777777777777786],
    [[0.5, -0.25, 0, -0.25, 1, 0.75, 0.125, -0.5], [...'aaaaabbc'], 0.12151006106687705, 1.465116279069768],
  ])('of %j in %j', (values, clusters, error, df) => {
    const actual = standardError(values, clusters)
    expect(actual?.standardError).toBeCloseTo(error, 13)
    expect(actual?.df).toBeCloseTo(df, 13)
  })

  it('has the degrees of freedom of the explicit formula', () => {
    fc.assert(
      fc.property(clustered, ({ values, clusters }) => {
        const { df } = standardError(values, clusters) ?? {}
        if (df !== undefined) expectClose(df, degreesOf(clusterSizes(clusters)), 1e-12)
        else expect(clusterSizes(clusters)).toHaveLength(1)
      }),
    )
  })

  it('equals the explicit formula over clusters', () => {
    fc.assert(
      fc.property(clustered, ({ values, clusters }) => {
        const n = values.length
        const average = values.reduce((sum, value) => sum + value, 0) / n
        const distances = new Map<string | number, number[]>()
        for (const [index, value] of values.entries()) {
          const key = clusters[index] ?? index
          distances.set(key, [...(distances.get(key) ?? []), value - average])
        }
        fc.pre(distances.size > 1)
        let squares = 0
        for (const of of distances.values()) {
          squares += of.reduce((sum, distance) => sum + distance, 0) ** 2 / (1 - of.length / n)
        }
        expect(standardError(values, clusters)?.standardError).toBeCloseTo(Math.sqrt(squares) / n, 9)
      }),
    )
  })

  it('has at least one degree of freedom, and fewer than the number of clusters', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 2, maxLength: 12 }), sizes => {
        const clusters = clustersOf(...sizes)
        const { df = 0 } =
          standardError(
            clusters.map((_, index) => index % 2),
            clusters,
          ) ?? {}
        expect(df >= 1 && df <= sizes.length - 1).toBe(true)
        if (new Set(sizes).size === 1) expect(df).toBe(sizes.length - 1)
      }),
    )
  })

  it.each([
    [1, 1],
    [1, 1000],
    [3, 50_000],
  ])('of two clusters, of %d and of %d, has one degree of freedom', (one, other) => {
    const clusters = clustersOf(one, other)
    const { df } =
      standardError(
        clusters.map((_, index) => index % 3),
        clusters,
      ) ?? {}
    expect(df).toBeCloseTo(1, 12)
    expect(df).toBeGreaterThanOrEqual(1)
  })

  it('depends neither on the order of the values nor on the names of the clusters', () => {
    const shuffled = clustered.chain(({ values, clusters }) => {
      const indexes = values.map((_, index) => index)
      return fc.tuple(fc.constant({ values, clusters }), fc.shuffledSubarray(indexes, { minLength: indexes.length }))
    })
    fc.assert(
      fc.property(shuffled, ([{ values, clusters }, order]) => {
        const renamed = order.map(index => clusters[index] && `alone ${clusters[index]}`)
        const again = standardError(
          order.map(index => values[index] ?? 0),
          renamed,
        )
        expect(again).toEqual(standardError(values, clusters))
      }),
    )
  })
})

describe('the Kish size', () => {
  it.each([
    [['a', 'a', 'a'], 1],
    [[undefined, undefined, undefined], 3],
    [['a', 'b', 'c'], 3],
    [clustersOf(4, 4, 4, 4, 4), 5],
    [[...clustersOf(8), ...new Array(10).fill(undefined)], 18 ** 2 / 74],
    [[...clustersOf(40), ...new Array(40).fill(undefined)], 80 ** 2 / 1640],
    [['alone 1', undefined, 'alone 1'], 9 / 5],
  ])('of %j', (clusters: Clusters, size) => {
    expect(kishSize(clusters)).toBeCloseTo(size, 14)
  })

  it('is between 1 and the number of clusters', () => {
    fc.assert(
      fc.property(clustered, ({ clusters }) => {
        const size = kishSize(clusters)
        expect(size >= 1 && size <= clusterSizes(clusters).length).toBe(true)
      }),
    )
  })

  it('rejects an empty list', () => {
    expect(() => kishSize([])).toThrow(new RangeError('There are no clusters.'))
  })
})

function degreesOf(sizes: readonly number[]): number {
  const n = sizes.reduce((sum, size) => sum + size, 0)
  const weight = (size: number) => 1 / (1 - size / n)
  let below = 0
  for (const [c, one] of sizes.entries()) {
    for (const [d, other] of sizes.entries()) {
      below += c === d ? one ** 2 : (weight(one) * weight(other) * one ** 2 * other ** 2) / n ** 2
    }
  }
  return n ** 2 / below
}
