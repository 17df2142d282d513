import { groupBy } from '../../lib/collections.ts'
import type { Attempt } from '../../model/attempt.ts'
import type { Decision } from '../../model/decision.ts'
import type { ResultFacts } from '../../model/run-reader.ts'

/** The tests of a target, and how many of them passed and failed; a trial counts as a part of its test. */
interface Tally {
  readonly target: string
  tests: number
  passed: number
  failed: number
  made: number
}

/** Watches whether the attempts that are left can still change if every target reaches a pass rate. */
export class CertainPassRate {
  readonly #required: number
  /** The attempts without a result, each with its share of the test. */
  readonly #open = new Map<string, { readonly tally: Tally; readonly share: number }>()
  readonly #tallies = new Map<string, Tally>()

  constructor(attempts: readonly Attempt[], required: number) {
    this.#required = required
    const gated = attempts.filter(({ is_control }) => !is_control)
    for (const trials of groupBy(gated, testOf).values()) {
      const target = trials[0].target.name
      const tally = this.#tallies.get(target) ?? { target, tests: 0, passed: 0, failed: 0, made: 0 }
      this.#tallies.set(target, tally)
      tally.tests++
      for (const { id } of trials) this.#open.set(id, { tally, share: 1 / trials.length })
    }
  }

  record({ attempt_id, verdict }: Pick<ResultFacts, 'attempt_id' | 'verdict'>): void {
    const open = this.#open.get(attempt_id)
    if (!open) return
    this.#open.delete(attempt_id)
    open.tally.made += open.share
    open.tally[verdict === 'pass' ? 'passed' : 'failed'] += open.share
  }

  /** Whether one target is certain to miss the rate, or all are certain to reach it. */
  get isDecided(): boolean {
    const tallies = [...this.#tallies.values()]
    return tallies.some(tally => this.#misses(tally)) || tallies.every(tally => this.#reaches(tally))
  }

  /** What is certain; the interval contains every pass rate that is still possible. */
  get decisions(): readonly Decision[] {
    return Array.from(this.#tallies.values(), tally => {
      const { target, tests, passed, failed, made } = tally
      const low = rounded(passed / tests)
      return {
        target,
        threshold: this.#required,
        decision: this.#misses(tally) ? 'missed' : this.#reaches(tally) ? 'reached' : 'not-shown',
        after: Math.floor(rounded(made)),
        of: tests,
        passed: rounded(passed),
        estimate: low,
        low,
        high: rounded(1 - failed / tests),
      }
    })
  }

  #reaches({ passed, tests }: Tally): boolean {
    return passed >= this.#required * tests - ROUNDING
  }

  #misses({ failed, tests }: Tally): boolean {
    return failed > (1 - this.#required) * tests + ROUNDING
  }
}

const ROUNDING = 1e-9

function rounded(value: number): number {
  return Math.round(value * 1e9) / 1e9
}

function testOf({ test_hash, occurrence, target }: Attempt): string {
  return `${test_hash} ${occurrence} ${target.name}`
}
