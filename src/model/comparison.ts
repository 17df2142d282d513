import { applicableChecks } from './applicability.ts'
import { type Check, someCheck } from './check.ts'
import type { Evaluator } from './evaluator.ts'
import type { OtherAnswer } from './other-answer.ts'
import type { GradedTarget } from './target.ts'

/** A check with the answer that it compares with. */
export interface Comparison<Other extends OtherAnswer = OtherAnswer> {
  readonly check: Check
  readonly other: Other
}

/** Yields the comparisons of checks that apply to a target. */
export function* comparisonsOn(checks: readonly Check[], target: GradedTarget): Generator<Comparison> {
  if (!hasComparison(checks)) return
  for (const check of applicableChecks(checks, target)) {
    const other = check.evaluator.compares?.(check.config)
    if (other) yield { check, other }
  }
}

/** Whether one of the checks, or one inside of them, compares with another answer. */
function hasComparison(checks: readonly Check[]): boolean {
  return someCheck(checks, compares)
}

/** Whether checks of this type can compare with another answer. */
export function canCompare({ compares }: Evaluator): boolean {
  return compares !== undefined
}

function compares({ evaluator, config }: Check): boolean {
  return evaluator.compares?.(config) !== undefined
}

export function isWithTarget(comparison: Comparison): comparison is Comparison<{ readonly target: string }> {
  return 'target' in comparison.other
}

export function isWithRun(comparison: Comparison): comparison is Comparison<{ readonly run: string }> {
  return 'run' in comparison.other
}
