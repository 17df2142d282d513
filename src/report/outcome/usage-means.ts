import type { ResultFacts } from '../../model/run-reader.ts'

/** Means over the attempts of a test that have the figure; undefined without such an attempt. */
export interface UsageMeans {
  /** Cost of an answer in US dollars, without cached answers. */
  readonly cost_usd: number | undefined
  /** Input and output tokens of an answer. */
  readonly tokens: number | undefined
  /** Duration of an answer in milliseconds, without cached answers. */
  readonly duration_ms: number | undefined
}

/** Adds up what the answers to a test took. */
export class UsageTally {
  readonly #cost = new RunningMean()
  readonly #tokens = new RunningMean()
  readonly #duration = new RunningMean()

  add({ cost_usd, tokens, duration_ms, is_cached }: ResultFacts): void {
    this.#tokens.add(tokens)
    // A cached answer was paid for and waited for earlier.
    if (is_cached) return
    this.#cost.add(cost_usd)
    this.#duration.add(duration_ms)
  }

  get means(): UsageMeans {
    return { cost_usd: this.#cost.mean, tokens: this.#tokens.mean, duration_ms: this.#duration.mean }
  }
}

/** No answer takes more: larger numbers are damage, and would overflow sums of squares. */
const LARGEST = 1e15

class RunningMean {
  #sum = 0
  #count = 0

  add(value: number | undefined): void {
    if (value === undefined || value > LARGEST) return
    this.#sum += value
    this.#count++
  }

  get mean(): number | undefined {
    return this.#count === 0 ? undefined : this.#sum / this.#count
  }
}
