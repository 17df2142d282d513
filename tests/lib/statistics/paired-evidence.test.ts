import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Clusters } from '../../../src/lib/statistics/means.ts'
import { bonettPrice, pairedDifference, pairedEvidence } from '../../../src/lib/statistics/paired.ts'
import { normalDistribution } from '../../support/distributions.ts'
import { examples } from '../../support/random-examples.ts'
import { NOT_NUMBERS } from './invalid-numbers.ts'
import { PAIRED_BINARY } from './vectors/paired-binary.ts'

const binary = { isBinary: true, margin: 0 }
const scores = { isBinary: false, margin: 0 }

const margins = fc.oneof(fc.constantFrom(0, 0.05, 1), fc.double({ min: 0, max: 1, noNaN: true }))
const values = fc.oneof(
  fc.constantFrom(-1, 0, 1),
  fc.constantFrom(-0.1, -0.1, 0.2),
  fc.double({ min: -1, max: 1, noNaN: true }),
)
const samples = fc
  .array(fc.tuple(values, fc.constantFrom('a', 'b', 'c', undefined)), { minLength: 1, maxLength: 30 })
  .map(pairs => ({ differences: pairs.map(([value]) => value), clusters: pairs.map(([, name]) => name) }))

function pairs(improved: number, worse: number, all: number): number[] {
  return Array.from({ length: all }, (_, index) => (index < improved ? 1 : index < improved + worse ? -1 : 0))
}

describe('evidence of one binary trial on each side', () => {
  it.each(PAIRED_BINARY)('%d better and %d worse of %d', (improved, worse, all, p, mean, low, high) => {
    const evidence = pairedEvidence(pairs(improved, worse, all), binary)
    expect(evidence.method).toBe('mid-p McNemar')
    expect(evidence.mean).toBeCloseTo(mean, 9)
    expect(evidence.p).toBeCloseTo(p, 11)
    expect(evidence.pOfMargin).toBe(evidence.p)
    expect(evidence.interval?.low).toBeCloseTo(low, 9)
    expect(evidence.interval?.high).toBeCloseTo(high, 9)
  })

  it('has a p for the margin: the probability of such a loss if the true loss is the margin', () => {
    const { pOfMargin, standardError } = pairedEvidence(pairs(3, 12, 50), { ...binary, margin: 0.05 })
    // a = 4/52, b = 13/52.
    expect(standardError).toBeCloseTo(Math.sqrt((17 / 52 - (9 / 52) ** 2) / 52), 13)
    expect(pOfMargin).toBeCloseTo(2 * normalDistribution((-9 / 52 + 0.05) / standardError), 12)
  })

  it('has no smaller p with a margin than without', () => {
    const { p, pOfMargin } = pairedEvidence([-1, -1, -1, -1], { ...binary, margin: 0.05 })
    expect([p, pOfMargin]).toEqual([expect.closeTo(1 / 16, 14), expect.closeTo(1 / 16, 14)])
  })

  it('has an interval and a p of a single pair', () => {
    const { mean, p, interval } = pairedEvidence([-1], { ...binary, clusters: [undefined] })
    expect([mean, p]).toEqual([-1, expect.closeTo(0.5, 14)])
    expect(interval?.low).toBe(-1)
    expect(interval?.high).toBeGreaterThan(0)
  })
})

describe('evidence of scores', () => {
  it('is the paired t test, also with clusters', () => {
    fc.assert(
      fc.property(samples, ({ differences, clusters }) => {
        const student = pairedDifference(differences, { clusters })
        fc.pre((student.standardError ?? 0) > 1e-9)
        const evidence = pairedEvidence(differences, { ...scores, clusters })
        fc.pre(evidence.method !== 'sign test')
        expect(evidence).toMatchObject({ mean: student.mean, standardError: student.standardError, p: student.p })
        expect([evidence.method, evidence.pOfMargin]).toEqual(['paired t', student.p])
        expect(evidence.interval?.low).toBe(Math.max(-1, student.interval?.low ?? -2))
        expect(evidence.interval?.high).toBe(Math.min(1, student.interval?.high ?? 2))
      }),
    )
  })

  it('has a p for the margin that equals the p of the shifted differences', () => {
    fc.assert(
      fc.property(samples, margins, ({ differences, clusters }, margin) => {
        const shifted = pairedDifference(
          differences.map(difference => difference + margin),
          { clusters },
        )
        fc.pre((pairedDifference(differences, { clusters }).standardError ?? 0) > 1e-6)
        const { pOfMargin, method } = pairedEvidence(differences, { clusters, isBinary: false, margin })
        fc.pre(method !== 'sign test')
        expect(pOfMargin).toBeCloseTo(shifted.p ?? -1, 6)
      }),
    )
  })

  it('has an interval within ±1', () => {
    expect(pairedEvidence([1, 0.5, -1], scores).interval).toEqual({ low: -1, high: 1 })
  })
})

describe('evidence of differences of equal size', () => {
  it('is the mid-p test of their signs, with the Bonett–Price interval times the size', () => {
    const differences = [-0.1, -0.1, 0.8 - 0.9, 0.2 - 0.3]
    const { centre, standardError, interval } = bonettPrice([-1, -1, -1, -1])
    const evidence = pairedEvidence(differences, scores)
    expect(evidence).toMatchObject({ p: expect.closeTo(1 / 16, 12), method: 'sign test' })
    expect(evidence.mean).toBeCloseTo(-0.1, 12)
    expect(evidence.standardError).toBeCloseTo(0.1 * standardError, 12)
    expect(evidence.interval?.low).toBeCloseTo(0.1 * interval.low, 12)
    expect(evidence.interval?.high).toBeCloseTo(0.1 * interval.high, 12)
    expect(evidence.pOfMargin).toBe(evidence.p)
    expect(pairedEvidence(differences, { ...scores, margin: 0.08 }).pOfMargin).toBeCloseTo(
      2 * normalDistribution(-Math.abs(0.1 * centre + 0.08) / (0.1 * standardError)),
      12,
    )
  })

  it('detects a loss of 0.1 in 20 of 20 tests, as in 19', () => {
    const lost = (count: number) =>
      pairedEvidence(
        Array.from({ length: 20 }, (_, index) => (index < count ? -0.1 : 0)),
        scores,
      )
    expect([lost(19).p, lost(20).p]).toEqual([expect.closeTo(2 ** -19, 12), expect.closeTo(2 ** -20, 12)])
    expect(lost(20).interval?.high).toBeLessThan(-0.05)
  })

  it('has no larger p if one more test is worse by the same size', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 40 }),
        fc.nat(39),
        fc.double({ min: 1e-4, max: 1, noNaN: true }),
        (tests, worse, size) => {
          fc.pre(worse < tests)
          const p = (count: number) =>
            pairedEvidence(
              Array.from({ length: tests }, (_, index) => (index < count ? -size : 0)),
              scores,
            ).p
          expect(p(worse + 1)).toBeLessThanOrEqual(p(worse) ?? 0)
        },
      ),
    )
  })

  it('is the paired t test if sizes differ', () => {
    expect(pairedEvidence([-0.1, -0.1, 0, 0.2], scores).method).toBe('paired t')
    expect(pairedEvidence([-0.1, 0.1, 0, 0.1], scores).method).toBe('sign test')
  })

  it('has p = 1 and an interval around 0 if nothing differs', () => {
    const { mean, p, pOfMargin, interval } = pairedEvidence([0, 0, 0, 0], scores)
    expect([mean, p, pOfMargin]).toEqual([0, 1, 1])
    expect(interval?.low).toBe(-(interval?.high ?? 0))
    expect(interval?.high).toBeGreaterThan(0.3)
  })

  it('in clusters counts the clusters', () => {
    const differences = new Array<number>(40).fill(-0.5)
    const clusters = differences.map((_, index) => (index < 20 ? 'a' : 'b'))
    const { standardError, interval, p } = pairedEvidence(differences, { ...scores, clusters })
    const two = bonettPrice([-1, -1])
    expect(standardError).toBeCloseTo(two.standardError / 2, 12)
    expect(interval?.high).toBeCloseTo(two.interval.high / 2, 12)
    expect(p).toBeCloseTo(1 / 4, 12)
    expect(pairedEvidence(differences, scores).p).toBeLessThan(0.001)
  })

  it('in clusters whose sums are equal counts the clusters too', () => {
    const evidence = pairedEvidence([-0.4, 0, -0.4, 0, 0, -0.4], {
      ...scores,
      clusters: ['a', 'a', 'b', 'b', 'c', 'c'],
    })
    expect(evidence).toMatchObject({ method: 'sign test', p: expect.closeTo(1 / 8, 12) })
    expect(evidence.interval?.high).toBeCloseTo(0.2 * bonettPrice([-1, -1, -1]).interval.high, 12)
  })

  it('treats differences that differ only by rounding as equal', () => {
    const differences = new Array<number>(10_000).fill(0.5)
    differences[0] = 0.5 + 1e-11
    expect(pairedDifference(differences).standardError).toBeGreaterThan(0)
    const { interval } = bonettPrice(differences.map(() => 1))
    expect(pairedEvidence(differences, scores).interval?.low).toBeCloseTo(interval.low / 2, 9)
  })
})

describe('evidence of one cluster', () => {
  it.each<[readonly number[], Clusters | undefined]>([
    [[0.5], undefined],
    [[-1], ['a']],
    [
      [0.5, 0.25, 0],
      ['a', 'a', 'a'],
    ],
  ])('%j in %j has neither an interval nor a p', (differences, clusters) => {
    expect(pairedEvidence(differences, { isBinary: false, clusters, margin: 0.1 })).toEqual({
      mean: expect.closeTo(differences.reduce((sum, value) => sum + value, 0) / differences.length, 14),
      standardError: bonettPrice(differences, clusters).standardError,
      interval: undefined,
      p: undefined,
      pOfMargin: undefined,
      method: 'paired t',
    })
  })
})

describe('for any differences', () => {
  it('the interval contains the mean, has a width and is within ±1, and p is a probability', () => {
    fc.assert(
      fc.property(samples, margins, ({ differences, clusters }, margin) => {
        const { mean, interval, p, pOfMargin, standardError } = pairedEvidence(differences, {
          clusters,
          isBinary: false,
          margin,
        })
        expect(standardError).toBeGreaterThan(0)
        expect([interval, p, pOfMargin].map(value => value === undefined)).toEqual(new Array(3).fill(!interval))
        const { low, high } = interval ?? { low: -1, high: 1 }
        expect(-1 <= low && low <= mean && mean <= high && high <= 1 && low < high).toBe(true)
        for (const chance of [p ?? 0, pOfMargin ?? 0]) expect(chance >= 0 && chance <= 1).toBe(true)
      }),
      { numRuns: examples(500) },
    )
  })

  it('neither the order nor the names of clusters matter', () => {
    fc.assert(
      fc.property(samples, margins, ({ differences, clusters }, margin) => {
        const options = { isBinary: false, margin }
        const renamed = clusters.map(name => name && `x${name}`).toReversed()
        expect(pairedEvidence(differences.toReversed(), { ...options, clusters: renamed })).toEqual(
          pairedEvidence(differences, { ...options, clusters }),
        )
      }),
    )
  })
})

describe('invalid arguments', () => {
  it.each([binary, scores])('rejects an empty list and clusters of a different length: %j', options => {
    expect(() => pairedEvidence([], options)).toThrow(new RangeError('There are no numbers.'))
    expect(() => pairedEvidence([0.5, 0], { ...options, clusters: ['a'] })).toThrow(RangeError)
  })

  it.each([...NOT_NUMBERS, -1.01, 1.01])('rejects the difference %d', value => {
    expect(() => pairedEvidence([0, value], scores)).toThrow(RangeError)
    expect(() => pairedEvidence([0, value], binary)).toThrow(RangeError)
  })

  it.each([...NOT_NUMBERS, -0.01, 1.01])('rejects %d as the margin', margin => {
    expect(() => pairedEvidence([0, 1], { isBinary: true, margin })).toThrow(RangeError)
    expect(() => pairedEvidence([0, 1], { isBinary: false, margin })).toThrow(RangeError)
  })

  it('rejects scores and clusters as binary', () => {
    expect(() => pairedEvidence([0.5], binary)).toThrow(new RangeError('A binary difference is −1, 0 or 1: 0.5.'))
    expect(() => pairedEvidence([1, 0], { ...binary, clusters: ['a', undefined] })).toThrow(
      new RangeError('Binary differences have no clusters.'),
    )
  })
})
