import { assertCount } from './assertions.ts'
import { type DiscordantOptions, DiscordantPairs, type PairsDecision } from './discordant-pairs.ts'
import type { Interval } from './intervals.ts'
import { PairChoice } from './pair-choice.ts'
import { PairDifferences, repeatedInterval } from './pair-differences.ts'

export interface PairsOptions extends DiscordantOptions {
  /** The choice at a position depends on the outcomes at positions this far before it and earlier; 1 is sequential. */
  readonly lag?: number | undefined
}

/** The pair to start; "wait" while it depends on missing outcomes; "done" after the last pair or the decision. */
export type NextPair = { readonly position: number; readonly test: number } | 'wait' | 'done'

interface Pair {
  readonly test: number
  outcome?: PairOutcome
}

/** Whether each side passed, and whether either of them ended in an error, which is not a pass. */
interface PairOutcome {
  readonly candidate: boolean
  readonly control: boolean
  readonly hasError: boolean
}

/**
 * A candidate against a control, in pairs of attempts at the same test, decided as early as the pairs allow. Only the
 * longest finished beginning counts, so that the choices and the decision do not depend on what finishes first. It is
 * decided when the pairs say the same with and without those that have errors.
 */
export class SequentialPairs {
  readonly #tests: number
  readonly #most: number
  readonly #lag: number
  readonly #choice: PairChoice
  readonly #counts: DiscordantPairs
  /** The same pairs, in which errors count as no difference. */
  readonly #answered: DiscordantPairs
  readonly #differences: PairDifferences
  /** The pairs handed out, by position. */
  readonly #started: Pair[] = []
  #learned = 0
  #pairs = 0
  #improved = 0
  #worsened = 0

  /** Tests are the numbers from 0 on, in a random order. */
  constructor({ lag = 1, ...options }: PairsOptions) {
    assertCount('The lag', lag)
    if (lag === 0) throw new RangeError('The lag must be at least 1.')
    this.#counts = new DiscordantPairs(options)
    this.#answered = new DiscordantPairs(options)
    this.#choice = new PairChoice(options.tests)
    this.#differences = new PairDifferences(options.tests)
    this.#tests = options.tests
    this.#most = options.most
    this.#lag = lag
  }

  /** Hands out the next pair. */
  next(): NextPair {
    const position = this.#started.length
    if (this.decision !== undefined || position >= this.#most) return 'done'
    if (position >= this.#tests) {
      const needed = position - this.#lag + 1
      if (this.pairs < needed) return 'wait'
      while (this.#learned < needed) this.#learn(this.#learned++)
    }
    const test = this.#choice.next()
    this.#started.push({ test })
    return { position, test }
  }

  /** Takes the outcome of a pair that was handed out, in any order. Pairs after the decision do not count. */
  record(position: number, candidate: boolean, control: boolean, hasError = false): void {
    const pair = this.#started[position]
    if (!pair) throw new RangeError(`No pair was handed out at position ${position}.`)
    if (pair.outcome) throw new RangeError(`The pair at position ${position} already has an outcome.`)
    pair.outcome = { candidate, control, hasError }
    while (this.decision === undefined && this.#started[this.pairs]?.outcome) this.#count(this.pairs)
  }

  /** Undefined while the pairs go on; "not-shown" after the last one, or if errors decide. */
  get decision(): PairsDecision | undefined {
    const [all, answered] = [this.#counts.decision, this.#answered.decision]
    if (all === undefined || answered === undefined) return undefined
    return all === answered ? all : 'not-shown'
  }

  /** Whether the pairs show something only with those that have errors, only without them, or the opposite. */
  get errors_decide(): boolean {
    return this.decision !== undefined && this.#counts.decision !== this.#answered.decision
  }

  /** The number of pairs at the decision. */
  get decided_after(): number | undefined {
    return this.decision && this.pairs
  }

  /** The length of the finished beginning, up to the decision. */
  get pairs(): number {
    return this.#pairs
  }

  /** The pairs in which only the candidate passed. */
  get improved(): number {
    return this.#improved
  }

  /** The pairs in which only the control passed. */
  get worsened(): number {
    return this.#worsened
  }

  /** The mean over tests of their mean difference, candidate minus control; 0 without pairs. */
  get estimate(): number {
    return this.#differences.estimate.mean
  }

  /** The repeated interval of the mean difference. It contains 0 until a direction is shown. */
  get interval(): Interval {
    const { low, high } = this.#repeated
    return this.#isShown ? { low, high } : { low: Math.min(0, low), high: Math.max(0, high) }
  }

  /** Whether only some tests are shown to be better or worse: a direction is shown, but the interval contains 0. */
  get is_mixed(): boolean {
    const { low, high } = this.#repeated
    return this.#isShown && low <= 0 && high >= 0
  }

  /** How many further pairs, all of them discordant in the leading direction, would decide; undefined if none would. */
  get distance(): number | undefined {
    if (this.decision !== undefined) return undefined
    const open = [this.#counts, this.#answered].filter(({ decision }) => decision === undefined)
    const distances = open.map(({ distance }) => distance ?? Number.POSITIVE_INFINITY)
    const farthest = Math.max(...distances)
    return Number.isFinite(farthest) ? farthest : undefined
  }

  get #isShown(): boolean {
    return this.decision === 'better' || this.decision === 'worse'
  }

  get #repeated(): Interval {
    return repeatedInterval(this.#differences, this.#counts.crossing)
  }

  #learn(position: number): void {
    const { test, candidate, control } = this.#finished(position)
    this.#choice.learn(test, Number(candidate) + Number(control))
  }

  #count(position: number): void {
    const { test, candidate, control, hasError } = this.#finished(position)
    this.#differences.add(test, Number(candidate) - Number(control))
    this.#pairs++
    this.#improved += Number(candidate && !control)
    this.#worsened += Number(control && !candidate)
    if (this.#counts.decision === undefined) this.#counts.add(candidate, control)
    if (this.#answered.decision === undefined) this.#answered.add(candidate && !hasError, control && !hasError)
  }

  #finished(position: number) {
    const none: PairOutcome = { candidate: false, control: false, hasError: false }
    const { test = 0, outcome = none } = this.#started[position] ?? {}
    return { test, ...outcome }
  }
}
