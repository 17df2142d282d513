import { applicableChecks } from './applicability.ts'
import { type Check, nestedChecks } from './check.ts'
import type { OtherAnswer } from './other-answer.ts'
import type { GradedTarget } from './target.ts'

/** A check with the answer that it compares with. */
export interface Comparison<Other extends OtherAnswer = OtherAnswer> {
  readonly check: Check
  readonly other: Other
}

/** Yields the comparisons of checks that apply to a target. */
export function* comparisonsOn(checks: readonly Check[], target: GradedTarget): Generator<Comparison> {
  if (!checks.some(compares)) return
  for (const check of applicableChecks(checks, target)) {
    const other = check.evaluator.compares?.(check.config)
    if (other) yield { check, other }
  }
}

/** Whether a check, or one inside it, compares with another answer. */
function compares(check: Check): boolean {
  const { evaluator, config } = check
  return evaluator.compares?.(config) !== undefined || nestedChecks(check).some(compares)
}

export function isWithTarget(comparison: Comparison): comparison is Comparison<{ readonly target: string }> {
  return 'target' in comparison.other
}

export function isWithRun(comparison: Comparison): comparison is Comparison<{ readonly run: string }> {
  return 'run' in comparison.other
}
