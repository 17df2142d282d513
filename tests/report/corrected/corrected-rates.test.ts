import { describe, expect, it } from 'vitest'
import { postStratifiedRate } from '../../../src/lib/statistics/corrected-rate.ts'
import type { Calibration } from '../../../src/model/calibration.ts'
import type { Result } from '../../../src/model/result.ts'
import { correctedOutcome } from '../../../src/report/outcome/corrected/corrected-rates.ts'
import { correctionLines } from '../../../src/report/outcome/corrected/corrected-text.ts'
import { evaluateGate } from '../../../src/report/outcome/gate.ts'
import { runOf } from '../../support/recorded-run.ts'
import { calibrationOf, judged, judgedTests, labelsOf, mixed } from './calibrations.ts'

const correctionsOf = (results: readonly Partial<Result>[], ...calibrations: readonly Calibration[]) =>
  correctedOutcome(runOf(results), calibrations).corrections ?? []

const linesOf = (results: readonly Partial<Result>[], ...calibrations: readonly Calibration[]) =>
  correctionLines(correctedOutcome(runOf(results), calibrations))

describe('labels of the run', () => {
  const results = judgedTests(70, 30)
  const calibration = calibrationOf(results, labelsOf(results, mixed(18, 2), mixed(3, 17)))

  it('correct the pass rate by the formula', () => {
    const expected = postStratifiedRate(
      { true_pass: 18, false_pass: 2, false_fail: 3, true_fail: 17 },
      { pass: 50, fail: 10 },
    )
    const [correction] = correctionsOf(results, calibration)
    if (correction?.kind !== 'corrected') return expect.unreachable()
    expect(correction.rate).toBeCloseTo(expected?.value ?? 0, 9)
    expect(correction.interval?.low).toBeCloseTo(expected?.interval.low ?? 0, 9)
    expect(correction.interval?.high).toBeCloseTo(expected?.interval.high ?? 0, 9)
    expect(linesOf(results, calibration)).toEqual(['70 % judged; 68 % [53–79] corrected by 40 labels'])
  })

  it('do not depend on the order of the records', () => {
    expect(correctionsOf(results.toReversed(), calibration)).toEqual(correctionsOf(results, calibration))
  })

  it('count for each target with the same answer to the same task, and not for others', () => {
    const other = judgedTests(100, 0, { target: 'other' })
    const same = results.map(each => ({ ...each, target: 'same', attempt_id: `same ${each.attempt_id}` }))
    const lines = linesOf(
      [...results, ...other, ...same],
      calibrationOf([...results, ...other, ...same], labelsOf(results, mixed(18, 2), mixed(3, 17))),
    )
    expect(lines[0]).toBe('default: 70 % judged; 68 % [53–79] corrected by 40 labels')
    expect(lines[1]).toMatch(/^other: 100 % judged; \d+ % \[\d+–1?\d+\] corrected by 40 labels of other targets$/)
    expect(lines[2]).toBe('same: 70 % judged; 68 % [53–79] corrected by 40 labels')
  })

  it('leave errors and computed verdicts as they are', () => {
    const exact = Array.from({ length: 50 }, (_, index) =>
      judged(200 + index, index < 40 ? 'pass' : 'error', { judges_hash: undefined }),
    )
    const [correction] = correctionsOf([...results, ...exact], calibration)
    if (correction?.kind !== 'corrected') return expect.unreachable()
    expect(correction.rate).toBeCloseTo((40 + 100 * (0.7 * 0.9 + 0.3 * 0.15)) / 150, 9)
  })

  it('do not correct a rate if answers could not be judged: they are unknown, not failed', () => {
    const answered = judged(200, 'error', { answer: 'an answer' })
    expect(linesOf([...results, answered], calibration)).toEqual([
      expect.stringContaining('1 answer could not be judged; grade them again with `assay grade'),
    ])
  })

  it('are no sample of the run if some of its labelled tests have changed since', () => {
    const [changed, ...others] = results.map(each => ({ ...each, criteria: each.criteria }))
    const lines = linesOf([{ ...changed, criteria: 'Another one' }, ...others], calibration)
    expect(lines).toEqual([expect.stringContaining('corrected by 40 labels of another run')])
  })

  it('do not count attempts that a rerun added', () => {
    const added = results
      .filter(({ verdict }) => verdict === 'fail')
      .map((each, index) => ({
        ...each,
        trial: 2,
        added: true as const,
        rerun: 1,
        verdict: 'pass' as const,
        attempt_id: `again ${index}`,
        answer: 'again',
      }))
    expect(linesOf([...results, ...added], calibration)).toEqual(linesOf(results, calibration))
  })

  it('of a part of the tests correct that part', () => {
    const part = results.filter((_, index) => index % 2 === 0)
    expect(linesOf(part, calibration)).toEqual([expect.stringMatching(/^70 % judged; .* corrected by 20 labels$/)])
  })

  it('correct trials and clusters with a wider interval', () => {
    const trials = (cluster: boolean) =>
      Array.from({ length: 60 }, (_, index) =>
        judged(cluster ? Math.floor(index / 3) : index, index % 30 < 21 ? 'pass' : 'fail', { trial: (index % 3) + 1 }),
      )
    const widthOf = (run: readonly Partial<Result>[]) => {
      const [correction] = correctionsOf(run, calibrationOf(run, labelsOf(run, mixed(18, 2), mixed(3, 13))))
      return correction?.kind === 'corrected' ? (correction.interval?.high ?? 0) - (correction.interval?.low ?? 0) : 0
    }
    expect(widthOf(trials(true))).toBeGreaterThan(widthOf(trials(false)))
  })
})

describe('labels of another run', () => {
  const before = judgedTests(80, 20)
  const calibration = calibrationOf(before, labelsOf(before, mixed(20, 2), mixed(3, 17)))
  const now = judgedTests(60, 40).map(each => ({ ...each, answer: `new ${each.answer}` }))

  it('correct the pass rate, and the text names the correction', () => {
    expect(linesOf(now, calibration)).toEqual([
      expect.stringMatching(/^60 % judged; \d+ % \[\d+–\d+\] corrected by 42 labels of another run$/),
    ])
  })

  it('are not taken for labels of this run if a few answers happen to be the same', () => {
    const partly = now.map((each, index) => (index < 5 ? { ...each, answer: before[index]?.answer ?? null } : each))
    expect(linesOf(partly, calibration)[0]).toContain('42 labels of another run')
  })

  it('of one kind do not correct', () => {
    const passes = calibrationOf(before, labelsOf(before, mixed(20, 0), mixed(20, 0)))
    expect(linesOf(now, passes)).toEqual([
      'no corrected pass rate: the 40 labels of other answers for suite are all of one kind; label answers of this run, then run `assay calibrate RUN`',
    ])
  })

  it('that do not show that the judge is better than chance do not correct', () => {
    const chance = calibrationOf(before, labelsOf(before, mixed(10, 10), mixed(10, 10)))
    expect(linesOf(now, chance)[0]).toContain(
      '40 labels of other answers do not show that the judge of suite is better than chance',
    )
  })
})

describe('a calibration', () => {
  const results = judgedTests(7, 3)
  const labels = labelsOf(results, mixed(4, 1), mixed(1, 2))

  it('of another suite, or none, changes nothing', () => {
    expect(correctedOutcome(runOf(results), []).corrections).toBeUndefined()
    expect(
      correctedOutcome(runOf(results), [calibrationOf(results, labels, { suite: 'b' })]).corrections,
    ).toBeUndefined()
  })

  it('of another judge is stale', () => {
    expect(linesOf(results, calibrationOf(results, labels, { judges_hash: 'old' }))).toEqual([
      'no corrected pass rate: the calibration of suite is stale, since it is of another judge; run `assay calibrate RUN`',
    ])
  })

  it('is stale if checks changed, or tests are new', () => {
    const changed = results.map((each, index) => (index > 4 ? { ...each, checks_hash: 'other' } : each))
    expect(linesOf(changed, calibrationOf(results, labels))).toEqual([
      'no corrected pass rate: the calibration of suite is stale, since the checks of t5, t6, t7 and 2 more tests have changed or are new; run `assay calibrate RUN`',
    ])
  })

  it('of records that do not name the judge is refused', () => {
    const old = results.map(({ checks_hash, judges_hash, ...each }) => each)
    expect(linesOf(old, calibrationOf(results, labels))[0]).toContain('the records of suite do not name the judge')
  })

  it('is needed for each suite of a target', () => {
    const more = judgedTests(5, 5, { suite: 'b' })
    expect(linesOf([...results, ...more], calibrationOf(results, labels))).toEqual([
      'no corrected pass rate: b has no calibration; run `assay calibrate RUN`',
    ])
    const both = [
      calibrationOf(results, labels),
      calibrationOf(more, labelsOf(more, mixed(2, 1), mixed(1, 2)), { suite: 'b' }),
    ]
    expect(linesOf([...results, ...more], ...both)).toEqual([expect.stringContaining('corrected by 14 labels')])
  })

  it('with the most labels of the run counts, among several that are fresh', () => {
    const older = calibrationOf(results, labels.slice(0, 2), { made: '2027-01-01', fingerprint: 'g' })
    expect(linesOf(results, older, calibrationOf(results, labels))[0]).toContain('corrected by 8 labels')
  })

  it('of two files with one suite name is about both', () => {
    const second = judgedTests(7, 3, { file: 'b/EVAL.yaml' }).map(each => ({
      ...each,
      attempt_id: `b ${each.attempt_id}`,
    }))
    const [correction] = correctionsOf([...results, ...second], calibrationOf([...results, ...second], labels))
    expect(correction).toMatchObject({ kind: 'corrected', labels: { of_target: 8 } })
  })
})

describe('labels of one verdict only', () => {
  const gateOf = (results: readonly Partial<Result>[], passed: readonly boolean[], failed: readonly boolean[]) => {
    const outcome = correctedOutcome(runOf(results), [calibrationOf(results, labelsOf(results, passed, failed))])
    return evaluateGate(outcome, { min_pass_rate: 0.5, gate: 'corrected' }, outcome.corrections)
  }

  it('pass no gate: the other answers count as half passed, which is a guess', () => {
    const { held, reason } = gateOf(judgedTests(2, 8), mixed(2, 0), [])
    expect(reason).toContain('corrected pass rate unknown (all labels are of answers with the same verdict')
    expect(held).toBe(false)
    expect(gateOf(judgedTests(8, 2), [], mixed(2, 0)).held).toBe(false)
  })

  it('are enough if the judge gave no other verdict', () => {
    expect(gateOf(judgedTests(10, 0), mixed(8, 0), []).held).toBe(true)
  })
})
