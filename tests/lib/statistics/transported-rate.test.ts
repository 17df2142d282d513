import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../src/lib/seeded-random.ts'
import { type JudgeStratum, transportedRate } from '../../../src/lib/statistics/transported-rate.ts'
import { examples } from '../../support/random-examples.ts'

/** Verdicts of a judge, and labels of half of each kind, as `assay label` samples them. */
function world({ sensitivity, specificity, rate, answers, labels }: World, random: () => number): JudgeStratum[] {
  const truth = Array.from({ length: answers }, () => random() < rate)
  const judged = truth.map(passes => ({ passes, verdict: random() < (passes ? sensitivity : 1 - specificity) }))
  return [true, false].map(verdict => {
    const all = judged.filter(answer => answer.verdict === verdict)
    const labelled = all.slice(0, labels / 2)
    return {
      judge_passes: verdict,
      answers: all.length,
      labels: labelled.length,
      passes: labelled.filter(({ passes }) => passes).length,
    }
  })
}

interface World {
  readonly sensitivity: number
  readonly specificity: number
  readonly rate: number
  readonly answers: number
  readonly labels: number
}

/** Enough to tell a coverage of 95 % from the 0.4 % that labels without weights have; the bench has more. */
const WORLDS = 100

const JUDGE = { sensitivity: 0.9, specificity: 0.8, answers: 1_000, labels: 60 }

describe('the pass rate of other answers', () => {
  it.each([
    [0.9, 0.9],
    [0.9, 0.7],
    [0.6, 0.8],
  ])('covers the truth with labels of a run that passes %f, on answers that pass %f', (rate, other) => {
    const random = seededRandom(11)
    const covered = Array.from({ length: WORLDS }, () => {
      const strata = world({ ...JUDGE, rate }, random)
      const [passed, failed] = world({ ...JUDGE, rate: other }, random)
      const judged = { pass: passed?.answers ?? 0, fail: failed?.answers ?? 0 }
      const { interval } = transportedRate(strata, judged) ?? expect.fail('no rate')
      return interval.low <= other && other <= interval.high
    })
    expect(covered.filter(Boolean).length).toBeGreaterThanOrEqual(0.88 * WORLDS)
  })

  it('is unknown without labels of what the judge passed, or of what it failed', () => {
    const strata = [
      { judge_passes: true, answers: 50, labels: 20, passes: 18 },
      { judge_passes: false, answers: 50, labels: 0, passes: 0 },
    ]
    expect(transportedRate(strata, { pass: 50, fail: 50 })).toBeUndefined()
    expect(transportedRate([], { pass: 50, fail: 50 })).toBeUndefined()
  })

  it('pools targets with the same verdict if one of them has no label', () => {
    const pooled = [
      { judge_passes: true, answers: 100, labels: 20, passes: 18 },
      { judge_passes: false, answers: 50, labels: 20, passes: 4 },
    ]
    const apart = [
      { judge_passes: true, answers: 60, labels: 20, passes: 18 },
      { judge_passes: true, answers: 40, labels: 0, passes: 0 },
      { judge_passes: false, answers: 50, labels: 20, passes: 4 },
    ]
    const judged = { pass: 60, fail: 40 }
    expect(transportedRate(apart, judged)).toEqual(transportedRate(pooled, judged))
  })

  it('is unknown by a judge that is no better than chance', () => {
    const strata = [
      { judge_passes: true, answers: 50, labels: 20, passes: 10 },
      { judge_passes: false, answers: 50, labels: 20, passes: 10 },
    ]
    expect(transportedRate(strata, { pass: 30, fail: 10 })).toBeUndefined()
  })

  it('is within 0..1, with an interval that includes what it can', () => {
    const count = fc.nat(40)
    fc.assert(
      fc.property(count, count, count, count, count, count, (a, b, c, d, e, f) => {
        const strata = [
          { judge_passes: true, answers: a + b + 5, labels: a + b, passes: a },
          { judge_passes: false, answers: c + d + 5, labels: c + d, passes: c },
        ]
        const rate = transportedRate(strata, { pass: e, fail: f })
        if (!rate) return
        const { value, interval } = rate
        expect(value).toBeGreaterThanOrEqual(0)
        expect(value).toBeLessThanOrEqual(1)
        expect(interval.low).toBeLessThanOrEqual(interval.high)
      }),
      { numRuns: examples(50) },
    )
  })
})
