import { formatJson } from '../../lib/json/stringify.ts'
import type { AggregateGrader, AggregateRun, GraderResult } from '../../model/aggregate-result.ts'
import type { EvaluatorResult } from '../../model/evaluator-result.ts'
import type { MatchedGrader } from './match-graders.ts'
import { graderScore, isScored } from './score-by-graders.ts'

/** Our types of checks by those of the graders; others keep their name. */
const CHECK_TYPES: Readonly<Record<string, string>> = { file_exists: 'file', llm: 'rubrics', baseline: 'llm_judge' }

/** The result of a grader as that of a check. A grader that a run did not use does not apply to its arm. */
export function checkOf({ definition, result }: MatchedGrader, run: AggregateRun): EvaluatorResult {
  const { name, type, weight } = definition
  const shared = { name, type: CHECK_TYPES[type] ?? type, text: textOf(definition), line: 1, duration_ms: 0 }
  const none = { required: null, hits: [], misses: [] }
  if (run.aborted && run.graders.length === 0)
    return { ...shared, ...none, score: 0, weight, passed: false, misses: [abortText(run.aborted)] }
  if (!result) return { ...shared, ...none, score: null, weight, passed: false, not_applicable: true }
  const counted = isScored(result) ? result.weight : 0
  const error = graderError(definition, result, run)
  if (error) return { ...shared, ...none, score: null, weight: counted, passed: false, error }
  const { passed, explanation, assay } = result
  const found = explanation === '' ? [] : [explanation]
  return {
    ...shared,
    score: graderScore(result),
    weight: counted,
    required: assay?.required ?? null,
    passed,
    hits: passed ? found : [],
    misses: passed ? [] : found,
    ...(assay?.trigger ? { trigger: assay.trigger } : {}),
  }
}

function textOf({ name, type, graderMarkdown, config }: AggregateGrader): string {
  return graderMarkdown ?? `${name} (${type} ${formatJson(config)})`
}

function abortText({ server, tool, reason }: NonNullable<AggregateRun['aborted']>): string {
  return `aborted by the mock of ${server}/${tool}: ${reason}`
}

/** Why a grader has no finding, though the file counts it as failed. */
function graderError(grader: AggregateGrader, result: GraderResult, run: AggregateRun): EvaluatorResult['error'] {
  const { explanation, assay } = result
  if (assay) return assay.error
  const isThrown = explanation.startsWith('grader threw: ')
  const message = isThrown ? explanation : PROBLEMS[grader.type]?.(result, run, grader.config)
  return message === undefined ? undefined : { code: 'not-graded', message }
}

type Problem = (
  result: GraderResult,
  run: AggregateRun,
  config: Readonly<Record<string, unknown>>,
) => string | undefined

const skipped: Problem = ({ judgeVotes }, { skippedPaidGraders }) =>
  skippedPaidGraders && !judgeVotes ? 'skipped, because the cost ceiling was reached' : undefined

/** What keeps graders of the client from a finding, by their types. */
const PROBLEMS: Readonly<Record<string, Problem>> = {
  llm: skipped,
  baseline: (result, run, config) =>
    skipped(result, run, config) ?? (result.judgeVotes ? undefined : result.explanation),
  tool_used: (_, __, { min, max }) =>
    isNumber(max) && max < least(min)
      ? `cannot pass: at least ${least(min)} and at most ${max} calls are expected`
      : undefined,
}

/** The client expects at least one call if `min` is absent. */
function least(min: unknown): number {
  return isNumber(min) ? min : 1
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number'
}
