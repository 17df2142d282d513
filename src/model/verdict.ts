import type { EvaluatorResult } from './result.ts'

/** A score from here on is a pass, for a test and for a check. */
export const PASS_MARK = 0.8

/** A score from here on, below a pass, is borderline. */
export const BORDERLINE_MARK = 0.6

export type Verdict = 'pass' | 'borderline' | 'fail' | 'error'

/** Whether a score reaches a mark; what arithmetic adds or loses in the last digits does not count. */
export function reaches(score: number, mark: number): boolean {
  return Math.round(score * 1e9) >= Math.round(mark * 1e9)
}

export function verdictOf(score: number): Verdict {
  if (reaches(score, PASS_MARK)) return 'pass'
  return reaches(score, BORDERLINE_MARK) ? 'borderline' : 'fail'
}

const MOST_DIGITS = 9

/** A score with two digits, or as many as it takes not to look like one on the other side of a mark: `0.795`, not `0.80`. */
export function formatScore(
  score: number,
  digits = 2,
  marks: readonly number[] = [PASS_MARK, BORDERLINE_MARK],
): string {
  const text = score.toFixed(digits)
  const isRight = marks.every(mark => reaches(Number(text), mark) === reaches(score, mark))
  return isRight || digits >= MOST_DIGITS ? text : formatScore(score, digits + 1, marks)
}

/** A score with at most four digits, or as many as it takes, without zeros at its end. */
export function shortScore(score: number, marks?: readonly number[]): string {
  return String(Number(formatScore(score, 4, marks)))
}

/** Whether a check is required and was missed, or an item or a check inside it. Inside a negated check nothing is required. */
export function missesRequired(check: EvaluatorResult): boolean {
  return missesItsMark(check) || insideOf(check).some(missesRequired)
}

/** The required checks that were missed, at whatever depth. */
export function missedRequired(checks: readonly EvaluatorResult[]): EvaluatorResult[] {
  return checks.flatMap(check => [...(missesItsMark(check) ? [check] : []), ...missedRequired(insideOf(check))])
}

/** Whether a check that counts could not be judged: one without weight counts where it, or a check inside it, is required. */
export function isUnjudged(check: EvaluatorResult, weight = check.weight): boolean {
  return check.error !== undefined && (weight > 0 || isRequiredUnjudged(check))
}

function isRequiredUnjudged(check: EvaluatorResult): boolean {
  return check.error !== undefined && (check.required !== null || insideOf(check).some(isRequiredUnjudged))
}

function missesItsMark({ required, passed, items, negate }: EvaluatorResult): boolean {
  return (required !== null && !passed) || (!negate && (items?.some(item => item.required && !item.passed) ?? false))
}

/** Of a negated check only the whole counts: what it contains was to be missed. */
function insideOf({ negate, evaluator_results: inside = [] }: EvaluatorResult): readonly EvaluatorResult[] {
  return negate ? [] : inside
}
