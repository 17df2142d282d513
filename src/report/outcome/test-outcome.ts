import { type ResultFacts, testKey } from '../../model/run-reader.ts'
import { type Verdict, verdictOf } from '../../model/verdict.ts'

/** A test on a target, over all its attempts. */
export interface TestOutcome {
  readonly suite: string
  readonly file: string
  readonly test_id: string
  readonly target: string
  readonly verdict: Verdict
  /** The mean over the attempts that have a score; null where none has. */
  readonly score: number | null
  readonly attempts: number
  /** How many of them passed. */
  readonly passed: number
  /** How many of them are errors. */
  readonly errors: number
  /** How many of them were made again by a rerun. */
  readonly reruns: number
  /** How many of their answers were taken from the cache. */
  readonly cached: number
  /** The same of the attempts that no rerun added; undefined where none was added. */
  readonly first: FirstAttempts | undefined
  /** What each of those counts in a comparison: its score, or 0 for an error and for a missed required check. */
  readonly values: readonly number[]
  /** Whether the attempts disagree in their verdict. */
  readonly is_flaky: boolean
  /** Identifies the test alone, by its content; undefined in old records. */
  readonly test_hash: string | undefined
  /** What it shares with tests that are not independent of it. */
  readonly cluster: string | undefined
}

/** Attempts that were not made only because another one had failed. */
export type FirstAttempts = Pick<TestOutcome, 'attempts' | 'passed' | 'errors' | 'score'>

/** A test without the attempts that reruns added. */
export function withoutReruns(test: TestOutcome): TestOutcome {
  return test.first ? { ...test, ...test.first, first: undefined } : test
}

/** Collects attempts by their test and target. */
export class TestOutcomes {
  readonly #groups = new Map<string, Group>()

  /** Gives what the test is known by. */
  add(facts: ResultFacts): string {
    const key = testKey(facts)
    let group = this.#groups.get(key)
    if (!group) {
      group = new Group(facts)
      this.#groups.set(key, group)
    }
    group.add(facts)
    return key
  }

  /** In the order of their first attempts. */
  get tests(): TestOutcome[] {
    return Array.from(this.#groups.values(), group => group.outcome)
  }
}

/** Counts of attempts. */
class Tally {
  attempts = 0
  passed = 0
  errors = 0
  #sum = 0

  add({ score, verdict }: ResultFacts): void {
    this.attempts++
    this.passed += Number(verdict === 'pass')
    this.errors += Number(verdict === 'error')
    this.#sum += score ?? 0
  }

  get counts(): FirstAttempts {
    const { attempts, passed, errors } = this
    const answered = attempts - errors
    return { attempts, passed, errors, score: answered === 0 ? null : Math.round((this.#sum / answered) * 1e9) / 1e9 }
  }
}

class Group {
  readonly #firstFacts: ResultFacts
  readonly #values: number[] = []
  readonly #all = new Tally()
  readonly #first = new Tally()
  #reruns = 0
  #cached = 0
  #isFlaky = false
  #missesRequired = false

  constructor(first: ResultFacts) {
    this.#firstFacts = first
  }

  add(facts: ResultFacts): void {
    const { score, verdict, misses_required, rerun, is_cached } = facts
    this.#all.add(facts)
    if (!facts.added) {
      this.#first.add(facts)
      this.#values.push(misses_required ? 0 : (score ?? 0))
    }
    this.#reruns += Number(rerun !== undefined)
    this.#cached += Number(is_cached)
    this.#isFlaky ||= verdict !== this.#firstFacts.verdict
    this.#missesRequired ||= misses_required
  }

  /** The verdict of the mean; but a required check that was missed in any attempt fails the test, and any error is one. */
  get outcome(): TestOutcome {
    const { suite, file, test_id, target, test_hash, cluster } = this.#firstFacts
    const { attempts, passed, errors, score } = this.#all.counts
    const isError = score === null || errors > 0
    return {
      suite,
      file,
      test_id,
      target,
      verdict: isError ? 'error' : this.#missesRequired ? 'fail' : verdictOf(score),
      score,
      attempts,
      passed,
      errors,
      reruns: this.#reruns,
      cached: this.#cached,
      first: this.#first.attempts < attempts ? this.#first.counts : undefined,
      values: this.#values,
      is_flaky: this.#isFlaky,
      test_hash,
      cluster,
    }
  }
}
