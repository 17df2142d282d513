import type { EvaluatorResult } from '../../src/model/evaluator-result.ts'
import type { Result } from '../../src/model/result.ts'
import { outcomeOf } from '../../src/report/outcome/run-outcome.ts'
import type { SkillTriggers } from '../../src/report/outcome/skill-triggers.ts'
import { runOf, triggerResult } from './recorded-run.ts'

/** The trigger rates of a run with these results. */
export function ratesOf(results: readonly Partial<Result>[]): readonly SkillTriggers[] {
  return outcomeOf(runOf(results)).triggers ?? []
}

/** An attempt with the results of its checks. */
export const attempt = (test_id: string, checks: EvaluatorResult[], more: Partial<Result> = {}): Partial<Result> => ({
  test_id,
  input: [{ role: 'user', content: test_id }],
  evaluator_results: checks,
  ...more,
})

export type Counts = [tp: number, fp: number, tn: number, fn: number]

/** Queries with one answer each, by outcome. */
export function setOf([tp, fp, tn, fn]: Counts): Partial<Result>[] {
  const times = (count: number, should: boolean, did: boolean) =>
    Array.from({ length: count }, (_, index) =>
      attempt(`${should ? 'positive' : 'negative'}-${did}-${index}`, [triggerResult('csv', should, did)]),
    )
  return [...times(tp, true, true), ...times(fp, false, true), ...times(tn, false, false), ...times(fn, true, false)]
}
