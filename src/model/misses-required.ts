import type { EvaluatorResult } from './result.ts'

/** Whether a check is required and was missed, or an item or a check inside it. */
export function missesRequired(check: EvaluatorResult): boolean {
  return missesItsMark(check) || (check.evaluator_results?.some(missesRequired) ?? false)
}

/** The required checks that were missed, at whatever depth. */
export function missedRequired(checks: readonly EvaluatorResult[]): EvaluatorResult[] {
  return checks.flatMap(check => [
    ...(missesItsMark(check) ? [check] : []),
    ...missedRequired(check.evaluator_results ?? []),
  ])
}

function missesItsMark({ required, passed, items }: EvaluatorResult): boolean {
  return (required !== null && !passed) || (items?.some(item => item.required && !item.passed) ?? false)
}
