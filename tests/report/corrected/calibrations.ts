import { type Calibration, instrumentOf } from '../../../src/model/calibration.ts'
import { labelledAnswer } from '../../../src/model/label.ts'
import type { Result } from '../../../src/model/result.ts'
import { resultWith } from '../../support/recorded-run.ts'

const HASHES = { checks_hash: 'checks', judges_hash: 'judge' }

/** A judged attempt at a test, with an answer of its own. */
export function judged(test: number, verdict: Result['verdict'], more: Partial<Result> = {}): Partial<Result> {
  const { target = 'default', trial = 1 } = more
  return {
    ...HASHES,
    attempt_id: `${target} ${test} ${trial} ${more.suite ?? ''}`,
    test_id: `t${test}`,
    verdict,
    score: verdict === 'error' ? null : Number(verdict === 'pass'),
    answer: verdict === 'error' ? null : `answer ${test} ${target} ${trial}`,
    ...more,
  }
}

/** Tests that the judge passed, then those that it failed. */
export function judgedTests(passed: number, failed: number, more: Partial<Result> = {}): Partial<Result>[] {
  return Array.from({ length: passed + failed }, (_, test) => judged(test, test < passed ? 'pass' : 'fail', more))
}

interface Labels {
  readonly result: Partial<Result>
  readonly passes: boolean
}

/** The calibration of a run by these labels. */
export function calibrationOf(
  results: readonly Partial<Result>[],
  labels: readonly Labels[],
  more: Partial<Calibration> = {},
): Calibration {
  const targets = [...new Set(results.map(({ target = 'default' }) => target))]
  const strata = targets.flatMap(target =>
    [true, false].map(judge_passes => {
      const isIn = (each: Partial<Result>) =>
        (each.target ?? 'default') === target && each.verdict !== 'error' && (each.verdict === 'pass') === judge_passes
      const own = labels.filter(({ result }) => isIn(result))
      const passes = own.filter(each => each.passes).length
      return { target, judge_passes, answers: results.filter(isIn).length, labels: own.length, passes }
    }),
  )
  return {
    ...{ assay_calibration: 1, fingerprint: 'f', suite: 'suite', judges: ['judge'], judges_hash: 'judge' },
    instruments: [instrumentOf(HASHES) ?? ''],
    ...{ run_id: 'run', made: '2026-11-17T09:00:00.000Z', people: 1, strata, figures: {} },
    labelled: labels.flatMap(({ result, passes }) => {
      const answer = labelledAnswer(resultWith(result))
      return answer ? [{ ...answer, passes }] : []
    }),
    ...more,
  }
}

/** Labels of the first answers that the judge passed, and of the first that it failed. */
export function labelsOf(
  results: readonly Partial<Result>[],
  passed: readonly boolean[],
  failed: readonly boolean[],
): Labels[] {
  const from = (verdict: string, labels: readonly boolean[]) =>
    results
      .filter(each => each.verdict === verdict)
      .slice(0, labels.length)
      .map((result, index) => ({ result, passes: labels[index] ?? false }))
  return [...from('pass', passed), ...from('fail', failed)]
}

/** So many labels that pass, then so many that fail. */
export function mixed(passes: number, fails: number): boolean[] {
  return [...Array<boolean>(passes).fill(true), ...Array<boolean>(fails).fill(false)]
}
