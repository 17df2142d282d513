import { defined } from '../lib/defined.ts'
import { type Verdict, verdictOf } from '../model/marks.ts'
import type { JudgeUsage, Result } from '../model/result.ts'
import { type ResultFacts, type RunReader, testKey } from '../model/run-reader.ts'
import { type SkillTriggers, TriggerRates } from './trigger-rates.ts'

/** A test on a target, over all its trials. */
export interface TestOutcome {
  readonly suite: string
  readonly file: string
  readonly test_id: string
  readonly target: string
  readonly verdict: Verdict
  /** The mean of its attempts; null on an error. */
  readonly score: number | null
  readonly attempts: number
  /** How many of them passed. */
  readonly passed: number
  /** The variance of their scores; undefined where there is only one, or one without a score. */
  readonly variance: number | undefined
  /** Whether they disagree in their verdict. */
  readonly is_flaky: boolean
  /** Identifies the test alone, by its content; undefined in old records. */
  readonly test_hash: string | undefined
  /** What it shares with tests that stand or fall with it. */
  readonly cluster: string | undefined
}

export type Counts = Readonly<Record<Verdict, number>>

/** How a run ended, in numbers that every command and report shares. */
export interface Outcome {
  readonly tests: readonly TestOutcome[]
  /** Tests by verdict. */
  readonly counts: Counts
  /** Tests that were planned. */
  readonly planned_tests: number
  /** Attempts that were planned but have no result. */
  readonly not_run: number
  /** What the targets cost, as far as it is known. */
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

interface Group {
  readonly first: ResultFacts
  attempts: number
  sum: number
  squares: number
  passed: number
  isFlaky: boolean
  hasError: boolean
  missesRequired: boolean
}

export function outcomeOf(run: RunReader): Outcome {
  const groups = new Map<string, Group>()
  const spent = new Spent()
  const triggers = new TriggerRates()
  let recorded = 0
  let has_bug = false
  const notable: string[] = []
  for (const facts of run.facts()) {
    recorded++
    spent.add(facts)
    has_bug ||= facts.is_bug
    const test = testKey(facts)
    add(facts, test, groups)
    triggers.add(facts, test)
    if (facts.verdict !== 'pass') notable.push(facts.attempt_id)
  }
  const tests = [...groups.values()].map(testOutcome)
  return {
    tests,
    counts: countsOf(tests),
    planned_tests: Math.max(run.planned_tests, tests.length),
    not_run: run.planned - recorded,
    cost_usd: spent.cost_usd,
    judge_usage: spent.judge_usage,
    triggers: triggers.rates,
    has_bug,
    notable: notable.slice(0, MOST_NOTABLE).flatMap(id => run.result(id) ?? []),
    more: Math.max(0, notable.length - MOST_NOTABLE),
  }
}

/** What the targets and the judges of a run used. */
class Spent {
  cost_usd: number | undefined
  #calls = 0
  #judge_cost_usd: number | undefined

  add({ cost_usd, judge_calls, judge_cost_usd }: ResultFacts): void {
    if (cost_usd !== undefined) this.cost_usd = (this.cost_usd ?? 0) + cost_usd
    if (judge_cost_usd !== undefined) this.#judge_cost_usd = (this.#judge_cost_usd ?? 0) + judge_cost_usd
    this.#calls += judge_calls
  }

  get judge_usage(): Outcome['judge_usage'] {
    if (this.#calls === 0) return undefined
    return { calls: this.#calls, ...defined({ cost_usd: this.#judge_cost_usd }) }
  }
}

export function countsOf(tests: readonly TestOutcome[]): Counts {
  const counts = { pass: 0, borderline: 0, fail: 0, error: 0 }
  for (const { verdict } of tests) counts[verdict]++
  return counts
}

function add(facts: ResultFacts, key: string, groups: Map<string, Group>): void {
  let group = groups.get(key)
  if (!group) {
    group = {
      first: facts,
      attempts: 0,
      sum: 0,
      squares: 0,
      passed: 0,
      isFlaky: false,
      hasError: false,
      missesRequired: false,
    }
    groups.set(key, group)
  }
  group.attempts++
  group.passed += Number(facts.verdict === 'pass')
  group.isFlaky ||= facts.verdict !== group.first.verdict
  group.sum += facts.score ?? 0
  group.squares += (facts.score ?? 0) ** 2
  group.hasError ||= facts.verdict === 'error'
  group.missesRequired ||= facts.misses_required
}

/** The verdict of the mean; but a required check that was missed in any attempt fails the test, and an error is one. */
function testOutcome(group: Group): TestOutcome {
  const { first, attempts, sum, squares, passed, isFlaky, hasError, missesRequired } = group
  const { suite, file, test_id, target, test_hash, cluster } = first
  const score = hasError ? null : Math.round((sum / attempts) * 1e9) / 1e9
  const verdict = score === null ? 'error' : missesRequired ? 'fail' : verdictOf(score)
  const variance = hasError || attempts < 2 ? undefined : Math.max(0, squares - sum ** 2 / attempts) / (attempts - 1)
  const steadiness = { attempts, passed, variance, is_flaky: isFlaky }
  return { suite, file, test_id, target, verdict, score, ...steadiness, test_hash, cluster }
}
