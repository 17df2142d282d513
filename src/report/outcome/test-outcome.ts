import { compositeKey } from '../../lib/collections.ts'
import type { ControlOf } from '../../model/attempt.ts'
import type { Mark } from '../../model/mark.ts'
import type { ResultFacts } from '../../model/run-reader.ts'
import { type Verdict, verdictOf } from '../../model/verdict.ts'
import { type UsageMeans, usageMeans } from './usage-means.ts'

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

/**
 * The outcome of attempts at one test on one target. Its verdict is that of the mean score, except that any error or
 * missed required check decides it.
 */
export function testOutcome(results: readonly ResultFacts[]): TestOutcome {
  const [first] = results
  if (!first) throw new RangeError('A test without attempts has no outcome.')
  const own = results.some(isAdded) ? results.filter(facts => !isAdded(facts)) : results
  const { attempts, passed, errors, score } = countAttempts(results)
  const misses = results.some(missesRequired)
  const { cost_usd, tokens, duration_ms } = usageMeans(own)
  return {
    suite: first.suite,
    file: first.file,
    line: first.line,
    test_id: first.test_id,
    target: first.target,
    is_control: first.is_control,
    control_of: first.control_of,
    verdict: verdictOf(errors > 0 ? null : score, misses, first.threshold),
    score,
    attempts,
    passed,
    errors,
    reruns: countOf(results, isRerun),
    cached: countOf(results, isCached),
    first: own === results ? undefined : countAttempts(own),
    values: valuesOf(own),
    cost_usd,
    tokens,
    duration_ms,
    is_flaky: results.length > 1 && results.some(({ verdict }) => verdict !== first.verdict),
    test_hash: first.test_hash,
    shared_hash: first.shared_hash,
    target_hash: first.target_hash,
    judges_hash: first.judges_hash,
    // An attempt without an answer has no checks.
    not_applicable: results.find(hasInapplicable)?.not_applicable,
    mark: results.at(-1)?.mark,
    cluster: first.cluster,
    results,
  }
}

/** Most tests have one attempt, and its value is 0 or 1: these share a list. */
const SHARED_VALUES: readonly (readonly number[])[] = [[0], [1]]

function valuesOf(results: readonly ResultFacts[]): readonly number[] {
  const [first] = results
  const shared = first && results.length === 1 ? SHARED_VALUES[comparedValue(first)] : undefined
  return shared ?? results.map(comparedValue)
}

// Not written where they are used: with 100,000 tests, making them for each of these takes 50 MB.
const isAdded = ({ added }: ResultFacts) => added === true
const isRerun = ({ rerun }: ResultFacts) => rerun !== undefined
const isCached = ({ is_cached }: ResultFacts) => is_cached
const isPassed = ({ verdict }: ResultFacts) => verdict === 'pass'
const isErrored = ({ verdict }: ResultFacts) => verdict === 'error'
const missesRequired = ({ misses_required }: ResultFacts) => misses_required
const hasInapplicable = ({ not_applicable }: ResultFacts) => not_applicable !== undefined
const comparedValue = ({ misses_required, score }: ResultFacts) => (misses_required ? 0 : (score ?? 0))
const plusScore = (sum: number, { score }: ResultFacts) => sum + (score ?? 0)

function countAttempts(results: readonly ResultFacts[]): FirstAttempts {
  const passed = countOf(results, isPassed)
  const errors = countOf(results, isErrored)
  const answered = results.length - errors
  const score = answered === 0 ? null : Math.round((results.reduce(plusScore, 0) / answered) * 1e9) / 1e9
  return { attempts: results.length, passed, errors, score }
}

function countOf(results: readonly ResultFacts[], isCounted: (facts: ResultFacts) => boolean): number {
  let count = 0
  for (const facts of results) if (isCounted(facts)) count++
  return count
}

/** Groups attempts by test and target. */
export class TestOutcomes {
  readonly #attempts: ResultFacts[][] = []
  readonly #places = new Map<string, Map<string, ResultFacts[]>>()
  #last: (Pick<ResultFacts, 'suite' | 'file' | 'target'> & { readonly tests: Map<string, ResultFacts[]> }) | undefined

  /** Returns the attempts at the test so far. */
  add(facts: ResultFacts): readonly ResultFacts[] {
    const tests = this.#testsBeside(facts)
    const known = tests.get(facts.test_id)
    if (known) {
      known.push(facts)
      return known
    }
    const attempts = [facts]
    tests.set(facts.test_id, attempts)
    this.#attempts.push(attempts)
    return attempts
  }

  /** The tests of the same suite, file and target, by id. Most results have these in common with the one before. */
  #testsBeside({ suite, file, target }: ResultFacts): Map<string, ResultFacts[]> {
    const last = this.#last
    if (last && last.suite === suite && last.file === file && last.target === target) return last.tests
    const key = compositeKey(suite, file, target)
    const tests = this.#places.get(key) ?? new Map<string, ResultFacts[]>()
    this.#places.set(key, tests)
    this.#last = { suite, file, target, tests }
    return tests
  }

  /** In order of first attempt. */
  get tests(): TestOutcome[] {
    return this.#attempts.map(testOutcome)
  }
}
