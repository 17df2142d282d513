import { withoutNullish } from '../../lib/objects.ts'
import type { AggregateRun, GraderResult } from '../../model/aggregate-result.ts'
import type { EvaluatorResult } from '../../model/evaluator-result.ts'
import type { Result } from '../../model/result.ts'
import { factsOf } from '../../model/run-reader.ts'
import { counts, missesRequired } from '../../model/verdict.ts'
import { costOf, isCostUnknown, isJudgeCostUnknown } from './costs.ts'

/** An attempt as a run. One with an error has the score 0, as the client writes it, and counts in no figure of ours. */
export function aggregateRun(
  result: Result,
  isWithOnly: (name: string) => boolean,
  tracePath: string | undefined,
): AggregateRun {
  const facts = factsOf(result)
  const { error, evaluator_results: checks, duration_ms, elapsed_ms = duration_ms, trace_summary } = result
  const score = error || facts.misses_required ? 0 : (result.score ?? 0)
  const turns = trace_summary && trace_summary.llm_call_count - (trace_summary.subagent_llm_call_count ?? 0)
  const unknown = [
    ...(turns === undefined ? ['turns'] : []),
    ...(isCostUnknown(facts) ? ['costUsd'] : []),
    ...(isJudgeCostUnknown(facts) ? ['judgeCostUsd'] : []),
  ]
  return {
    score,
    passed: score >= 1,
    turns: turns ?? 0,
    costUsd: costOf(facts),
    judgeCostUsd: facts.judge_cost_usd ?? 0,
    ...withoutNullish({ durationSeconds: elapsed_ms === undefined ? undefined : elapsed_ms / 1000 }),
    startedAt: result.timestamp,
    error: error ? `${error.code}: ${error.message}` : null,
    tracePath: tracePath ?? '',
    skippedPaidGraders: false,
    graders: checks.filter(counts).map(check => graderResult(check, isWithOnly(check.name))),
    assay: runFields(result, unknown),
  }
}

function runFields(result: Result, unknown: readonly string[]): AggregateRun['assay'] {
  const { attempt_id, trial, rerun, added, cached, failed_calls, answer, error } = result
  const { token_usage, cost_usd, judge_usage } = result
  return {
    attempt_id,
    trial,
    answer,
    ...withoutNullish({ rerun, added, cached, failed_calls, token_usage, cost_usd, judge_usage, error }),
    ...(unknown.length === 0 ? {} : { unknown: [...unknown] }),
  }
}

function graderResult(check: EvaluatorResult, withOnly: boolean): GraderResult {
  const { name, weight, score, trigger, error } = check
  const isMissed = missesRequired(check)
  return {
    name,
    passed: check.passed && !isMissed,
    weight,
    explanation: explanationOf(check),
    withOnly,
    scored: weight > 0,
    ...withoutNullish({ judgeVotes: votesOf(check) }),
    assay: { score, ...(isMissed ? { required: check.required ?? 1 } : {}), ...withoutNullish({ trigger, error }) },
  }
}

/** The votes on a check with one item; those on several items are not those on the check. */
function votesOf({ items: [item, ...others] = [] }: EvaluatorResult): boolean[] | undefined {
  const votes = others.length > 0 ? [] : (item?.votes ?? [])
  const decided = votes.flatMap(({ satisfied }) => satisfied ?? [])
  return decided.length > 0 && decided.length === votes.length ? decided : undefined
}

function explanationOf({ error, reasoning = '', passed, hits, misses, not_run }: EvaluatorResult): string {
  if (error) return `not graded: ${error.code}: ${error.message}`
  if (not_run) return 'not run: a gate check was missed'
  const findings = passed ? [...hits, ...misses] : [...misses, ...hits]
  return [reasoning, ...findings].filter(text => text !== '').join('; ')
}
