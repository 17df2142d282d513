import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../src/lib/seeded-random.ts'
import { type Confusion, postStratifiedRate } from '../../../src/lib/statistics/corrected-rate.ts'
import { rateOf } from '../../../src/lib/statistics/rater-agreement.ts'
import { stratifiedAgreement } from '../../../src/lib/statistics/stratified-agreement.ts'
import { CALIBRATIONS } from './vectors/calibration.ts'

const hasBoth = ({ confusion: { true_pass, false_pass, false_fail, true_fail } }: { confusion: Confusion }) =>
  true_pass + false_pass > 0 && false_fail + true_fail > 0

describe('figures of a judge for all answers of a run', () => {
  it.each(CALIBRATIONS.filter(hasBoth))('have the corrected pass rate: %#', ({ confusion, judged }) => {
    const { pass_rate } = stratifiedAgreement({ confusion, judged }) ?? expect.fail('no figures')
    const corrected = postStratifiedRate(confusion, judged)
    expect(pass_rate.value).toBeCloseTo(corrected?.value ?? Number.NaN, 12)
    expect(pass_rate.interval.low).toBeCloseTo(corrected?.interval.low ?? Number.NaN, 8)
    expect(pass_rate.interval.high).toBeCloseTo(corrected?.interval.high ?? Number.NaN, 8)
  })

  it('equal those of the labels where these have the shares of the run', () => {
    const confusion = { true_pass: 40, false_pass: 10, false_fail: 5, true_fail: 45 }
    const found = stratifiedAgreement({ confusion, judged: { pass: 500, fail: 500 } })
    const plain = { sensitivity: rateOf(40, 45), specificity: rateOf(45, 55), agreement: rateOf(85, 100) }
    for (const name of ['sensitivity', 'specificity', 'agreement'] as const) {
      expect(found?.[name]?.value).toBeCloseTo(plain[name]?.value ?? Number.NaN, 12)
      expect(found?.[name]?.interval.low).toBeCloseTo(plain[name]?.interval.low ?? Number.NaN, 1)
    }
  })

  it('do not depend on how many labels are drawn from each verdict, unlike the table of labels', () => {
    // Sensitivity .9, specificity .8 and a pass rate of .9: the judge passes 83 %.
    const judged = { pass: 830_000, fail: 170_000 }
    const half = { true_pass: 976, false_pass: 24, false_fail: 529, true_fail: 471 }
    const found = stratifiedAgreement({ confusion: half, judged })
    expect(found?.sensitivity?.value).toBeCloseTo(0.9, 2)
    expect(found?.specificity?.value).toBeCloseTo(0.8, 2)
    expect(found?.agreement.value).toBeCloseTo(0.89, 2)
    expect(rateOf(976, 976 + 529)?.value).toBeCloseTo(0.65, 2)
  })

  it('cover the truth in most worlds with 60 labels, half from each verdict', () => {
    const random = seededRandom(7)
    const worlds = Array.from({ length: 400 }, () => simulatedLabels(random))
    const truth = { sensitivity: 0.9, specificity: 0.8, agreement: 0.87, kappa: 0.6933962264, pass_rate: 0.7 }
    for (const [name, value] of Object.entries(truth) as [keyof typeof truth, number][]) {
      const covered = worlds.filter(labels => {
        const interval = stratifiedAgreement(labels)?.[name]?.interval
        return interval && interval.low <= value && value <= interval.high
      })
      expect(covered.length / worlds.length, name).toBeGreaterThan(0.92)
    }
  })

  it('are wider where answers of one test count as one', () => {
    const [{ confusion, judged }] = CALIBRATIONS
    const plain = stratifiedAgreement({ confusion, judged })
    const design = { pass: 3, fail: 3, answers: 3 }
    const wide = stratifiedAgreement({ confusion, judged, design })
    const widthOf = (figures: typeof wide) =>
      figures ? figures.pass_rate.interval.high - figures.pass_rate.interval.low : 0
    expect(widthOf(wide) / widthOf(plain)).toBeGreaterThan(1.4)
    expect(wide?.kappa?.standard_error).toBeGreaterThan(plain?.kappa?.standard_error ?? 1)
  })

  it('are undefined where labels of one verdict are missing', () => {
    const confusion = { true_pass: 20, false_pass: 2, false_fail: 0, true_fail: 0 }
    expect(stratifiedAgreement({ confusion, judged: { pass: 10, fail: 10 } })).toBeUndefined()
  })

  it('have no specificity where people pass everything, and no sensitivity where they fail it', () => {
    const judged = { pass: 50, fail: 50 }
    const passes = stratifiedAgreement({
      confusion: { true_pass: 9, false_pass: 0, false_fail: 9, true_fail: 0 },
      judged,
    })
    expect([passes?.sensitivity?.value, passes?.specificity]).toEqual([0.5, undefined])
    const fails = stratifiedAgreement({
      confusion: { true_pass: 0, false_pass: 9, false_fail: 0, true_fail: 9 },
      judged,
    })
    expect([fails?.sensitivity, fails?.specificity?.value]).toEqual([undefined, 0.5])
  })
})

/** 1,000 answers of which 70 % pass, a judge of .9 and .8, and 30 labels of each verdict. */
function simulatedLabels(random: () => number) {
  const answers = Array.from({ length: 1000 }, () => {
    const passes = random() < 0.7
    return { passes, judged: random() < (passes ? 0.9 : 0.2) }
  })
  const drawn = (judged: boolean) => {
    const all = answers.filter(answer => answer.judged === judged)
    const labels = all.slice(0, 30)
    return { all: all.length, labels: labels.length, passes: labels.filter(({ passes }) => passes).length }
  }
  const [pass, fail] = [drawn(true), drawn(false)]
  return {
    confusion: {
      true_pass: pass.passes,
      false_pass: pass.labels - pass.passes,
      false_fail: fail.passes,
      true_fail: fail.labels - fail.passes,
    },
    judged: { pass: pass.all - pass.labels, fail: fail.all - fail.labels },
  }
}
