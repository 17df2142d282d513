import { type NextPair, SequentialPairs } from '../../lib/statistics/sequential-pairs.ts'
import type { Attempt } from '../../model/attempt.ts'
import type { Deciding, Decision, Evidence } from '../../model/decision.ts'
import { type GradedFacts, gradeAlike } from '../../model/shared-checks.ts'
import { withTrial } from '../../plan/reruns.ts'
import type { Decider, FactsOf } from './decider.ts'
import { shuffleTests } from './test-order.ts'

/** A target and its control, with the first attempt of both at each test. */
export interface Arms {
  readonly target: string
  readonly control: string
  readonly tests: readonly TestArms[]
}

export interface TestArms {
  readonly candidate: Attempt
  readonly control: Attempt
}

/** Decides whether targets are better or worse than their controls, in pairs of attempts at the same test. */
export class PairDecider implements Decider {
  readonly #arms: readonly ArmPairs[]
  readonly #factsOf: FactsOf

  constructor(arms: readonly Arms[], settings: Deciding, factsOf: FactsOf) {
    this.#factsOf = factsOf
    // Several comparisons share the error probability.
    const alpha = settings.alpha / Math.max(1, arms.length)
    this.#arms = arms.map(each => new ArmPairs(each, { ...settings, alpha }))
  }

  next(): readonly Attempt[] {
    const attempts = new Map<string, Attempt>()
    for (const arm of this.#arms) for (const attempt of arm.next(this.#factsOf)) attempts.set(attempt.id, attempt)
    return [...attempts.values()]
  }

  record(attemptId: string): void {
    for (const arm of this.#arms) arm.record(attemptId, this.#factsOf)
  }

  counts(attemptId: string): boolean {
    return this.#arms.some(arm => arm.counts(attemptId))
  }

  get isDecided(): boolean {
    return this.#arms.every(({ isDecided }) => isDecided)
  }

  get most(): number {
    return this.#arms.reduce((sum, { evidence }) => sum + 2 * evidence.of, 0)
  }

  get evidence(): readonly Evidence[] {
    return this.#arms.map(({ evidence }) => evidence)
  }

  get decisions(): readonly Decision[] {
    return this.#arms.map(({ decision }) => decision)
  }
}

interface StartedPair {
  readonly position: number
  readonly candidate: string
  readonly control: string
}

/** The pairs of one target and its control. */
class ArmPairs {
  readonly #arms: Arms
  readonly #tests: readonly TestArms[]
  readonly #most: number
  readonly #pairs: SequentialPairs
  readonly #trials = new Map<number, number>()
  /** Pairs without an outcome, by the ids of their attempts. */
  readonly #open = new Map<string, StartedPair>()
  /** The position of the pair of each attempt. */
  readonly #positions = new Map<string, number>()

  constructor(arms: Arms, { seed, alpha, rho, max_trials, lag }: Deciding) {
    this.#arms = arms
    const byCandidate = new Map(arms.tests.map(test => [test.candidate, test]))
    this.#tests = shuffleTests([...byCandidate.keys()], seed).flatMap(candidate => byCandidate.get(candidate) ?? [])
    this.#most = max_trials * this.#tests.length
    this.#pairs = new SequentialPairs({ tests: this.#tests.length, most: this.#most, alpha, rho, lag })
  }

  get isDecided(): boolean {
    return this.#pairs.decision !== undefined
  }

  /** Starts pairs, and returns those of their attempts that have no result yet. */
  next(factsOf: FactsOf): Attempt[] {
    const attempts: Attempt[] = []
    for (let next = this.#pairs.next(); typeof next === 'object'; next = this.#pairs.next()) {
      const { candidate, control } = this.#start(next)
      attempts.push(...[candidate, control].filter(({ id }) => factsOf(id) === undefined))
      this.record(candidate.id, factsOf)
    }
    return attempts
  }

  #start({ position, test }: Exclude<NextPair, string>): TestArms {
    const arms = this.#tests[test]
    if (!arms) throw new RangeError(`There is no test ${test}.`)
    const trial = (this.#trials.get(test) ?? 0) + 1
    this.#trials.set(test, trial)
    const [candidate, control] = [withTrial(arms.candidate, trial), withTrial(arms.control, trial)]
    const pair = { position, candidate: candidate.id, control: control.id }
    for (const { id } of [candidate, control]) {
      this.#open.set(id, pair)
      this.#positions.set(id, position)
    }
    return { candidate, control }
  }

  /** Counts the pair of an attempt if both of its attempts have a result. */
  record(attemptId: string, factsOf: FactsOf): void {
    const pair = this.#open.get(attemptId)
    const [candidate, control] = pair ? [factsOf(pair.candidate), factsOf(pair.control)] : []
    if (!pair || !candidate || !control) return
    for (const id of [pair.candidate, pair.control]) this.#open.delete(id)
    this.#pairs.record(pair.position, ...passesOf(candidate, control))
  }

  counts(attemptId: string): boolean {
    const position = this.#positions.get(attemptId)
    return position !== undefined && position < this.#pairs.pairs
  }

  get evidence(): Evidence {
    const { pairs, improved, worsened, distance, decision } = this.#pairs
    const { target, control } = this.#arms
    return { target, control, after: pairs, of: this.#most, improved, worsened, distance, decision }
  }

  get decision(): Decision {
    const { pairs, improved, worsened, estimate, interval, is_mixed, errors_decide, decision } = this.#pairs
    const { target, control } = this.#arms
    return {
      target,
      control,
      decision: decision ?? 'not-shown',
      after: pairs,
      of: this.#most,
      improved,
      worsened,
      estimate,
      ...interval,
      ...(is_mixed ? { is_mixed } : {}),
      ...(errors_decide ? { errors_decide } : {}),
    }
  }
}

/** Which attempts of a pair pass the checks that apply to both, and whether one is an error; without such checks, neither. */
function passesOf(first: GradedFacts, second: GradedFacts): [candidate: boolean, control: boolean, hasError: boolean] {
  const [[candidate], [control]] = gradeAlike([first], [second]) ?? [[], []]
  const hasError = candidate?.verdict === 'error' || control?.verdict === 'error'
  return [candidate?.verdict === 'pass', control?.verdict === 'pass', hasError]
}
