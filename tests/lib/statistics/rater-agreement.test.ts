import { describe, expect, it } from 'vitest'
import type { Confusion } from '../../../src/lib/statistics/corrected-rate.ts'
import { type RatedPair, rateOf, raterAgreement } from '../../../src/lib/statistics/rater-agreement.ts'
import { cohensKappa } from '../../../src/lib/statistics/significance.ts'
import { CALIBRATIONS } from './vectors/calibration.ts'

/** The pairs that make up a table. */
function pairsOf({ true_pass, false_pass, false_fail, true_fail }: Confusion): RatedPair[] {
  const times = (count: number, one: boolean, other: boolean) => Array.from({ length: count }, () => ({ one, other }))
  return [
    ...times(true_pass, true, true),
    ...times(false_pass, true, false),
    ...times(false_fail, false, true),
    ...times(true_fail, false, false),
  ]
}

interface Rate {
  readonly value: number | null
  readonly interval: readonly number[] | null
}

function expectRate(rate: ReturnType<typeof rateOf>, expected: Rate): void {
  expect(rate === undefined).toBe(expected.value === null)
  if (expected.value === null) return
  expect(rate?.value).toBeCloseTo(expected.value, 9)
  expect(rate?.interval.low).toBeCloseTo(expected.interval?.[0] ?? Number.NaN, 9)
  expect(rate?.interval.high).toBeCloseTo(expected.interval?.[1] ?? Number.NaN, 9)
}

describe('a judge against people', () => {
  it.each(CALIBRATIONS)('has sensitivity, specificity and agreement: %#', vector => {
    const { true_pass, false_pass, false_fail, true_fail } = vector.confusion
    expectRate(rateOf(true_pass, true_pass + false_fail), vector.sensitivity)
    expectRate(rateOf(true_fail, true_fail + false_pass), vector.specificity)
    expectRate(raterAgreement(pairsOf(vector.confusion))?.agreement, vector.agreement)
  })

  it.each(CALIBRATIONS)('has κ and AC1 with standard errors: %#', vector => {
    const { kappa, ac1 } = raterAgreement(pairsOf(vector.confusion)) ?? expect.fail('no pairs')
    if (vector.kappa.value === null) expect(kappa).toBeUndefined()
    else expect(kappa?.value).toBeCloseTo(vector.kappa.value, 9)
    if (vector.kappa.se !== null) expect(kappa?.standard_error).toBeCloseTo(vector.kappa.se, 9)
    expect(ac1.value).toBeCloseTo(vector.ac1.value, 9)
    expect(ac1.standard_error).toBeCloseTo(vector.ac1.se, 9)
  })

  it.each(CALIBRATIONS)('has a pass rate of the judge alone and of the labels alone: %#', vector => {
    const { true_pass, false_pass, false_fail, true_fail } = vector.confusion
    const labels = true_pass + false_pass + false_fail + true_fail
    const { pass, fail } = vector.judged
    expectRate(rateOf(true_pass + false_pass + pass, labels + pass + fail), vector.judge_alone)
    expectRate(rateOf(true_pass + false_fail, labels), vector.labels_alone)
  })
})

describe('the agreement of two raters', () => {
  const table = { true_pass: 40, false_pass: 9, false_fail: 6, true_fail: 45 }

  it("has the κ of Cohen's formula", () => {
    const kappa = cohensKappa([
      [40, 9],
      [6, 45],
    ])
    expect(raterAgreement(pairsOf(table))?.kappa?.value).toBeCloseTo(kappa ?? Number.NaN, 12)
  })

  it('is undefined without answers', () => {
    expect(raterAgreement([])).toBeUndefined()
    expect(rateOf(0, 0)).toBeUndefined()
  })

  it('does not change with the unit of the weights', () => {
    const pairs = pairsOf(table)
    const heavy = raterAgreement(pairs.map(pair => ({ ...pair, weight: 7 })))
    expect(heavy?.kappa?.standard_error).toBeCloseTo(raterAgreement(pairs)?.kappa?.standard_error ?? 0, 12)
    expect(heavy?.agreement.interval.low).toBeCloseTo(raterAgreement(pairs)?.agreement.interval.low ?? 0, 12)
  })

  it('is not more precise if every answer is counted three times as a cluster', () => {
    const once = raterAgreement(pairsOf(table).map((pair, index) => ({ ...pair, cluster: `${index}` })))
    const thrice = raterAgreement(
      pairsOf(table).flatMap((pair, index) => Array.from({ length: 3 }, () => ({ ...pair, cluster: `${index}` }))),
    )
    expect(thrice?.kappa?.value).toBeCloseTo(once?.kappa?.value ?? 0, 12)
    expect(thrice?.kappa?.standard_error).toBeGreaterThanOrEqual(once?.kappa?.standard_error ?? 1)
    expect(thrice?.agreement.interval.low).toBeCloseTo(once?.agreement.interval.low ?? 0, 12)
  })

  it('stays within -1 and 1', () => {
    const { kappa, ac1 } = raterAgreement([
      { one: true, other: false },
      { one: false, other: true },
    ]) ?? { kappa: undefined, ac1: undefined }
    expect([kappa?.value, kappa?.interval.low, ac1?.value]).toEqual([-1, -1, -1])
  })

  it('rejects a weight that is not above 0', () => {
    expect(() => raterAgreement([{ one: true, other: true, weight: 0 }])).toThrow(RangeError)
  })
})
