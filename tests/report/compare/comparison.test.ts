import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareSides } from '../../../src/report/compare/comparison.ts'
import { compared, type Scored, sideOf, singles, times } from '../../support/sides.ts'

const close = (p: number) => expect.closeTo(p, 12)

const GOOD = singles(times([40, 1]))
const BAD = singles(times([10, 0], [30, 1]))

describe('the verdict', () => {
  it('a real regression is worse, and the other way around better', () => {
    expect(compared(GOOD, BAD)).toMatchObject({ verdict: 'worse', needed: undefined, evidence: { mean: -0.25 } })
    expect(compared(BAD, GOOD)).toMatchObject({ verdict: 'better', needed: undefined, evidence: { mean: 0.25 } })
  })

  it('with a margin only what is beyond it is worse; better needs none', () => {
    // −0.25 [−0.390 to −0.110]
    expect([0.05, 0.1, 0.12, 0.3].map(margin => compared(GOOD, BAD, margin).verdict)).toEqual([
      'worse',
      'worse',
      'not shown',
      'not shown',
    ])
    expect(compared(BAD, GOOD, 0.3).verdict).toBe('better')
  })

  it('five differences that agree are not shown, six are', () => {
    const drop = (count: number) => compared(singles(times([6, 1])), singles(times([count, 0], [6 - count, 1])))
    expect([drop(5).verdict, drop(5).evidence?.p]).toEqual(['not shown', close(0.0625)])
    expect([drop(6).verdict, drop(6).evidence?.p]).toEqual(['worse', close(0.03125)])
  })

  it('nor are five of scores that are no whole ones, though t would be sure of them', () => {
    const drop = (count: number) => compared(singles(times([count, 0.9])), singles(times([count, 0.5])))
    expect(drop(5).evidence).toMatchObject({ p: 0, differing: 5 })
    expect([drop(5).verdict, drop(6).verdict]).toEqual(['not shown', 'worse'])
  })

  it('where an interval is sure and the exact test is not, nothing is shown', () => {
    const { evidence, verdict } = compared(singles(times([20, 1])), singles(times([5, 0], [15, 1])))
    expect(evidence?.interval?.high).toBeLessThan(0)
    expect([evidence?.p, verdict]).toEqual([close(0.0625), 'not shown'])
  })
})

describe('the test', () => {
  it('is the exact one of McNemar for one trial of whole scores', () => {
    const { evidence } = compared(singles(times([8, 1], [2, 0], [10, 1])), singles(times([8, 0], [2, 1], [10, 1])))
    expect(evidence).toMatchObject({ test: 'exact McNemar', p: 0.109375, differing: 10 })
  })

  it.each<[why: string, before: Record<string, Scored>, after: Record<string, Scored>]>([
    ['scores that are no whole ones', singles([1, 0, 0.5]), singles([0, 0, 0.5])],
    ['several trials on one side', { a: [1], b: [1] }, { a: [0, 0], b: [1, 1] }],
    ['clusters', singles([1, 0], () => ({ metadata: { cluster: 'x' } })), singles([0, 0])],
  ])('is the paired t for %s', (_, before, after) => {
    expect(compared(before, after).evidence?.test).toBe('paired t')
  })

  it('of differences .6, .4 and −.2 is that of Student', () => {
    const { evidence } = compared(singles([0.2, 0.3, 0.5]), singles([0.8, 0.7, 0.3]))
    expect(evidence?.mean).toBeCloseTo(0.26667, 5)
    expect(evidence?.p).toBeCloseTo(0.38279, 5)
    expect(evidence?.deviation).toBeCloseTo(0.24037 * Math.sqrt(3), 4)
  })
})

describe('clusters', () => {
  // Three tests of each of twelve conversations, of which four become worse as a whole.
  const scores = (worse: number) => Array.from({ length: 36 }, (_, index) => (index < worse * 3 ? 0.5 : 1))
  const half = (clustered: (index: number) => object) => {
    const { evidence } = compared(singles(scores(0), clustered), singles(scores(4), clustered))
    return (evidence?.interval?.high ?? 0) - (evidence?.mean ?? 0)
  }
  const cluster = (index: number) => Math.floor(index / 3)

  it('widen the interval: of one conversation, or of one metadata.cluster', () => {
    const alone = half(() => ({}))
    const conversations = half(index => ({ conversation_id: `c${cluster(index)}` }))
    expect(conversations).toBeGreaterThan(alone * 1.5)
    expect(half(index => ({ metadata: { cluster: cluster(index) } }))).toBe(conversations)
  })

  it('are what either side says they are', () => {
    const both = half(index => ({ metadata: { cluster: cluster(index) } }))
    const one = compared(
      singles(scores(0)),
      singles(scores(4), index => ({ metadata: { cluster: cluster(index) } })),
    )
    expect((one.evidence?.interval?.high ?? 0) - (one.evidence?.mean ?? 0)).toBe(both)
  })

  it('are the pieces of evidence that are counted: five that agree say nothing, however many tests they have', () => {
    const clustered = (index: number) => ({ conversation_id: `c${cluster(index)}` })
    const drop = (count: number) => compared(singles(scores(0), clustered), singles(scores(count), clustered))
    expect(drop(5)).toMatchObject({ verdict: 'not shown', evidence: { differing: 5 } })
    expect(drop(6)).toMatchObject({ verdict: 'worse', evidence: { differing: 6 } })
  })

  it('one cluster is one piece of evidence: there is no interval', () => {
    const { evidence, verdict } = compared(
      singles(scores(0), () => ({ conversation_id: 'c' })),
      singles(scores(12)),
    )
    expect([evidence?.interval, evidence?.p, verdict]).toEqual([undefined, undefined, 'not shown'])
  })
})

describe('several comparisons at once', () => {
  const drop = (count: number) =>
    [sideOf('a', singles(times([40, 1]))), sideOf('b', singles(times([count, 0], [40 - count, 1])))] as const

  it('count each other in, by the method of Holm', () => {
    const [six, eight, none] = compareSides([drop(6), drop(8), drop(0)], 0)
    expect([six?.evidence?.p, eight?.evidence?.p]).toEqual([close(0.03125), close(0.0078125)])
    expect([six?.adjusted_p, eight?.adjusted_p, none?.adjusted_p]).toEqual([close(0.0625), close(0.0234375), 1])
    expect([six?.verdict, eight?.verdict, none?.verdict]).toEqual(['not shown', 'worse', 'not shown'])
  })

  it('alone the same six are worse', () => {
    expect(compareSides([drop(6)], 0)[0]).toMatchObject({ adjusted_p: close(0.03125), verdict: 'worse' })
  })

  it('one that has nothing to compare does not count', () => {
    const nothing = [sideOf('a', { x: [1] }), sideOf('b', { y: [1] })] as const
    const [first, second] = compareSides([nothing, drop(6)], 0)
    expect(first).toMatchObject({ evidence: undefined, adjusted_p: undefined, verdict: 'not shown' })
    expect(second).toMatchObject({ adjusted_p: close(0.03125), verdict: 'worse' })
  })
})

describe('whatever the outcomes', () => {
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
  const side: fc.Arbitrary<Record<string, Scored>> = fc.dictionary(
    fc.nat(25).map(index => `t${index}`),
    scored,
    { minKeys: 1, maxKeys: 26, noNullPrototype: true },
  )
  const margin = fc.constantFrom(0, 0.05, 0.2)

  it('swapping the sides flips the sign, and better and worse', () => {
    const other = { better: 'worse', worse: 'better', 'not shown': 'not shown' }
    fc.assert(
      fc.property(side, side, (a, b) => {
        const there = compared(a, b)
        const back = compared(b, a)
        expect(back.verdict).toBe(other[there.verdict])
        expect(back.evidence?.mean ?? 0).toBeCloseTo(-(there.evidence?.mean ?? 0), 12)
        expect(back.evidence?.interval?.low ?? 0).toBeCloseTo(-(there.evidence?.interval?.high ?? 0), 12)
        expect(back.evidence?.p ?? 2).toBeCloseTo(there.evidence?.p ?? 2, 12)
        expect([back.new, back.gone]).toEqual([there.gone, there.new])
      }),
    )
  })

  it('a run with itself is not shown, with a difference of 0', () => {
    fc.assert(
      fc.property(side, margin, (a, margin) => {
        const { verdict, evidence, pairs, new: added, gone, changed } = compared(a, a, margin)
        expect([verdict, evidence?.mean ?? 0, added, gone, changed]).toEqual(['not shown', 0, [], [], []])
        expect(evidence?.interval ?? { low: 0, high: 0 }).toEqual({ low: 0, high: 0 })
        expect(pairs.every(({ difference }) => difference === 0)).toBe(true)
      }),
    )
  })

  it('intervals contain the estimate; what is worse is below the margin, what is better above 0', () => {
    fc.assert(
      fc.property(side, side, margin, (a, b, margin) => {
        const { verdict, evidence, needed } = compared(a, b, margin)
        const { low = 0, high = 0 } = evidence?.interval ?? {}
        if (evidence?.interval) expect(low <= evidence.mean && evidence.mean <= high).toBe(true)
        if (verdict === 'worse') expect(high).toBeLessThan(-margin)
        if (verdict === 'better') expect(low).toBeGreaterThan(0)
        if (verdict !== 'not shown') expect(needed).toBeUndefined()
      }),
    )
  })

  it('every test is somewhere, once', () => {
    fc.assert(
      fc.property(side, side, (a, b) => {
        const { pairs, new: added, gone, changed, unscored } = compared(a, b)
        const ids = [pairs, added, gone, changed, unscored].flatMap(tests => tests.map(({ test_id }) => test_id))
        expect(ids.sort()).toEqual([...new Set([...Object.keys(a), ...Object.keys(b)])].sort())
      }),
    )
  })
})
