import type { ResultFacts } from '../../model/run-reader.ts'

/** The known cost of an attempt with its judges. Cached answers cost nothing. */
export function costOf({ cost_usd = 0, is_cached, judge_cost_usd = 0 }: CostFacts): number {
  return (is_cached ? 0 : cost_usd) + judge_cost_usd
}

export function isCostUnknown(facts: CostFacts): boolean {
  return (facts.cost_usd === undefined && !facts.is_cached) || isJudgeCostUnknown(facts)
}

export function isJudgeCostUnknown({ judge_calls, judge_cost_usd }: CostFacts): boolean {
  return judge_calls > 0 && judge_cost_usd === undefined
}

type CostFacts = Pick<ResultFacts, 'cost_usd' | 'is_cached' | 'judge_calls' | 'judge_cost_usd'>
