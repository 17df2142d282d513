import { textKey } from '../lib/text-key.ts'
import type { Trigger } from '../model/result.ts'
import type { ResultFacts } from '../model/run-reader.ts'

/** How often a skill was used on a target, against how often it should have been. Every answer counts. */
export interface SkillTriggers {
  readonly skill: string
  readonly target: string
  /** Used, and rightly so. */
  readonly tp: number
  /** Used, though it should not be. */
  readonly fp: number
  /** Left alone, and rightly so. */
  readonly tn: number
  /** Left alone, though it should be used. */
  readonly fn: number
  /** Checks that could not be judged: they are in none of these numbers. */
  readonly unjudged: number
  /** Null where there is nothing to divide by. */
  readonly precision: number | null
  readonly recall: number | null
  readonly f1: number | null
  /** It should be used at times and never was: more likely the agent does not know the skill than that its description is bad. */
  readonly harness_suspect: boolean
  readonly queries: readonly TriggerQuery[]
}

/** A test, over all its trials. */
export interface TriggerQuery {
  readonly suite: string
  readonly file: string
  readonly test_id: string
  readonly should_trigger: boolean
  readonly triggered: number
  readonly judged: number
  readonly unjudged: number
  /** `triggered` of `judged`. */
  readonly rate: number | null
}

/** Collects what the checks of a run say about the use of skills. */
export class TriggerRates {
  readonly #skills = new Map<string, Skill>()

  /** `test` is the same for all trials of a test. */
  add(facts: ResultFacts, test: string): void {
    for (const trigger of facts.triggers ?? [])
      count(queryOf(this.#skillOf(trigger, facts), trigger, facts, test), trigger)
  }

  /** By skill and target, in the order of their first appearance; undefined where no check was about a skill. */
  get rates(): readonly SkillTriggers[] | undefined {
    return this.#skills.size === 0 ? undefined : [...this.#skills.values()].map(ratesOf)
  }

  #skillOf({ skill }: Trigger, { target }: ResultFacts): Skill {
    const key = textKey(skill, target)
    let found = this.#skills.get(key)
    if (!found) {
      found = { skill, target, wanted: new Map(), unwanted: new Map(), queries: [] }
      this.#skills.set(key, found)
    }
    return found
  }
}

/** One test with two wishes is two queries: neither hides the other. */
interface Skill {
  readonly skill: string
  readonly target: string
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
    query = { suite, file, test_id, should_trigger, triggered: 0, judged: 0, unjudged: 0, rate: null }
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
}

function ratesOf({ skill, target, queries }: Skill): SkillTriggers {
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
    precision: share(tp, tp + fp),
    recall: share(tp, tp + fn),
    f1: share(2 * tp, 2 * tp + fp + fn),
    harness_suspect: fn > 0 && tp + fp === 0,
    queries,
  }
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}
