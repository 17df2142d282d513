import { assertCount } from './assertions.ts'
import { ALPHA, SequentialBoundary, type SpendingOptions } from './sequential-boundary.ts'

export interface DiscordantOptions extends SpendingOptions {
  /** The number of tests; the first look follows the first pair of each, or the last pair. */
  readonly tests: number
}

/** What the pairs show about the candidate on these tests. */
export type PairsDecision = 'better' | 'worse' | 'not-shown'

/** Counts pairs until one direction has more of the discordant ones than fair coins explain. */
export class DiscordantPairs {
  readonly #alpha: number
  readonly #most: number
  readonly #firstLook: number
  readonly #boundary: SequentialBoundary
  #bound = Number.POSITIVE_INFINITY
  #pairs = 0
  #improved = 0
  #worsened = 0
  #decision: PairsDecision | undefined

  constructor({ tests, most, alpha = ALPHA, rho }: DiscordantOptions) {
    assertCount('The number of tests', tests)
    this.#boundary = new SequentialBoundary({ probability: 0.5, most, alpha, rho })
    this.#alpha = alpha
    this.#most = most
    this.#firstLook = Math.min(tests, most)
    if (this.#firstLook === 0) this.#decision = 'not-shown'
  }

  /** Counts a pair, and looks. */
  add(candidate: boolean, control: boolean): void {
    if (this.#decision !== undefined) throw new RangeError('The decision has fallen.')
    this.#pairs++
    if (candidate !== control) this.#boundary.toss()
    if (candidate && !control) this.#improved++
    if (control && !candidate) this.#worsened++
    if (this.#pairs >= this.#firstLook) this.#look()
  }

  /** Undefined while the pairs go on; "not-shown" after the last one. */
  get decision(): PairsDecision | undefined {
    return this.#decision
  }

  get pairs(): number {
    return this.#pairs
  }

  get improved(): number {
    return this.#improved
  }

  get worsened(): number {
    return this.#worsened
  }

  /** The boundary at the last look: so many of the coins in one direction cross, at the error probability alpha. */
  get crossing(): { readonly coins: number; readonly bound: number; readonly alpha: number } {
    return { coins: this.#improved + this.#worsened, bound: this.#bound, alpha: this.#alpha }
  }

  /** How many further pairs, all of them discordant in the leading direction, would decide; undefined if none would. */
  get distance(): number | undefined {
    if (this.#decision !== undefined) return undefined
    const boundary = this.#boundary.copy()
    const lead = Math.max(this.#improved, this.#worsened)
    for (let more = 1; this.#pairs + more <= this.#most; more++) {
      boundary.toss()
      const pairs = this.#pairs + more
      if (pairs >= this.#firstLook && lead + more >= boundary.look(pairs)) return more
    }
    return undefined
  }

  #look(): void {
    this.#bound = this.#boundary.look(this.#pairs)
    if (this.#worsened >= this.#bound) this.#decision = 'worse'
    else if (this.#improved >= this.#bound) this.#decision = 'better'
    else if (this.#pairs === this.#most) this.#decision = 'not-shown'
  }
}
