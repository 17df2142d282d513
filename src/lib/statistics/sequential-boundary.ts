import { assertBetween0And1, assertCount, assertFinite, assertPositive, assertProbability } from './assertions.ts'

export interface SpendingOptions {
  /** The number of units after which all of alpha is spent. */
  readonly most: number
  /** The error probability of each side, below ½. */
  readonly alpha?: number | undefined
  /** The share of alpha spent after t units is (t/most)^rho: a larger rho spends less of it early. */
  readonly rho?: number | undefined
}

export interface BoundaryOptions extends SpendingOptions {
  /** The probability of success of each coin, under the hypothesis to be rejected. */
  readonly probability: number
}

/** The default error probability of each side: 5 % for both. */
export const ALPHA = 0.025
export const RHO = 2

/** Sums of probabilities may exceed what may be spent by as much. */
const ROUNDING = 1e-12

/** Probabilities of few successes below this are dropped: they cannot cross any more. */
const NEGLIGIBLE = 1e-40

/** Error spending, exact for coins: the number of successes at which the hypothesis is rejected, at any number of looks. */
export class SequentialBoundary {
  readonly #options: Required<{ [Key in keyof BoundaryOptions]: number }>
  /** The probability of each number of successes without a crossing before; 0 outside of #low to #high. */
  #survive: Float64Array = new Float64Array(64)
  #low = 0
  #high = 0
  #coins = 0
  #spent = 0

  constructor({ probability, most, alpha = ALPHA, rho = RHO }: BoundaryOptions) {
    assertProbability('The probability of success', probability)
    assertSpending({ most, alpha, rho })
    this.#options = { probability, most, alpha, rho }
    this.#survive[0] = 1
  }

  /** The error probability spent so far. */
  get spent(): number {
    return this.#spent
  }

  toss(): void {
    const { probability, most } = this.#options
    if (this.#coins >= most) throw new RangeError(`At most ${most} coins can be tossed.`)
    if (this.#high + 2 > this.#survive.length) this.#survive = resized(this.#survive, 2 * this.#survive.length)
    const [survive, low] = [this.#survive, this.#low]
    const failure = 1 - probability
    for (let count = this.#high + 1; count > low; count--) {
      survive[count] = (survive[count] ?? 0) * failure + (survive[count - 1] ?? 0) * probability
    }
    survive[low] = (survive[low] ?? 0) * failure
    this.#coins++
    this.#high++
    while (this.#low < this.#high && (survive[this.#low] ?? 0) < NEGLIGIBLE) this.#low++
  }

  /** Returns the number of successes that crosses after t units; one more than the coins if none does. */
  look(t: number): number {
    assertFinite('The number of units', t)
    const { most, alpha, rho } = this.#options
    const allowed = alpha * Math.min(1, most === 0 ? 1 : t / most) ** rho - this.#spent + ROUNDING
    let [bound, sum] = [this.#high + 1, 0]
    while (bound > this.#low && sum + (this.#survive[bound - 1] ?? 0) <= allowed) {
      bound--
      sum += this.#survive[bound] ?? 0
    }
    this.#spent += sum
    this.#survive.fill(0, bound, this.#high + 1)
    this.#high = bound - 1
    return bound
  }

  /** A boundary in the same state. */
  copy(): SequentialBoundary {
    const copy = new SequentialBoundary(this.#options)
    copy.#survive = this.#survive.slice()
    ;[copy.#low, copy.#high, copy.#coins, copy.#spent] = [this.#low, this.#high, this.#coins, this.#spent]
    return copy
  }
}

/** Throws for options that only a bug can pass in. */
function assertSpending({ most, alpha, rho }: Required<{ [Key in keyof SpendingOptions]: number }>): void {
  assertCount('The largest number of units', most)
  assertBetween0And1('Twice the error probability of a side', 2 * alpha)
  assertPositive('The exponent of spending', rho)
}

function resized(values: Float64Array, size: number): Float64Array {
  const larger = new Float64Array(size)
  larger.set(values)
  return larger
}
