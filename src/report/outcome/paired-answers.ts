import { compositeKey } from '../../lib/collections.ts'
import type { Interval } from '../../lib/statistics/intervals.ts'
import { swapProbe } from '../../lib/statistics/swap-probe.ts'
import type { PairComparison } from '../../model/pair.ts'
import type { ResultFacts } from '../../model/run-reader.ts'

/** How the answers of a run compare with others. */
export interface PairedAnswers {
  /** By target and what its answers are compared with, in the order of the run. */
  readonly comparisons: readonly PairedTarget[]
  /** How far the judge depends on the order of the two answers; undefined if it was never asked. */
  readonly orders: SwappedOrders | undefined
}

/** The answers of a target against others. */
export interface PairedTarget {
  readonly target: string
  /** What they were compared with, as written: `target old`. */
  readonly against: string
  readonly wins: number
  readonly losses: number
  readonly ties: number
  /** Ties of equal texts, for which no judge was asked. */
  readonly equal: number
}

/** Pairs that the judge saw in both orders. */
export interface SwappedOrders {
  readonly pairs: number
  /** How often both orders decide alike. */
  readonly agree: number
  readonly agree_interval: Interval
  /** How often the first place, or the second one, won in both orders. */
  readonly first_place: number
  readonly second_place: number
  /** The probability that chance alone prefers one place this often. */
  readonly position_p: number
}

/** Counts the comparisons of a run. */
export class PairCounts {
  readonly #targets = new Map<string, { -readonly [Key in keyof PairedTarget]: PairedTarget[Key] }>()
  #agree = 0
  #first = 0
  #second = 0
  #half_tied = 0

  add({ target, pairs = [] }: Pick<ResultFacts, 'target' | 'pairs'>): void {
    for (const pair of pairs) {
      const counts = this.#countsOf(target, pair.against)
      const { answer_first: first, answer_second: second } = pair
      if (first !== second || first === 'tie') counts.ties++
      else if (first === 'answer') counts.wins++
      else counts.losses++
      if (pair.equal) counts.equal++
      else this.#addOrders(pair)
    }
  }

  #addOrders({ answer_first: first, answer_second: second }: PairComparison): void {
    if (first === second) this.#agree++
    else if (first === 'tie' || second === 'tie') this.#half_tied++
    else if (first === 'answer') this.#first++
    else this.#second++
  }

  #countsOf(target: string, against: string) {
    const key = compositeKey(target, against)
    const counts = this.#targets.get(key) ?? { target, against, wins: 0, losses: 0, ties: 0, equal: 0 }
    this.#targets.set(key, counts)
    return counts
  }

  /** Undefined without comparisons. */
  get paired(): PairedAnswers | undefined {
    return this.#targets.size === 0 ? undefined : { comparisons: [...this.#targets.values()], orders: this.#orders }
  }

  get #orders(): SwappedOrders | undefined {
    const probe = swapProbe({
      consistent: this.#agree,
      first_place_wins_both: this.#first,
      second_place_wins_both: this.#second,
      half_tied: this.#half_tied,
    })
    return (
      probe && {
        pairs: this.#agree + this.#first + this.#second + this.#half_tied,
        agree: this.#agree,
        agree_interval: probe.interval,
        first_place: this.#first,
        second_place: this.#second,
        position_p: probe.position_p,
      }
    )
  }
}
