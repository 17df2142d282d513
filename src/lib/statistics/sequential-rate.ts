import type { Interval } from './intervals.ts'
import { RateBoundaries, type RateDecision, type RateOptions } from './rate-boundaries.ts'
import { SequentialBoundary } from './sequential-boundary.ts'

/**
 * A rate against a threshold, decided as early as its tests allow. The outcomes are added in the planned order of the
 * tests: those that finish first are not typical.
 */
export class SequentialRate {
  readonly #options: RateOptions
  readonly #boundaries: RateBoundaries
  #tests = 0
  #passes = 0
  #decision: RateDecision | undefined
  #interval: Interval | undefined

  constructor(options: RateOptions) {
    this.#options = options
    this.#boundaries = new RateBoundaries(options)
    this.#decision = this.#boundaries.decisionAt(0, 0)
  }

  /** Ignores the outcomes after the decision. */
  add(passed: boolean): void {
    if (this.#decision !== undefined) return
    this.#tests++
    if (passed) this.#passes++
    this.#interval = undefined
    this.#decision = this.#boundaries.decisionAt(this.#tests, this.#passes)
  }

  /** Undefined while a decision is possible; "not-shown" from the beginning if `most` tests can show nothing. */
  get decision(): RateDecision | undefined {
    return this.#decision
  }

  get tests(): number {
    return this.#tests
  }

  get passes(): number {
    return this.#passes
  }

  /** The repeated interval of the true rate: it holds at all looks together, and excludes the threshold once decided. */
  get interval(): Interval {
    this.#interval ??= this.#agreeing({
      low: leastRate(this.#passes, this.#tests, this.#options),
      high: 1 - leastRate(this.#tests - this.#passes, this.#tests, this.#options),
    })
    return this.#interval
  }

  /** Bounds of discrete counts do not always rise with the rate, so that an end may be on the other side of the threshold. */
  #agreeing({ low, high }: Interval): Interval {
    const { threshold } = this.#options
    if (this.#decision === 'above') return { low: Math.max(low, threshold), high }
    if (this.#decision === 'below') return { low, high: Math.min(high, threshold) }
    return { low: Math.min(low, threshold), high: Math.max(high, threshold) }
  }
}

/** The halvings of 0..1 that locate an end of the interval. */
const HALVINGS = 50

/** The rate that so many successes just reject. */
function leastRate(successes: number, tests: number, options: RateOptions): number {
  if (successes === 0) return 0
  let [low, high] = [0, 1]
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (low + high) / 2
    if (successes >= boundAfter(tests, middle, options)) low = middle
    else high = middle
  }
  return low
}

function boundAfter(tests: number, probability: number, { most, alpha, rho }: RateOptions): number {
  const boundary = new SequentialBoundary({ probability, most, alpha, rho })
  let bound = 1
  for (let test = 1; test <= tests; test++) {
    boundary.toss()
    bound = boundary.look(test)
  }
  return bound
}
