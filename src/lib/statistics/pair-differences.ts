import { normalQuantile } from './distributions.ts'
import type { Interval } from './intervals.ts'
import { incompleteBeta } from './special-functions.ts'

/** The differences of pairs by test, for the mean difference over tests. */
export class PairDifferences {
  /** By test: the pairs, and the sums of their differences and of the squares of these. */
  readonly #pairs: Uint32Array
  readonly #sums: Float64Array
  readonly #squares: Float64Array

  constructor(tests: number) {
    this.#pairs = new Uint32Array(tests)
    this.#sums = new Float64Array(tests)
    this.#squares = new Float64Array(tests)
  }

  add(test: number, difference: number): void {
    this.#pairs[test] = (this.#pairs[test] ?? 0) + 1
    this.#sums[test] = (this.#sums[test] ?? 0) + difference
    this.#squares[test] = (this.#squares[test] ?? 0) + difference ** 2
  }

  /** The mean over the tests with pairs of their mean difference, and its standard error for these tests. */
  get estimate(): { readonly mean: number; readonly standardError: number } {
    let [tests, sum, variance] = [0, 0, 0]
    for (const [test, pairs] of this.#pairs.entries()) {
      if (pairs === 0) continue
      const mean = (this.#sums[test] ?? 0) / pairs
      tests++
      sum += mean
      variance += ((this.#squares[test] ?? 0) / pairs - (mean ** 2 * (pairs - 1)) / pairs) / pairs
    }
    return tests === 0
      ? { mean: 0, standardError: 0 }
      : { mean: sum / tests, standardError: Math.sqrt(variance) / tests }
  }
}

interface Crossing {
  /** The discordant pairs. */
  readonly coins: number
  /** So many of them in one direction cross the boundary. */
  readonly bound: number
  readonly alpha: number
}

/** The interval of the mean difference, as wide as the boundary is strict; −1 to 1 while nothing can cross. */
export function repeatedInterval({ estimate }: PairDifferences, { coins, bound, alpha }: Crossing): Interval {
  if (bound > coins) return { low: -1, high: 1 }
  const tail = Math.max(Number.MIN_VALUE, incompleteBeta(bound, coins - bound + 1, 0.5))
  const half = -normalQuantile(Math.min(alpha, tail)) * estimate.standardError
  return { low: Math.max(-1, estimate.mean - half), high: Math.min(1, estimate.mean + half) }
}
