import { compositeKey } from '../../lib/collections.ts'
import type { Trigger } from '../../model/evaluator-result.ts'
import { isQuarantined } from '../../model/mark.ts'
import type { ResultFacts, RunReader } from '../../model/run-reader.ts'
import { QueryInputs } from './query-inputs.ts'
import type { SkillTriggers, TriggerQuery } from './skill-triggers.ts'
import { figuresOf, rateInterval } from './trigger-figures.ts'

/** Same default as `run_eval.py` of skill-creator. */
const DEFAULT_THRESHOLD = 0.5

type TestAttempts = readonly ResultFacts[]

/** Collects the trigger rates of a run. */
export class TriggerRates {
  readonly #threshold: number | undefined
  readonly #skills = new Map<string, Skill>()
  /** Number of attempts without an answer, by target and test. */
  readonly #unanswered = new Map<string, Map<TestAttempts, number>>()

  /** `threshold` overrides the thresholds of the suites. */
  constructor(threshold?: number) {
    this.#threshold = threshold
  }

  /** `test` is the same for all attempts at a test, and has all of them in the end. */
  add(facts: ResultFacts, test: TestAttempts): void {
    if (!facts.has_answer) this.#countUnanswered(facts.target, test)
    const threshold = this.#threshold ?? facts.trigger_threshold ?? DEFAULT_THRESHOLD
    for (const trigger of facts.triggers ?? []) {
      const skill = this.#skillOf(trigger, facts)
      skill.is_control &&= facts.is_control
      const query = queryOf(skill, trigger, facts, test)
      query.threshold = threshold
      count(query, trigger)
    }
  }

  /** Rates by skill and target, in order of first appearance; undefined without trigger checks. */
  ratesIn(run: RunReader): readonly SkillTriggers[] | undefined {
    if (this.#skills.size === 0) return undefined
    const inputs = new QueryInputs(run)
    return [...this.#skills.values()].map(skill => this.#ratesOf(skill, inputs))
  }

  #ratesOf({ skill, target, is_control, wanted, unwanted, counts }: Skill, inputs: QueryInputs): SkillTriggers {
    const unanswered = this.#unanswered.get(target) ?? new Map<TestAttempts, number>()
    const queries = counts.map(query => ({
      ...verdictOf(query, unanswered.get(query.test) ?? 0, inputs.textOf(query)),
      cluster: query.cluster ?? inputs.keyOf(query),
    }))
    // Other trials of a test show which skill it is about.
    const isOf = (test: TestAttempts) => wanted.has(test) || unwanted.has(test) || !isAnswered(test)
    const numbers = numbersOf(counts)
    return {
      skill,
      target,
      ...(is_control ? { is_control: true } : {}),
      ...numbers,
      unanswered: [...unanswered].reduce((sum, [test, attempts]) => sum + (isOf(test) ? attempts : 0), 0),
      ...figuresOf(queries),
      harness_suspect: numbers.fn > 0 && numbers.tp + numbers.fp === 0 && !is_control,
      queries: queries.map(({ cluster, ...query }) => query),
    }
  }

  #countUnanswered(target: string, test: TestAttempts): void {
    const tests = this.#unanswered.get(target) ?? new Map<TestAttempts, number>()
    tests.set(test, (tests.get(test) ?? 0) + 1)
    this.#unanswered.set(target, tests)
  }

  #skillOf({ skill }: Trigger, { target }: ResultFacts): Skill {
    const key = compositeKey(skill, target)
    let found = this.#skills.get(key)
    if (!found) {
      found = { skill, target, is_control: true, wanted: new Map(), unwanted: new Map(), counts: [] }
      this.#skills.set(key, found)
    }
    return found
  }
}

/** A test with contradicting expectations counts as two queries. */
interface Skill {
  readonly skill: string
  readonly target: string
  /** Whether the target is the control arm of all queries. */
  is_control: boolean
  readonly wanted: Map<TestAttempts, QueryCounts>
  readonly unwanted: Map<TestAttempts, QueryCounts>
  readonly counts: QueryCounts[]
}

interface QueryCounts extends Pick<TriggerQuery, 'suite' | 'file' | 'test_id' | 'should_trigger'> {
  /** Identifies the test on its target. */
  readonly test: TestAttempts
  /** An attempt, whose record has the input. */
  readonly attempt_id: string
  readonly cluster: string | undefined
  triggered: number
  judged: number
  unjudged: number
  threshold: number
}

function isAnswered(test: TestAttempts): boolean {
  return test.some(facts => facts.has_answer && !isQuarantined(facts))
}

function queryOf(skill: Skill, { should_trigger }: Trigger, facts: ResultFacts, test: TestAttempts): QueryCounts {
  const known = should_trigger ? skill.wanted : skill.unwanted
  let query = known.get(test)
  if (!query) {
    const { suite, file, test_id, attempt_id, cluster } = facts
    const none = { triggered: 0, judged: 0, unjudged: 0, threshold: DEFAULT_THRESHOLD }
    query = { suite, file, test_id, should_trigger, test, attempt_id, cluster, ...none }
    known.set(test, query)
    skill.counts.push(query)
  }
  return query
}

function count(query: QueryCounts, { triggered }: Trigger): void {
  if (triggered === undefined) query.unjudged++
  else query.judged++
  if (triggered) query.triggered++
}

function verdictOf(query: QueryCounts, unanswered: number, text: string | undefined): TriggerQuery {
  const { suite, file, test_id, should_trigger, triggered, judged, unjudged, threshold } = query
  const rate = judged === 0 ? null : triggered / judged
  return {
    ...{ suite, file, test_id, ...(text === undefined ? {} : { text }), should_trigger, triggered, judged, unjudged },
    unanswered,
    rate,
    rate_interval: rateInterval(query),
    threshold,
    pass: rate === null ? null : rate >= threshold === should_trigger,
  }
}

function numbersOf(counts: readonly QueryCounts[]): Pick<SkillTriggers, 'tp' | 'fp' | 'tn' | 'fn' | 'unjudged'> {
  let [tp, fp, tn, fn, unjudged] = [0, 0, 0, 0, 0]
  for (const query of counts) {
    const left = query.judged - query.triggered
    if (query.should_trigger) [tp, fn] = [tp + query.triggered, fn + left]
    else [fp, tn] = [fp + query.triggered, tn + left]
    unjudged += query.unjudged
  }
  return { tp, fp, tn, fn, unjudged }
}
