import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ComparisonVerdict } from '../../../src/report/compare/analysis.ts'
import { evaluateCompareGate } from '../../../src/report/compare/compare-gate.ts'
import type { Evidence } from '../../../src/report/compare/evidence.ts'
import { compared, type Scored } from './sides.ts'

const score = fc.option(fc.constantFrom(0, 0.25, 0.5, 0.8, 1), { nil: null, freq: 15 })
const whole = fc.constantFrom(0, 1)
const scored = fc.record({
  scores: fc.oneof(fc.tuple(whole), fc.array(score, { minLength: 1, maxLength: 4 })),
  test_hash: fc.constantFrom('same', 'same', 'same', 'other'),
  metadata: fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    fc.nat(3).map(cluster => ({ cluster })),
  ),
})
type Tests = Record<string, Exclude<Scored, readonly unknown[]>>
const sideOf = (test: fc.Arbitrary<Tests[string]>): fc.Arbitrary<Tests> =>
  fc.dictionary(
    fc.nat(25).map(index => `t${index}`),
    test,
    { minKeys: 1, maxKeys: 26, noNullPrototype: true },
  )
const side = sideOf(scored)
const margin = fc.constantFrom(0, 0.05, 0.2)

const GATES = { fail_on_regression: true, fail_on_new_failures: false, require_conclusive: false }
const NO_GAPS = { unfinished_runs: [], partial_runs: [], missing_targets: [] }
const fails = (before: Tests, after: Tests, margin = 0) =>
  evaluateCompareGate([compared(before, after, margin)], NO_GAPS, GATES).result === 'failed'

function expectFit(verdict: ComparisonVerdict, evidence: Evidence | undefined, margin: number): void {
  const { low = -1, high = 1 } = evidence?.interval ?? {}
  expect(low >= -1 && high <= 1 && low < high).toBe(true)
  if (evidence?.interval) expect(low <= evidence.mean && evidence.mean <= high).toBe(true)
  if (verdict === 'worse') expect(high).toBeLessThan(-margin)
  if (verdict === 'better') expect(low).toBeGreaterThan(0)
  if (verdict === 'equivalent') expect(Math.max(-low, high)).toBeLessThanOrEqual(margin)
}

describe('for any outcomes', () => {
  it('swapping the sides flips the sign and the verdict', () => {
    const other = { better: 'worse', worse: 'better', equivalent: 'equivalent', inconclusive: 'inconclusive' }
    fc.assert(
      fc.property(side, side, (a, b) => {
        const there = compared(a, b)
        const back = compared(b, a)
        expect(back.verdict).toBe(other[there.verdict])
        expect(back.evidence?.mean ?? 0).toBeCloseTo(-(there.evidence?.mean ?? 0), 12)
        expect(back.evidence?.interval?.low ?? 0).toBeCloseTo(-(there.evidence?.interval?.high ?? 0), 12)
        expect(back.evidence?.p ?? 2).toBeCloseTo(there.evidence?.p ?? 2, 12)
        expect([back.new, back.gone]).toEqual([there.gone, there.new])
        expect([back.broke.length, back.mended.length]).toEqual([there.mended.length, there.broke.length])
      }),
    )
  })

  it('the order of tests changes nothing', () => {
    const orders = fc.tuple(side, side, margin, fc.infiniteStream(fc.nat()))
    fc.assert(
      fc.property(orders, ([a, b, margin, random]) => {
        const shuffled = (tests: Tests) =>
          Object.fromEntries(
            Object.entries(tests)
              .map(entry => ({ entry, place: random.next().value ?? 0 }))
              .sort((one, two) => one.place - two.place)
              .map(({ entry }) => entry),
          )
        const { verdict, evidence, adjusted_p, without_errors, errors, broke } = compared(a, b, margin)
        const other = compared(shuffled(a), shuffled(b), margin)
        expect(other).toMatchObject({ verdict, errors })
        for (const [one, two] of [
          [other.evidence?.mean, evidence?.mean],
          [other.evidence?.interval?.low, evidence?.interval?.low],
          [other.adjusted_p, adjusted_p],
          [other.without_errors?.adjusted_p, without_errors?.adjusted_p],
        ])
          expect(one ?? 2).toBeCloseTo(two ?? 2, 12)
        expect(other.broke.map(({ test_id }) => test_id).sort()).toEqual(broke.map(({ test_id }) => test_id).sort())
      }),
    )
  })

  it('a run compared with itself has a difference of 0, an interval around it, and no verdict', () => {
    fc.assert(
      fc.property(side, margin, (a, margin) => {
        const { verdict, evidence, pairs, new: added, gone, changed } = compared(a, a, margin)
        expect([evidence?.mean ?? 0, added, gone, changed]).toEqual([0, [], [], []])
        expect(verdict === 'inconclusive' || (margin > 0 && verdict === 'equivalent')).toBe(true)
        const { low, high } = evidence?.interval ?? { low: -1, high: 1 }
        expect(low < 0 && high > 0).toBe(true)
        expect(pairs.every(({ difference }) => difference === 0)).toBe(true)
      }),
    )
  })

  it('intervals contain the estimate; worse is below the margin, better above 0', () => {
    fc.assert(
      fc.property(side, side, margin, (a, b, margin) => {
        const comparison = compared(a, b, margin)
        expectFit(comparison.value_verdict, comparison.evidence, margin)
        expectFit(comparison.pass_verdict, comparison.pass_evidence, margin)
        if (comparison.verdict !== 'inconclusive') expect(comparison.needed).toBeUndefined()
      }),
    )
  })

  it('every test appears exactly once', () => {
    fc.assert(
      fc.property(side, side, (a, b) => {
        const { pairs, new: added, gone, changed } = compared(a, b)
        const ids = [pairs, added, gone, changed].flatMap(tests => tests.map(({ test_id }) => test_id))
        expect(ids.sort()).toEqual([...new Set([...Object.keys(a), ...Object.keys(b)])].sort())
      }),
    )
  })
})

describe('more errors on the second side', () => {
  const unchanged = (scores: fc.Arbitrary<(number | null)[]>) =>
    sideOf(fc.record({ scores, test_hash: fc.constant('same') }))
  /** Turns the first answered attempts of the second side into errors. */
  const withErrors = (tests: Tests, count: number): Tests => {
    let left = count
    const spoil = (each: number | null) => (each !== null && left-- > 0 ? null : each)
    return Object.fromEntries(
      Object.entries(tests).map(([id, test]) => [id, { ...test, scores: test.scores.map(spoil) }]),
    )
  }

  it('never turn a failed gate into a passed one for binary results', () => {
    const single = unchanged(fc.tuple(fc.option(whole, { nil: null, freq: 4 })))
    fc.assert(
      fc.property(single, single, fc.integer({ min: 1, max: 8 }), (a, b, count) => {
        if (fails(a, b)) expect(fails(a, withErrors(b, count))).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  it('never pass a gate if the first side has none', () => {
    const answered = unchanged(fc.array(fc.constantFrom(0, 0.25, 0.5, 0.8, 1), { minLength: 1, maxLength: 4 }))
    fc.assert(
      fc.property(answered, fc.integer({ min: 1, max: 8 }), margin, (a, count, margin) => {
        expect(fails(a, withErrors(a, count), margin)).toBe(true)
      }),
    )
  })
})
