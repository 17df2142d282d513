import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { calibratedRate, labelledStratum, type TestShares } from '../../../src/lib/statistics/calibrated-rate.ts'
import { type Confusion, type JudgedOnly, postStratifiedRate } from '../../../src/lib/statistics/corrected-rate.ts'
import { CALIBRATIONS } from './vectors/calibration.ts'

/** Independent tests of one attempt each, all of them judged. */
function independent({ true_pass, false_pass, false_fail, true_fail }: Confusion, judged: JudgedOnly) {
  const labels = (passes: number, fails: number) =>
    labelledStratum([
      ...Array.from({ length: passes }, () => ({ passes: true, cluster: undefined })),
      ...Array.from({ length: fails }, () => ({ passes: false, cluster: undefined })),
    ])
  const testsIn = (stratum: number, count: number) =>
    Array.from({ length: count }, () => single({ verdicts: 1 - stratum, strata: [1 - stratum, stratum] }))
  const tests = [
    ...testsIn(0, true_pass + false_pass + judged.pass),
    ...testsIn(1, false_fail + true_fail + judged.fail),
  ]
  return calibratedRate(tests, [labels(true_pass, false_pass), labels(false_fail, true_fail)])
}

function single(more: Partial<TestShares>): TestShares {
  return { cluster: undefined, attempts: 1, verdicts: 0, passed: 0, strata: [0, 0], ...more }
}

const labels = (passes: number, fails: number, cluster?: (index: number) => string) =>
  Array.from({ length: passes + fails }, (_, index) => ({ passes: index < passes, cluster: cluster?.(index) }))

describe('the calibrated rate', () => {
  it.each(CALIBRATIONS)('equals the formula for independent attempts: %#', ({ confusion, judged, corrected }) => {
    const { value, centre, standard_error, interval } = independent(confusion, judged)
    expect(value).toBeCloseTo(corrected.value, 9)
    expect(centre).toBeCloseTo(corrected.centre, 9)
    expect(standard_error).toBeCloseTo(corrected.se, 9)
    expect(interval?.low).toBeCloseTo(corrected.interval[0], 9)
    expect(interval?.high).toBeCloseTo(corrected.interval[1], 9)
  })

  it('equals the formula for any numbers of labels', () => {
    const count = fc.integer({ min: 0, max: 30 })
    const numbers = fc.record({ true_pass: count, false_pass: count, false_fail: count, true_fail: count })
    fc.assert(
      fc.property(numbers, fc.record({ pass: count, fail: count }), (confusion, judged) => {
        const expected = postStratifiedRate(confusion, judged)
        const all = [...Object.values(confusion), ...Object.values(judged)].reduce((sum, each) => sum + each, 0)
        if (!expected || all < 2) return
        const found = independent(confusion, judged)
        expect(found.value).toBeCloseTo(expected.value, 9)
        expect(found.interval?.low).toBeCloseTo(expected.interval.low, 9)
        expect(found.interval?.high).toBeCloseTo(expected.interval.high, 9)
      }),
    )
  })

  it('has no interval for one test, and none for one cluster', () => {
    const strata = [labelledStratum(labels(9, 1)), labelledStratum(labels(1, 9))]
    const test = single({ strata: [0.5, 0.5], attempts: 2 })
    expect(calibratedRate([test], strata)).toMatchObject({ value: 0.5, interval: undefined })
    expect(
      calibratedRate(
        [
          { ...test, cluster: 'a' },
          { ...test, cluster: 'a' },
        ],
        strata,
      ).interval,
    ).toBeUndefined()
  })

  it('counts what is known exactly, and is never surer of it than of a plain rate', () => {
    const strata = [labelledStratum(labels(1, 0)), labelledStratum([])]
    const tests = [
      ...Array.from({ length: 19 }, () => single({ verdicts: 1, passed: 1 })),
      single({ verdicts: 1, strata: [1, 0] }),
    ]
    const { value, interval } = calibratedRate(tests, strata)
    expect(value).toBeGreaterThan(0.97)
    expect(interval?.low).toBeLessThan(0.84)
  })

  it('is wider if tests of a cluster are alike', () => {
    const strata = [labelledStratum(labels(28, 2)), labelledStratum(labels(2, 28))]
    const tests = Array.from({ length: 40 }, (_, index) => {
      const stratum = Number(index % 20 >= 10)
      return single({ verdicts: 1 - stratum, strata: [1 - stratum, stratum], cluster: `c${Math.floor(index / 10)}` })
    })
    const alone = tests.map(test => ({ ...test, cluster: undefined }))
    const widthOf = (each: readonly TestShares[]) => {
      const { low, high } = calibratedRate(each, strata).interval ?? expect.fail('no interval')
      return high - low
    }
    expect(widthOf(tests)).toBeGreaterThan(1.5 * widthOf(alone))
  })

  it('counts labels of one test as fewer than as many of different tests', () => {
    const apart = labelledStratum(labels(15, 15))
    const alike = labelledStratum(labels(15, 15, index => `t${Math.floor(index / 5)}`))
    expect(apart.variance).toBeCloseTo(0.25 / 32, 12)
    expect(alike.variance).toBeGreaterThan(3 * apart.variance)
    expect(labelledStratum(labels(10, 0, () => 'one'))).toMatchObject({ rate: 1, centre: 2 / 3 })
  })
})
