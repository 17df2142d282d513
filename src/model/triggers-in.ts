import type { EvaluatorResult, Trigger } from './result.ts'

/** What checks found about the use of skills, at whatever depth; undefined where none is about that. */
export function triggersIn(checks: readonly EvaluatorResult[]): readonly Trigger[] | undefined {
  if (!checks.some(isAboutSkills)) return undefined
  return checks.flatMap(({ trigger, evaluator_results: inside = [] }) => [
    ...(trigger ? [trigger] : []),
    ...(triggersIn(inside) ?? []),
  ])
}

function isAboutSkills({ trigger, evaluator_results: inside }: EvaluatorResult): boolean {
  return trigger !== undefined || (inside?.some(isAboutSkills) ?? false)
}
