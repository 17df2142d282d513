import { compositeKey } from '../../lib/collections.ts'
import { withoutNullish } from '../../lib/objects.ts'
import type { JudgeUsage, Result } from '../../model/result.ts'
import type { Rerun } from '../../model/run-info.ts'
import type { ResultFacts, RunReader } from '../../model/run-reader.ts'
import type { Verdict } from '../../model/verdict.ts'
import { partialRunText } from './partial-run.ts'
import { type TestOutcome, TestOutcomes } from './test-outcome.ts'
import { type SkillTriggers, TriggerRates, withQueryTexts } from './trigger-rates.ts'

export type Counts = Readonly<Record<Verdict, number>>

/** How a run ended, in numbers that every command and report shares. */
export interface Outcome {
  readonly tests: readonly TestOutcome[]
  /** Tests by verdict. */
  readonly counts: Counts
  /** Tests on targets that were planned. */
  readonly planned_tests: number
  /** Different tests among them, whatever their targets. */
  readonly distinct_tests: number
  /** Attempts that were planned but have no result. */
  readonly not_run: number
  /** Which part of the suites was run, in words; undefined where it was all of them. */
  readonly partial: string | undefined
  /** Files of targets that changed while the run was going on. */
  readonly changed: readonly string[]
  /** Lines of the records that cannot be read. */
  readonly damaged: number
  /** Attempts that were made again, and in how many reruns; undefined where none was. */
  readonly reruns: { readonly attempts: number; readonly reruns: number } | undefined
  /** How many answers there are, and how many of them were taken from the cache; failures in it are among both. */
  readonly answers: number
  readonly cached: number
  /** How many answers came after failures of the agent, and how many failures that were. */
  readonly retried: { readonly answers: number; readonly failed_calls: number } | undefined
  /** What the targets cost, as far as it is known; answers from the cache cost nothing. */
  readonly cost_usd: number | undefined
  /** What judges by model used; undefined where none was asked. */
  readonly judge_usage: Pick<JudgeUsage, 'calls' | 'cost_usd'> | undefined
  /** How often skills were used; undefined where no check is about that. */
  readonly triggers: readonly SkillTriggers[] | undefined
  /** Whether an attempt ended in a bug of ours. */
  readonly has_bug: boolean
  /** The first results that did not pass. */
  readonly notable: readonly Result[]
  /** How many more did not. */
  readonly more: number
}

/** How many results that did not pass are kept to be shown. */
const MOST_NOTABLE = 50

export function outcomeOf(run: RunReader): Outcome {
  const outcomes = new TestOutcomes()
  const totals = new Totals()
  const triggers = new TriggerRates(requestedThreshold(run))
  const notable: string[] = []
  for (const facts of run.facts()) {
    totals.add(facts)
    triggers.add(facts, outcomes.add(facts))
    if (facts.verdict !== 'pass') notable.push(facts.attempt_id)
  }
  const { tests } = outcomes
  const planned_tests = Math.max(run.planned_tests, tests.length)
  return {
    tests,
    counts: countsOf(tests),
    planned_tests,
    distinct_tests: distinctTests(run, tests, planned_tests),
    not_run: run.planned - totals.recorded,
    partial: partialRunText(run, totals.recorded),
    changed: run.info?.changed ?? [],
    damaged: run.damaged ?? 0,
    reruns: totals.rerunsOf(run),
    answers: totals.answers,
    cached: totals.cached,
    retried: totals.retried,
    cost_usd: totals.cost_usd,
    judge_usage: totals.judge_usage,
    triggers: withQueryTexts(triggers.rates, run),
    has_bug: totals.has_bug,
    notable: notable.slice(0, MOST_NOTABLE).flatMap(id => run.result(id) ?? []),
    more: Math.max(0, notable.length - MOST_NOTABLE),
  }
}

/** Tests that have no result on any target are known from the plan only, and of a shard not even there. */
function distinctTests({ info }: RunReader, tests: readonly TestOutcome[], planned_tests: number): number {
  const made = new Set(tests.map(({ suite, file, test_id }) => compositeKey(suite, file, test_id))).size
  const targets = new Set(tests.map(({ target }) => target)).size
  const left = planned_tests - tests.length
  if (left === 0) return made
  const even = planned_tests / targets
  const planned = info && !info.shard ? info.selected_tests : undefined
  const likely = planned ?? (Number.isInteger(even) && made <= even ? even : planned_tests)
  return Math.min(Math.max(made, likely), made + left)
}

/** The threshold that the run was asked for. */
function requestedThreshold({ info }: RunReader): number | undefined {
  const threshold = info?.options?.['trigger_threshold']
  return typeof threshold === 'number' ? threshold : undefined
}

/** What all attempts of a run come to. */
class Totals {
  recorded = 0
  answers = 0
  cached = 0
  retried: Outcome['retried']
  has_bug = false
  cost_usd: number | undefined
  /** The rerun of each attempt that was made again. */
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

  get judge_usage(): Outcome['judge_usage'] {
    if (this.#calls === 0) return undefined
    return { calls: this.#calls, ...withoutNullish({ cost_usd: this.#judge_cost_usd }) }
  }

  /** By `run.json` also those that were made again more than once. */
  rerunsOf({ info }: RunReader): Outcome['reruns'] {
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

export function countsOf(tests: readonly TestOutcome[]): Counts {
  const counts = { pass: 0, borderline: 0, fail: 0, error: 0 }
  for (const { verdict } of tests) counts[verdict]++
  return counts
}
