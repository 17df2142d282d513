import { compositeKey } from '../../lib/collections.ts'
import { boundedMean, type Interval } from '../../lib/statistics/intervals.ts'
import type { Trigger } from '../../model/result.ts'
import { type ResultFacts, type RunReader, testKey } from '../../model/run-reader.ts'
import { inputText } from '../result-texts.ts'

/** How often a skill was used on a target, compared with the expectation, over all answers. */
export interface SkillTriggers {
  readonly skill: string
  readonly target: string
  /** Used, as expected. */
  readonly tp: number
  /** Used, but should not be. */
  readonly fp: number
  /** Not used, as expected. */
  readonly tn: number
  /** Not used, but should be. */
  readonly fn: number
  /** Checks without a judgement, not included in these numbers. */
  readonly unjudged: number
  /** Attempts without an answer, except for tests known to be about another skill. */
  readonly unanswered: number
  /** Null if the denominator is 0. */
  readonly precision: number | null
  readonly recall: number | null
  /** Undefined if the denominator is 0 or there is a single query. Answers to one query form a cluster. */
  readonly precision_interval: Interval | undefined
  readonly recall_interval: Interval | undefined
  readonly f1: number | null
  /** Never used although it should be: probably the agent does not know the skill. A control arm need not know it. */
  readonly harness_suspect: boolean
  readonly queries: readonly TriggerQuery[]
}

/** A test over all its trials. */
export interface TriggerQuery {
  readonly suite: string
  readonly file: string
  readonly test_id: string
  /** The input, if the test id is only a number. */
  readonly text?: string
  readonly should_trigger: boolean
  readonly triggered: number
  readonly judged: number
  readonly unjudged: number
  /** `triggered` of `judged`. */
  readonly rate: number | null
  /** Minimum rate at which the skill counts as used. */
  readonly threshold: number
  /** Whether the use of the skill matches the expectation; null without a rate. */
  readonly pass: boolean | null
}

/** Same default as `run_eval.py` of skill-creator. */
const DEFAULT_THRESHOLD = 0.5

/** Collects the trigger rates of a run. */
export class TriggerRates {
  readonly #threshold: number | undefined
  readonly #skills = new Map<string, Skill>()
  readonly #answered = new Set<string>()
  /** Tests of the attempts without an answer, by target. */
  readonly #unanswered = new Map<string, string[]>()

  /** `threshold` overrides the thresholds of the suites. */
  constructor(threshold?: number) {
    this.#threshold = threshold
  }

  /** `test` identifies the test over all its trials. */
  add(facts: ResultFacts, test: string): void {
    if (facts.has_answer) this.#answered.add(test)
    else addTo(this.#unanswered, facts.target, test)
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
  get rates(): readonly SkillTriggers[] | undefined {
    return this.#skills.size === 0
      ? undefined
      : [...this.#skills.values()].map(skill => ratesOf(skill, this.#unansweredOf(skill)))
  }

  /** Other trials of a test show which skill it is about. */
  #unansweredOf({ target, wanted, unwanted }: Skill): number {
    const isOf = (test: string) => wanted.has(test) || unwanted.has(test) || !this.#answered.has(test)
    return (this.#unanswered.get(target) ?? []).filter(isOf).length
  }

  #skillOf({ skill }: Trigger, { target }: ResultFacts): Skill {
    const key = compositeKey(skill, target)
    let found = this.#skills.get(key)
    if (!found) {
      found = { skill, target, is_control: true, wanted: new Map(), unwanted: new Map(), queries: [] }
      this.#skills.set(key, found)
    }
    return found
  }
}

function addTo(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

/** A test with contradicting expectations counts as two queries. */
interface Skill {
  readonly skill: string
  readonly target: string
  /** Whether the target is the control arm of all queries. */
  is_control: boolean
  readonly wanted: Map<string, Query>
  readonly unwanted: Map<string, Query>
  readonly queries: Query[]
}

type Query = { -readonly [Key in keyof TriggerQuery]: TriggerQuery[Key] }

function queryOf(skill: Skill, { should_trigger }: Trigger, facts: ResultFacts, test: string): Query {
  const known = should_trigger ? skill.wanted : skill.unwanted
  let query = known.get(test)
  if (!query) {
    const { suite, file, test_id } = facts
    const none = { triggered: 0, judged: 0, unjudged: 0, rate: null, pass: null }
    query = { suite, file, test_id, should_trigger, ...none, threshold: DEFAULT_THRESHOLD }
    known.set(test, query)
    skill.queries.push(query)
  }
  return query
}

function count(query: Query, { triggered }: Trigger): void {
  if (triggered === undefined) query.unjudged++
  else query.judged++
  if (triggered) query.triggered++
  query.rate = share(query.triggered, query.judged)
  query.pass = query.rate === null ? null : query.rate >= query.threshold === query.should_trigger
}

function ratesOf({ skill, target, is_control, queries }: Skill, unanswered: number): SkillTriggers {
  let [tp, fp, tn, fn, unjudged] = [0, 0, 0, 0, 0]
  for (const query of queries) {
    const left = query.judged - query.triggered
    if (query.should_trigger) [tp, fn] = [tp + query.triggered, fn + left]
    else [fp, tn] = [fp + query.triggered, tn + left]
    unjudged += query.unjudged
  }
  return {
    skill,
    target,
    tp,
    fp,
    tn,
    fn,
    unjudged,
    unanswered,
    precision: share(tp, tp + fp),
    recall: share(tp, tp + fn),
    precision_interval: intervalOf(queries.map(({ triggered, should_trigger }) => answers(triggered, should_trigger))),
    recall_interval: intervalOf(
      queries
        .filter(({ should_trigger }) => should_trigger)
        .map(({ triggered, judged }) => [...answers(triggered, true), ...answers(judged - triggered, false)]),
    ),
    f1: share(2 * tp, 2 * tp + fp + fn),
    harness_suspect: fn > 0 && tp + fp === 0 && !is_control,
    queries,
  }
}

function answers(count: number, isRight: boolean): number[] {
  return Array<number>(count).fill(Number(isRight))
}

/** Returns the interval of the share of correct answers, clustered by query. */
function intervalOf(queries: readonly (readonly number[])[]): Interval | undefined {
  const values = queries.flat()
  if (values.length === 0) return undefined
  const clusters = queries.flatMap((each, index) => each.map(() => (each.length > 1 ? String(index) : undefined)))
  return boundedMean(values, { clusters, isRate: true }).interval
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}

type SkillRates = readonly SkillTriggers[] | undefined

/** Adds the input text to queries whose test id is only a number. */
export function withQueryTexts(all: SkillRates, run: RunReader): SkillRates {
  if (!all?.some(({ queries }) => queries.some(isNumbered))) return all
  const attempts = new Map<string, string>()
  for (const facts of run.facts()) if (isNumbered(facts)) attempts.set(testKey(facts), facts.attempt_id)
  return all.map(rates => ({
    ...rates,
    queries: rates.queries.map(query => {
      const id = isNumbered(query) ? attempts.get(testKey({ ...query, target: rates.target })) : undefined
      const result = id === undefined ? undefined : run.result(id)
      return result ? { ...query, text: inputText(result) } : query
    }),
  }))
}

/** Whether a test id is only a number, as in trigger sets. */
function isNumbered({ test_id }: { readonly test_id: string }): boolean {
  return /^\d+$/.test(test_id)
}
