import { withoutNullish } from '../../lib/objects.ts'
import type { JudgeUsage } from '../../model/result.ts'
import type { Rerun } from '../../model/run-info.ts'
import type { ResultFacts, RunReader } from '../../model/run-reader.ts'

/** Totals over all attempts of a run. */
export class AttemptTotals {
  recorded = 0
  answers = 0
  cached = 0
  /** Answers that needed retries, and the number of failed calls. */
  retried: { readonly answers: number; readonly failed_calls: number } | undefined
  has_bug = false
  /** Known cost of the targets; cached answers cost nothing. */
  cost_usd: number | undefined
  /** The rerun of each repeated attempt. */
  readonly #reruns = new Map<string, number>()
  #calls = 0
  #judge_cost_usd: number | undefined

  add(facts: ResultFacts): void {
    const { cost_usd, judge_calls, judge_cost_usd, rerun } = facts
    this.recorded++
    this.answers += Number(facts.has_answer || facts.is_cached)
    this.cached += Number(facts.is_cached)
    this.has_bug ||= facts.is_bug
    this.#countFailedCalls(facts)
    if (cost_usd !== undefined && !facts.is_cached) this.cost_usd = (this.cost_usd ?? 0) + cost_usd
    if (judge_cost_usd !== undefined) this.#judge_cost_usd = (this.#judge_cost_usd ?? 0) + judge_cost_usd
    this.#calls += judge_calls
    if (rerun !== undefined) this.#reruns.set(facts.attempt_id, rerun)
  }

  #countFailedCalls({ failed_calls }: ResultFacts): void {
    if (failed_calls === undefined) return
    const { answers, failed_calls: before } = this.retried ?? { answers: 0, failed_calls: 0 }
    this.retried = { answers: answers + 1, failed_calls: before + failed_calls }
  }

  /** Usage of model judges; undefined without calls. */
  get judge_usage(): Pick<JudgeUsage, 'calls' | 'cost_usd'> | undefined {
    if (this.#calls === 0) return undefined
    return { calls: this.#calls, ...withoutNullish({ cost_usd: this.#judge_cost_usd }) }
  }

  /**
   * Repeated attempts and number of reruns; undefined without reruns. Includes attempts repeated several times, which only
   * `run.json` knows.
   */
  rerunsOf({ info }: RunReader): { readonly attempts: number; readonly reruns: number } | undefined {
    const known = info?.reruns ?? [...new Set(this.#reruns.values())].map(rerun => this.#madeIn(rerun))
    const made = known.map(({ added, replaced }, index) =>
      [...added, ...replaced].filter(id => !info || (this.#reruns.get(id) ?? 0) > index),
    )
    const attempts = made.reduce((sum, ids) => sum + ids.length, 0)
    return attempts === 0 ? undefined : { attempts, reruns: made.filter(ids => ids.length > 0).length }
  }

  #madeIn(rerun: number): Pick<Rerun, 'added' | 'replaced'> {
    return { added: [...this.#reruns].filter(([, number]) => number === rerun).map(([id]) => id), replaced: [] }
  }
}
