import type { ControlOf } from '../../model/attempt.ts'
import type { Mark } from '../../model/mark.ts'
import { type ResultFacts, testKey } from '../../model/run-reader.ts'
import { type Verdict, verdictOf } from '../../model/verdict.ts'
import { type UsageMeans, UsageTally } from './usage-means.ts'

/** The outcome of a test on a target over all its attempts; its usage is that of the attempts not added by reruns. */
export interface TestOutcome extends UsageMeans {
  readonly suite: string
  readonly file: string
  readonly line: number
  readonly test_id: string
  readonly target: string
  /** Whether the target is the control arm. */
  readonly is_control: boolean
  /** The only targets that a control arm is compared with; undefined: all others. */
  readonly control_of: ControlOf | undefined
  readonly verdict: Verdict
  /** Mean over the attempts with a score; null without scores. */
  readonly score: number | null
  readonly attempts: number
  /** Passed attempts. */
  readonly passed: number
  /** Errored attempts. */
  readonly errors: number
  /** Attempts repeated by a rerun. */
  readonly reruns: number
  /** Attempts with a cached answer. */
  readonly cached: number
  /** The counts without attempts added by reruns; undefined if none was added. */
  readonly first: FirstAttempts | undefined
  /** Value of each of these attempts in comparisons: its score, or 0 for an error or a missed required check. */
  readonly values: readonly number[]
  /** Whether the attempts have different verdicts. */
  readonly is_flaky: boolean
  /** For a saved result, the run that made it. */
  readonly saved_from?: string | undefined
  /** Hash of the test content; undefined in old records. */
  readonly test_hash: string | undefined
  /** Hash of the test without its input; undefined if the input is not a variant. */
  readonly shared_hash?: string | undefined
  /** Hash of the target with its files; undefined in old records. */
  readonly target_hash: string | undefined
  /** Hash of the targets that judge; undefined if no model judges, and in old records. */
  readonly judges_hash: string | undefined
  /** Names of the checks that do not apply to the target; undefined if all apply. */
  readonly not_applicable?: readonly string[] | undefined
  /** The mark of the test, as its last attempt records it. */
  readonly mark?: Mark | undefined
  /** Name shared by tests that are not independent. */
  readonly cluster: string | undefined
  /** The facts of its attempts. */
  readonly results: readonly ResultFacts[]
}

/** Counts of the attempts that were not added by reruns. */
export type FirstAttempts = Pick<TestOutcome, 'attempts' | 'passed' | 'errors' | 'score'>

/** Returns a test without the attempts added by reruns. */
export function withoutReruns(test: TestOutcome): TestOutcome {
  return test.first ? { ...test, ...test.first, first: undefined } : test
}

/** The outcome of attempts at one test on one target. */
export function testOutcome(results: readonly ResultFacts[]): TestOutcome {
  const [first] = results
  if (!first) throw new RangeError('A test without attempts has no outcome.')
  const group = new Group(first, results)
  for (const facts of results) group.add(facts)
  return group.outcome
}

/** Groups attempts by test and target. */
export class TestOutcomes {
  readonly #attempts = new Map<string, ResultFacts[]>()

  /** Returns the key of the test. */
  add(facts: ResultFacts): string {
    const key = testKey(facts)
    const attempts = this.#attempts.get(key)
    if (attempts) attempts.push(facts)
    else this.#attempts.set(key, [facts])
    return key
  }

  /** The number of attempts at a test. */
  attempts(key: string): number {
    return this.#attempts.get(key)?.length ?? 0
  }

  /** In order of first attempt. */
  get tests(): TestOutcome[] {
    return Array.from(this.#attempts.values(), testOutcome)
  }
}

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
  readonly #results: readonly ResultFacts[]
  readonly #values: number[] = []
  readonly #all = new Tally()
  readonly #first = new Tally()
  readonly #usage = new UsageTally()
  #reruns = 0
  #cached = 0
  #isFlaky = false
  #missesRequired = false
  #notApplicable: readonly string[] | undefined
  #mark: Mark | undefined

  constructor(first: ResultFacts, results: readonly ResultFacts[]) {
    this.#firstFacts = first
    this.#results = results
  }

  add(facts: ResultFacts): void {
    const { score, verdict, misses_required, rerun, is_cached } = facts
    this.#all.add(facts)
    if (!facts.added) {
      this.#first.add(facts)
      this.#usage.add(facts)
      this.#values.push(misses_required ? 0 : (score ?? 0))
    }
    this.#reruns += Number(rerun !== undefined)
    this.#cached += Number(is_cached)
    this.#isFlaky ||= verdict !== this.#firstFacts.verdict
    this.#missesRequired ||= misses_required
    // An attempt without an answer has no checks.
    this.#notApplicable ??= facts.not_applicable
    this.#mark = facts.mark
  }

  /** The verdict of the mean score, except that any error or missed required check decides it. */
  get outcome(): TestOutcome {
    const { suite, file, line, test_id, target, is_control, control_of, cluster } = this.#firstFacts
    const { test_hash, shared_hash, target_hash, judges_hash } = this.#firstFacts
    const { attempts, passed, errors, score } = this.#all.counts
    const { cost_usd, tokens, duration_ms } = this.#usage.means
    const isError = score === null || errors > 0
    return {
      suite,
      file,
      line,
      test_id,
      target,
      is_control,
      control_of,
      verdict: verdictOf(isError ? null : score, this.#missesRequired, this.#firstFacts.threshold),
      score,
      attempts,
      passed,
      errors,
      reruns: this.#reruns,
      cached: this.#cached,
      first: this.#first.attempts < attempts ? this.#first.counts : undefined,
      values: this.#values,
      cost_usd,
      tokens,
      duration_ms,
      is_flaky: this.#isFlaky,
      test_hash,
      shared_hash,
      target_hash,
      judges_hash,
      not_applicable: this.#notApplicable,
      mark: this.#mark,
      cluster,
      results: this.#results,
    }
  }
}
