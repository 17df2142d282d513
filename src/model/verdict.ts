import { weightedAverage } from '../lib/statistics/means.ts'
import type { EvaluatorResult } from './evaluator-result.ts'

/** The lowest score that passes, of a test and of a check. */
export const PASS_MARK = 0.8

/** The lowest score that is borderline. */
export const BORDERLINE_MARK = 0.6

export type Verdict = 'pass' | 'borderline' | 'fail' | 'error'

/** Whether a score reaches a mark, ignoring rounding errors of arithmetic. */
export function reaches(score: number, mark: number): boolean {
  return Math.round(score * 1e9) >= Math.round(mark * 1e9)
}

/**
 * The verdict of a score. A missed required check fails, whatever the score. With a threshold of its own, a test passes
 * or fails.
 */
export function verdictOf(score: number | null, missesRequired: boolean, threshold?: number): Verdict {
  if (score === null) return 'error'
  if (missesRequired) return 'fail'
  if (threshold !== undefined) return reaches(score, threshold) ? 'pass' : 'fail'
  if (reaches(score, PASS_MARK)) return 'pass'
  return reaches(score, BORDERLINE_MARK) ? 'borderline' : 'fail'
}

/** The score and the verdict of a test, from the results of its checks. The score is null if a check that counts is unjudged. */
export function judgeChecks(
  checks: readonly EvaluatorResult[],
  threshold?: number,
): {
  readonly score: number | null
  readonly verdict: Verdict
} {
  const counted = checks.filter(counts)
  const isError = counted.length === 0 || counted.some(check => isUnjudged(check))
  const score = isError ? null : weightedAverage(counted)
  return { score, verdict: verdictOf(score, checks.some(missesRequired), threshold) }
}

/** Whether a check counts: one that does not apply to the target is neither passed nor missed, and has no weight. */
export function counts({ not_applicable }: Pick<EvaluatorResult, 'not_applicable'>): boolean {
  return not_applicable !== true
}

/** The scores at which the verdict of a test changes. */
export function marksOf(threshold: number | undefined): readonly number[] {
  return threshold === undefined ? [PASS_MARK, BORDERLINE_MARK] : [threshold]
}

const MOST_DIGITS = 9

/** Formats a score with two digits, or with more if rounding would move it across a mark: `0.795`, not `0.80`. */
export function formatScore(score: number, digits = 2, marks = marksOf(undefined)): string {
  const text = score.toFixed(digits)
  const isRight = marks.every(mark => reaches(Number(text), mark) === reaches(score, mark))
  return isRight || digits >= MOST_DIGITS ? text : formatScore(score, digits + 1, marks)
}

/** Formats a score with at most four digits, or more to stay on its side of a mark, without trailing zeros. */
export function shortScore(score: number, marks?: readonly number[]): string {
  return String(Number(formatScore(score, 4, marks)))
}

/** Whether a required check was missed: this one, an item of it or a check inside it. Inside a negated check nothing is required. */
export function missesRequired(check: EvaluatorResult): boolean {
  return missesItsMark(check) || insideOf(check).some(missesRequired)
}

/** The required checks that were missed, at any depth. */
export function missedRequired(checks: readonly EvaluatorResult[]): EvaluatorResult[] {
  return checks.flatMap(check => [...(missesItsMark(check) ? [check] : []), ...missedRequired(insideOf(check))])
}

/** Whether a check that counts could not be judged. A check without weight counts if it, or a check inside it, is required. */
export function isUnjudged(check: EvaluatorResult, weight = check.weight): boolean {
  return check.error !== undefined && (weight > 0 || isRequiredUnjudged(check))
}

function isRequiredUnjudged(check: EvaluatorResult): boolean {
  return check.error !== undefined && (check.required !== null || insideOf(check).some(isRequiredUnjudged))
}

function missesItsMark(check: EvaluatorResult): boolean {
  if (!counts(check)) return false
  const { required, passed, items, negate } = check
  return (required !== null && !passed) || (!negate && (items?.some(item => item.required && !item.passed) ?? false))
}

/** The checks inside a check that count: none of a negated one. */
function insideOf({ negate, evaluator_results: inside = [] }: EvaluatorResult): readonly EvaluatorResult[] {
  return negate ? [] : inside
}
