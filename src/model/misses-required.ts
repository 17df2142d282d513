import type { EvaluatorResult } from './result.ts'

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
