import type { EvaluatorResult } from '../../model/evaluator-result.ts'
import { attributesOf, nanoseconds, type OtlpEvent } from './otlp.ts'

interface EventOptions {
  /** When grading began, in milliseconds since 1970. */
  readonly since: number
  /** Whether texts that may quote the answer are included. */
  readonly content: boolean
}

/** The evaluation events of checks that were judged, or could not be: nested ones after their parent. */
export function checkEvents(
  checks: readonly EvaluatorResult[],
  options: EventOptions,
  parent?: string,
): readonly OtlpEvent[] {
  return checks.flatMap(check => {
    if (check.not_run || check.not_applicable) return []
    return [checkEvent(check, options, parent), ...checkEvents(check.evaluator_results ?? [], options, check.name)]
  })
}

function checkEvent(check: EvaluatorResult, { since, content }: EventOptions, parent: string | undefined): OtlpEvent {
  const { name, type, score, passed, required, weight, error, duration_ms } = check
  return {
    timeUnixNano: nanoseconds(since + duration_ms),
    name: 'gen_ai.evaluation.result',
    attributes: attributesOf({
      'gen_ai.evaluation.name': name,
      'gen_ai.evaluation.score.value': score ?? undefined,
      'gen_ai.evaluation.score.label': score === null ? undefined : passed ? 'pass' : 'fail',
      'gen_ai.evaluation.explanation': content ? explanation(check) : check.text,
      'error.type': error?.code,
      'assay.check.type': type,
      'assay.check.weight': weight,
      'assay.check.required': required !== null,
      'assay.check.parent': parent,
    }),
  }
}

/** The check in words, then why it has its score. */
function explanation({ text, misses, reasoning, error }: EvaluatorResult): string {
  return [text, ...misses, reasoning, error?.message].filter(Boolean).join('\n')
}
