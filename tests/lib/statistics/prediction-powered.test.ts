import { describe, expect, it } from 'vitest'
import { predictionPoweredMean, type ScoredAnswers } from '../../../src/lib/statistics/prediction-powered.ts'
import { CALIBRATIONS } from './vectors/calibration.ts'
import { PPI_SCORES } from './vectors/prediction-powered.ts'

interface Expected {
  readonly weight: number
  readonly value: number
  readonly se: number
  readonly interval: readonly number[]
}

function expectMean(scores: ScoredAnswers, expected: Expected): void {
  const { weight, value, standard_error, interval } = predictionPoweredMean(scores) ?? expect.fail('no mean')
  expect(weight).toBeCloseTo(expected.weight, 9)
  expect(value).toBeCloseTo(expected.value, 9)
  expect(standard_error).toBeCloseTo(expected.se, 9)
  // The quantile of t with 39 degrees of freedom in the vectors is 8e-9 too small: 2.022690912 instead of 2.022690920.
  expect(Math.abs(interval.low - (expected.interval[0] ?? Number.NaN))).toBeLessThan(1e-9)
  expect(Math.abs(interval.high - (expected.interval[1] ?? Number.NaN))).toBeLessThan(1e-9)
}

describe('the mean by PPI++', () => {
  it.each(PPI_SCORES)('of scores: %#', ({ human, judge, judged_only, output }) => {
    expectMean({ labels: human, judged: judge, judged_only }, output)
  })

  it.each(CALIBRATIONS)('of verdicts: %#', ({ confusion, judged, ppi }) => {
    const { true_pass, false_pass, false_fail, true_fail } = confusion
    const times = (count: number, value: number) => Array.from({ length: count }, () => value)
    const labels = [...times(true_pass, 1), ...times(false_pass, 0), ...times(false_fail, 1), ...times(true_fail, 0)]
    const byJudge = [...times(true_pass + false_pass, 1), ...times(false_fail + true_fail, 0)]
    const judged_only = [...times(judged.pass, 1), ...times(judged.fail, 0)]
    expectMean({ labels, judged: byJudge, judged_only }, ppi)
  })

  it('is that of the labels where no answer is without one', () => {
    const mean = predictionPoweredMean({ labels: [0.2, 0.4, 0.9], judged: [0.3, 0.3, 0.9], judged_only: [] })
    expect([mean?.weight, mean?.value]).toEqual([0, 0.5])
  })

  it('is wider where several labels are of one test', () => {
    const [{ human, judge, judged_only }] = PPI_SCORES
    const scores = { labels: human, judged: judge, judged_only }
    const plain = predictionPoweredMean(scores)?.standard_error ?? 1
    expect(predictionPoweredMean({ ...scores, design: 3 })?.standard_error).toBeGreaterThan(plain)
  })

  it('is undefined below two labels, or two tests', () => {
    expect(predictionPoweredMean({ labels: [1], judged: [1], judged_only: [1, 0] })).toBeUndefined()
    expect(predictionPoweredMean({ labels: [1, 0], judged: [1, 0], judged_only: [], design: 2 })).toBeUndefined()
  })

  it('rejects labels without a score of the judge', () => {
    expect(() => predictionPoweredMean({ labels: [1, 0], judged: [1], judged_only: [] })).toThrow(RangeError)
  })
})
