import { describe, expect, it } from 'vitest'
import { compareSides } from '../../../src/report/compare/comparison.ts'
import { checkResult } from '../../support/recorded-run.ts'
import { compared, crossing, type Scored, sideOf, singles, times } from './sides.ts'

const close = (p: number) => expect.closeTo(p, 12)

const GOOD = singles(times([40, 1]))
const BAD = singles(times([10, 0], [30, 1]))

describe('the verdict', () => {
  it('is worse for a real regression, and better the other way around', () => {
    expect(compared(GOOD, BAD)).toMatchObject({ verdict: 'worse', needed: undefined, evidence: { mean: -0.25 } })
    expect(compared(BAD, GOOD)).toMatchObject({ verdict: 'better', needed: undefined, evidence: { mean: 0.25 } })
  })

  it('is worse only beyond the margin, and equivalent if the whole interval is within it', () => {
    const { low, high } = compared(GOOD, BAD).evidence?.interval ?? expect.unreachable()
    expect([low, high]).toEqual([expect.closeTo(-0.3828, 4), expect.closeTo(-0.0934, 4)])
    expect([0.05, 0.09, 0.1, 0.38, 0.39].map(margin => compared(GOOD, BAD, margin).verdict)).toEqual([
      'worse',
      'worse',
      'inconclusive',
      'inconclusive',
      'equivalent',
    ])
  })

  it('is better regardless of the margin', () => {
    expect(compared(BAD, GOOD, 0.39).verdict).toBe('better')
  })

  it('is never equivalent without a margin', () => {
    expect(compared(GOOD, GOOD).verdict).toBe('inconclusive')
    expect(compared(GOOD, GOOD, 0.1).verdict).toBe('equivalent')
  })

  it('needs five tests that agree if results are binary', () => {
    const drop = (count: number) => compared(singles(times([6, 1])), singles(times([count, 0], [6 - count, 1])))
    expect([drop(4).verdict, drop(4).evidence?.p]).toEqual(['inconclusive', close(1 / 16)])
    expect([drop(5).verdict, drop(5).evidence?.p]).toEqual(['worse', close(1 / 32)])
  })

  it('needs six differing tests if scores are not binary', () => {
    const drop = (count: number) =>
      compared(singles(times([count, 0.7])), singles(times([count, 0.3]).map((score, index) => score + index / 100)))
    expect(drop(5).evidence?.p).toBeLessThan(0.0001)
    expect([drop(5).verdict, drop(6).verdict]).toEqual(['inconclusive', 'worse'])
  })

  it('is worse if a required check of weight 0 is missed in every test, with equal scores', () => {
    const result = checkResult({ score: 0, weight: 0, required: 0.8 })
    const missed = { verdict: 'fail' as const, evaluator_results: [result] }
    const all = times([30, 1])
    expect(
      compared(
        singles(all),
        singles(all, () => missed),
      ),
    ).toMatchObject({
      verdict: 'worse',
      evidence: { mean: -1 },
      before: { score: { mean: 1 } },
      after: { score: { mean: 1 } },
    })
  })
})

describe('the pass rate', () => {
  it('is worse if scores fall from 0.81 to 0.79 among others that vary', () => {
    const { before, after } = crossing(12)
    expect(compared(before, after)).toMatchObject({
      verdict: 'worse',
      value_verdict: 'inconclusive',
      pass_verdict: 'worse',
      pass_evidence: { mean: -0.3, test: 'mid-p McNemar', p: close(2 ** -12) },
    })
    expect(compared(after, before).verdict).toBe('better')
  })

  it('shares its evidence with the values if every attempt scores 0 or 1', () => {
    const trials = compared({ a: [1, 0, null], b: [1, 1, 1] }, { a: [0, 0, 1], b: [1, 1, 0] })
    for (const { evidence, pass_evidence } of [compared(GOOD, BAD), trials]) expect(pass_evidence).toBe(evidence)
  })

  it('is the share of passed attempts, tested with t for several attempts', () => {
    const before = { a: [0.9, 0.9], b: [0.9, 0.7], c: [0.9, 0.9] }
    const after = { a: [0.7, 0.7], b: [0.7, 0.7], c: [0.9, null] }
    expect(compared(before, after).pass_evidence).toMatchObject({ mean: close(-2 / 3), test: 'paired t' })
  })

  it('is adjusted together with the values (Holm) if enough tests differ for a verdict', () => {
    const adjusted = (count: number) => {
      const { before, after } = crossing(count)
      const { evidence, adjusted_p, pass_evidence, pass_adjusted_p } = compared(before, after)
      return [(adjusted_p ?? 0) / (evidence?.p ?? 1), (pass_adjusted_p ?? 0) / (pass_evidence?.p ?? 1)]
    }
    expect([adjusted(4), adjusted(5)]).toEqual([
      [1, 1],
      [1, 2],
    ])
  })

  it('keeps values equivalent if no pass differs, but not if passes may differ by more', () => {
    const [before, after] = [times([40, 0.9]), times([20, 0.91], [20, 0.889])]
    expect(compared(singles(before), singles(after), 0.02)).toMatchObject({
      verdict: 'equivalent',
      pass_verdict: 'inconclusive',
    })
    const one = compared(singles(before), singles([0.79, ...after.slice(1)]), 0.02)
    expect(one).toMatchObject({ verdict: 'inconclusive', value_verdict: 'equivalent' })
  })

  it('gives no verdict if it is worse and the values are better', () => {
    const before = singles(times([12, 0.81], [20, 0.1]))
    const after = singles([...times([12, 0.79]), ...Array.from({ length: 20 }, (_, index) => 0.3 + index / 100)])
    expect(compared(before, after)).toMatchObject({
      verdict: 'inconclusive',
      value_verdict: 'better',
      pass_verdict: 'worse',
    })
  })
})

describe('the statistical test', () => {
  it('is mid-p McNemar for single binary trials', () => {
    const { evidence } = compared(singles(times([8, 1], [2, 0], [10, 1])), singles(times([8, 0], [2, 1], [10, 1])))
    // 2·P(Bin(10, ½) ≤ 2) − P(Bin(10, ½) = 2) = (2·56 − 45) / 1024
    expect(evidence).toMatchObject({ test: 'mid-p McNemar', p: close(67 / 1024), assumed: 0, differing: 10 })
  })

  it('has a Bonett–Price interval with a width even if nothing differs', () => {
    const { interval } = compared(GOOD, GOOD).evidence ?? expect.unreachable()
    const half = 1.959964 * Math.sqrt(2 / 42 / 42)
    expect(interval).toEqual({ low: expect.closeTo(-half, 6), high: expect.closeTo(half, 6) })
  })

  it.each<[why: string, before: Record<string, Scored>, after: Record<string, Scored>]>([
    ['other scores', singles([1, 0, 0.5]), singles([0, 0.3, 0.5])],
    ['several trials', { a: [1, 1], b: [1, 1] }, { a: [0, 0], b: [1, 0] }],
    ['clusters', singles([1, 0], () => ({ metadata: { cluster: 'x' } })), singles([0, 0])],
  ])('is the paired t for %s', (_, before, after) => {
    expect(compared(before, after).evidence?.test).toBe('paired t')
  })

  it('is the sign test if all differences have the same size', () => {
    const drop = (count: number) => compared(singles(times([20, 0.9])), singles(times([count, 0.8], [20 - count, 0.9])))
    expect(drop(20)).toMatchObject({ verdict: 'worse', evidence: { test: 'sign test', p: close(2 ** -20) } })
    expect(drop(19).evidence?.p).toEqual(close(2 ** -19))
    // From 2/3 to 1/3 of three trials, and from 3/3 to 2/3.
    const thirds = compared({ a: [1, 1, 0], b: [1, 1, 1] }, { a: [1, 0, 0], b: [1, 1, 0] })
    expect(thirds.evidence).toMatchObject({ test: 'sign test', p: close(1 / 4) })
  })

  it('is the paired t test for differences .6, .4 and −.2', () => {
    const { evidence } = compared(singles([0.2, 0.3, 0.5]), singles([0.8, 0.7, 0.3]))
    expect(evidence?.mean).toBeCloseTo(0.26667, 5)
    expect(evidence?.p).toBeCloseTo(0.38279, 5)
    expect(evidence?.standard_error).toBeCloseTo(0.24037, 4)
    expect(evidence?.deviation).toBeCloseTo(0.24037 * Math.sqrt(3), 4)
  })

  it('adjusts the same p that decides', () => {
    const [first, second] = compareSides(
      [
        [sideOf('a', GOOD), sideOf('b', BAD)],
        [sideOf('a', GOOD), sideOf('c', GOOD)],
      ],
      0.05,
    )
    // Worse than the margin: p is tested against a loss of 0.05, which McNemar does not support.
    expect(first?.evidence).toMatchObject({ assumed: -0.05, test: 'Bonett–Price', p: expect.closeTo(0.0109, 3) })
    expect(first?.adjusted_p).toBe(2 * (first?.evidence?.p ?? 0))
    expect([second?.evidence?.p, second?.adjusted_p]).toEqual([1, 1])
  })
})

describe('different numbers of trials', () => {
  // One trial before, five after: a test with a pass rate of .95 is usually perfect in one trial, and often not in five.
  const before = singles(times([20, 1]))
  const after = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`t${index}`, index < 7 ? [1, 1, 0, 1, 1] : [1, 1, 1, 1, 1]]),
  )

  it('add a permutation test, and the larger p decides', () => {
    const { evidence, verdict } = compared(before, after)
    expect(evidence?.interval?.high).toBeLessThan(0)
    expect(evidence).toMatchObject({ test: 'permutation within tests', differing: 7 })
    // The one failure of each of 7 tests is in the single trial with probability 1/6; then it counts +1 instead of −0.2.
    expect(evidence?.p).toBeGreaterThan(0.2)
    expect(verdict).toBe('inconclusive')
  })

  it('keep the paired t test if its p is larger', () => {
    const broken = Object.fromEntries(Object.keys(after).map(id => [id, [0, 0, 0, 0, 0.1]]))
    expect(compared(before, broken)).toMatchObject({ verdict: 'worse' })
    // Differences of −1 and 0.4: t = 3/7 with one degree of freedom. A permutation is as far from 0 in two of three cases.
    const few = compared({ a: [1, 1], b: [0] }, { a: [0], b: [0.4] })
    expect(few.evidence).toMatchObject({ test: 'paired t', p: expect.closeTo(1 - (2 / Math.PI) * Math.atan(3 / 7), 9) })
  })
})

describe('clusters', () => {
  // Three tests in each of twelve conversations, of which some become worse as a whole.
  const scores = (worse: number) => Array.from({ length: 36 }, (_, index) => (index < worse * 3 ? 0.5 : 1))
  const half = (clustered: (index: number) => object) => {
    const { evidence } = compared(singles(scores(0), clustered), singles(scores(4), clustered))
    return (evidence?.interval?.high ?? 0) - (evidence?.mean ?? 0)
  }
  const cluster = (index: number) => Math.floor(index / 3)

  it('widen the interval, by conversation or by metadata.cluster', () => {
    const alone = half(() => ({}))
    const conversations = half(index => ({ conversation_id: `c${cluster(index)}` }))
    expect(conversations).toBeGreaterThan(alone * 1.5)
    expect(half(index => ({ metadata: { cluster: cluster(index) } }))).toBe(conversations)
  })

  it('are taken from either side', () => {
    const both = half(index => ({ metadata: { cluster: cluster(index) } }))
    const one = compared(
      singles(scores(0)),
      singles(scores(4), index => ({ metadata: { cluster: cluster(index) } })),
    )
    expect((one.evidence?.interval?.high ?? 0) - (one.evidence?.mean ?? 0)).toBe(both)
  })

  it('are joined if the sides name different ones', () => {
    const named = (names: readonly string[]) =>
      singles(times([4, 0.5]), index => ({ metadata: { cluster: names[index] } }))
    const pieces = (one: readonly string[], two: readonly string[]) => compared(named(one), named(two)).evidence?.pieces
    expect(pieces(['a', 'a', 'b', 'c'], ['x', 'y', 'y', 'z'])).toBe(2)
    expect(pieces(['x', 'y', 'y', 'z'], ['a', 'a', 'b', 'c'])).toBe(2)
  })

  it('are counted as pieces of evidence: five are too few, however many tests they have', () => {
    const clustered = (index: number) => ({ conversation_id: `c${cluster(index)}` })
    const drop = (count: number) => compared(singles(scores(0), clustered), singles(scores(count), clustered))
    expect(drop(5)).toMatchObject({ verdict: 'inconclusive', evidence: { pieces: 12, differing: 5 } })
    expect(drop(6)).toMatchObject({ verdict: 'worse', evidence: { differing: 6 } })
  })

  it('have no interval if there is only one', () => {
    const { evidence, verdict } = compared(
      singles(scores(0), () => ({ conversation_id: 'c' })),
      singles(scores(12)),
    )
    expect([evidence?.interval, evidence?.p, verdict]).toEqual([undefined, undefined, 'inconclusive'])
  })
})

describe('several comparisons at once', () => {
  const drop = (count: number) =>
    [sideOf('a', singles(times([40, 1]))), sideOf('b', singles(times([count, 0], [40 - count, 1])))] as const

  it('are adjusted together (Holm)', () => {
    const [five, eight, none] = compareSides([drop(5), drop(8), drop(0)], 0)
    expect([five?.evidence?.p, eight?.evidence?.p]).toEqual([close(1 / 32), close(1 / 256)])
    expect([five?.adjusted_p, eight?.adjusted_p, none?.adjusted_p]).toEqual([close(2 / 32), close(3 / 256), 1])
    expect([five?.verdict, eight?.verdict, none?.verdict]).toEqual(['inconclusive', 'worse', 'inconclusive'])
  })

  it('leave a single comparison unadjusted', () => {
    expect(compareSides([drop(5)], 0)[0]).toMatchObject({ adjusted_p: close(1 / 32), verdict: 'worse' })
  })

  it('ignore a comparison without pairs', () => {
    const nothing = [sideOf('a', { x: [1] }), sideOf('b', { y: [1] })] as const
    const [first, second] = compareSides([nothing, drop(5)], 0)
    expect(first).toMatchObject({ evidence: undefined, adjusted_p: undefined, verdict: 'inconclusive' })
    expect(second).toMatchObject({ adjusted_p: close(1 / 32), verdict: 'worse' })
  })
})

describe('the numbers of a side', () => {
  it('cover the paired tests, like the difference', () => {
    const { before, after } = compared({ ...singles([1, 1]), left: [0] }, { ...singles([1, 0]), added: [1] })
    expect([before.score?.mean, after.score?.mean]).toEqual([1, 0.5])
  })
})

describe('a run that is compared with itself', () => {
  const side = (run_id: string | undefined, scores = GOOD) => ({ ...sideOf('run', scores), run_id })
  const isSame = (before: ReturnType<typeof side>, after: ReturnType<typeof side>) =>
    compareSides([[before, after]], 0.2)[0]?.is_same_run

  it('is detected by its id, and inconclusive for any margin', () => {
    expect(compareSides([[side('r1'), side('r1')]], 0.2)[0]).toMatchObject({
      is_same_run: true,
      verdict: 'inconclusive',
    })
  })

  it('is not confused with another run with equal results, or an earlier state of the same run', () => {
    expect(isSame(side('r1'), side('r2'))).toBe(false)
    expect(isSame(side('r1'), side('r1', BAD))).toBe(false)
    expect(isSame(side(undefined), side(undefined))).toBe(false)
  })
})
