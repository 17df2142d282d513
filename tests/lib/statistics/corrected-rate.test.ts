import { describe, expect, it } from 'vitest'
import { roganGladenRate } from '../../../bench/rogan-gladen.ts'
import { labelsFor, postStratifiedRate } from '../../../src/lib/statistics/corrected-rate.ts'
import { CALIBRATIONS } from './vectors/calibration.ts'

describe('corrected pass rates', () => {
  it.each(CALIBRATIONS)('by post-stratification: %#', ({ confusion, judged, corrected }) => {
    const rate = postStratifiedRate(confusion, judged)
    const { value, centre, standard_error, interval } = rate ?? expect.fail('no rate')
    expect(value).toBeCloseTo(corrected.value, 9)
    expect(centre).toBeCloseTo(corrected.centre, 9)
    expect(standard_error).toBeCloseTo(corrected.se, 9)
    expect(interval.low).toBeCloseTo(corrected.interval[0], 9)
    expect(interval.high).toBeCloseTo(corrected.interval[1], 9)
  })

  it.each(CALIBRATIONS)('by Rogan and Gladen: %#', ({ confusion, judged, rogan_gladen }) => {
    const { value, interval } = roganGladenRate(confusion, judged) ?? expect.fail('no rate')
    if (rogan_gladen.value === null) expect(value).toBeUndefined()
    else expect(value).toBeCloseTo(rogan_gladen.value, 9)
    expect(interval.low).toBeCloseTo(rogan_gladen.interval[0], 9)
    expect(interval.high).toBeCloseTo(rogan_gladen.interval[1], 9)
  })

  it.each(CALIBRATIONS)('with the number of labels for a half-width of 5 points: %#', vector => {
    expect(labelsFor(0.05, vector.confusion, vector.judged) ?? null).toBe(vector.labels_for_half_width)
  })

  it('give no rate without labels, and none by a judge that is no better than chance', () => {
    const none = { true_pass: 0, false_pass: 0, false_fail: 0, true_fail: 0 }
    expect(postStratifiedRate(none, { pass: 5, fail: 5 })).toBeUndefined()
    const chance = { true_pass: 10, false_pass: 10, false_fail: 10, true_fail: 10 }
    expect(roganGladenRate(chance, { pass: 50, fail: 50 })).toBeUndefined()
    expect(roganGladenRate({ ...chance, false_pass: 0 }, { pass: 0, fail: 0 })).toBeUndefined()
  })

  it('need a number of labels that does not exist where the answers are too few', () => {
    const good = { true_pass: 30, false_pass: 0, false_fail: 0, true_fail: 30 }
    expect(labelsFor(0.01, good, { pass: 20, fail: 20 })).toBeUndefined()
  })
})
