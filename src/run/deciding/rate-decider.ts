import { groupBy } from '../../lib/collections.ts'
import { mixtureEvidence, mixtureInterval } from '../../lib/statistics/mixture-evidence.ts'
import { SequentialRate } from '../../lib/statistics/sequential-rate.ts'
import type { Attempt } from '../../model/attempt.ts'
import type { Deciding, Decision, Evidence } from '../../model/decision.ts'
import { clusterName } from '../../model/run-reader.ts'
import type { Decider, VerdictOf } from './decider.ts'
import { shuffleTests } from './test-order.ts'

/** The tests of each target that run before the next look, where several targets are decided. */
const ROUND = 16

/** Decides whether the true pass rate of each target is above or below a threshold. */
export class RateDecider implements Decider {
  readonly #targets: readonly TargetRate[]

  constructor(attempts: readonly Attempt[], threshold: number, settings: Deciding, verdictOf: VerdictOf) {
    const gated = attempts.filter(({ is_control }) => !is_control)
    this.#targets = Array.from(
      groupBy(gated, ({ target }) => target.name),
      ([target, tests]) => new TargetRate(target, tests, threshold, settings, verdictOf),
    )
  }

  next(): readonly Attempt[] {
    const open = this.#targets.filter(({ isDecided }) => !isDecided)
    const most = open.length === 1 ? Number.POSITIVE_INFINITY : ROUND
    return open.flatMap(target => target.next(most))
  }

  record(): void {
    for (const target of this.#targets) target.count()
  }

  counts(attemptId: string): boolean {
    return this.#targets.some(target => target.counts(attemptId))
  }

  get isDecided(): boolean {
    return this.#targets.every(({ isDecided }) => isDecided)
  }

  get most(): number {
    return this.#targets.reduce((sum, { evidence }) => sum + evidence.of, 0)
  }

  get evidence(): readonly Evidence[] {
    return this.#targets.map(({ evidence }) => evidence)
  }

  get decisions(): readonly Decision[] {
    return this.#targets.map(({ decision }) => decision)
  }
}

/** A question about a rate that is answered as early as the values of its units allow. */
interface RateTest {
  add(value: number): void
  readonly decision: 'above' | 'below' | 'not-shown' | undefined
  readonly interval: { readonly low: number; readonly high: number }
}

/** The tests of a target in their order. Tests of a cluster are one unit. */
class TargetRate {
  readonly #target: string
  readonly #threshold: number
  readonly #units: readonly (readonly Attempt[])[]
  readonly #rate: RateTest
  readonly #verdictOf: VerdictOf
  readonly #tests: number
  /** The attempts that count. */
  readonly #ids = new Set<string>()
  #started = 0
  #counted = 0
  #after = 0
  #passed = 0

  constructor(
    target: string,
    attempts: readonly Attempt[],
    threshold: number,
    { seed, alpha, rho }: Deciding,
    verdictOf: VerdictOf,
  ) {
    const ordered = shuffleTests(attempts, seed)
    this.#target = target
    this.#threshold = threshold
    this.#tests = attempts.length
    this.#units = [...groupBy(ordered, unitOf).values()]
    this.#verdictOf = verdictOf
    const most = this.#units.length
    this.#rate =
      most === attempts.length
        ? new TestRate({ threshold, most, alpha, rho })
        : new ClusterRate({ threshold, most, alpha })
    this.count()
  }

  get isDecided(): boolean {
    return this.#rate.decision !== undefined
  }

  /** Starts at most so many units, and returns those of their attempts that have no result yet. */
  next(most: number): Attempt[] {
    const units = this.#units.slice(this.#started, this.#started + most)
    this.#started += units.length
    return units.flat().filter(({ id }) => this.#verdictOf(id) === undefined)
  }

  /** Counts the longest beginning of the order that has all its results: what is quick is not typical. */
  count(): void {
    for (; !this.isDecided; this.#counted++) {
      const unit = this.#units[this.#counted]
      const verdicts = unit?.map(({ id }) => this.#verdictOf(id))
      if (!unit || !verdicts || verdicts.includes(undefined)) return
      for (const { id } of unit) this.#ids.add(id)
      const passed = verdicts.filter(verdict => verdict === 'pass').length
      this.#after += verdicts.length
      this.#passed += passed
      this.#rate.add(passed / verdicts.length)
    }
  }

  counts(attemptId: string): boolean {
    return this.#ids.has(attemptId)
  }

  get evidence(): Evidence {
    const { decision } = this.#rate
    return { ...this.#counts, distance: undefined, decision }
  }

  get decision(): Decision {
    const { decision = 'not-shown', interval } = this.#rate
    const estimate = this.#after === 0 ? 0 : this.#passed / this.#after
    return { ...this.#counts, decision, estimate, ...interval }
  }

  get #counts() {
    return {
      target: this.#target,
      threshold: this.#threshold,
      after: this.#after,
      of: this.#tests,
      passed: this.#passed,
    }
  }
}

function unitOf({ suite, test, test_hash, occurrence }: Attempt): string {
  return clusterName(suite.name, test) ?? `${test_hash} ${occurrence}`
}

interface RateSettings {
  readonly threshold: number
  readonly most: number
  readonly alpha: number
  readonly rho?: number
}

/** Independent tests, each of which passes or not. */
class TestRate implements RateTest {
  readonly #rate: SequentialRate

  constructor(settings: RateSettings) {
    this.#rate = new SequentialRate(settings)
  }

  add(value: number): void {
    this.#rate.add(value === 1)
  }

  get decision() {
    return this.#rate.decision
  }

  get interval() {
    return this.#rate.interval
  }
}

/** Clusters of tests, each of which counts with its mean. */
class ClusterRate implements RateTest {
  readonly #settings: RateSettings
  readonly #means: number[] = []

  constructor(settings: RateSettings) {
    this.#settings = settings
  }

  add(value: number): void {
    this.#means.push(value)
  }

  get decision() {
    const { threshold, alpha, most } = this.#settings
    const { above, below } = mixtureEvidence(this.#means, threshold)
    if (above >= 1 / alpha) return 'above'
    if (below >= 1 / alpha) return 'below'
    return this.#means.length >= most ? 'not-shown' : undefined
  }

  get interval() {
    return mixtureInterval(this.#means, this.#settings.alpha)
  }
}
