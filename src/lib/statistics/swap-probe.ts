import { assertCount } from './assertions.ts'
import { normalQuantile } from './distributions.ts'
import { CONFIDENCE_LEVEL, type Interval, wilsonInterval } from './intervals.ts'
import { midPMcNemar } from './significance.ts'

/** Pairs that a judge saw in both orders. */
export interface SwappedPairs {
  /** The same side won in both orders, or neither did. */
  readonly consistent: number
  /** What was in the first place won, in both orders. */
  readonly first_place_wins_both: number
  /** What was in the second place won, in both orders. */
  readonly second_place_wins_both: number
  /** One order has a winner, the other a tie: neither consistent nor a preference for a place. Default: 0. */
  readonly half_tied?: number | undefined
}

/** How far the verdict of a judge depends on the order. */
export interface SwapProbe {
  /** The share of pairs that both orders decide alike. */
  readonly consistency: number
  readonly interval: Interval
  /** The probability that chance alone prefers one place this often: McNemar's mid-p test. */
  readonly position_p: number
}

const Z95 = normalQuantile((1 + CONFIDENCE_LEVEL) / 2)

/** Tests whether a judge prefers a place; undefined without pairs. */
export function swapProbe(pairs: SwappedPairs): SwapProbe | undefined {
  const { consistent, first_place_wins_both: first, second_place_wins_both: second, half_tied = 0 } = pairs
  assertCount('The number of consistent pairs', consistent)
  assertCount('The number of half-tied pairs', half_tied)
  const position_p = midPMcNemar(first, second)
  const all = consistent + first + second + half_tied
  if (all === 0) return undefined
  const consistency = consistent / all
  return { consistency, interval: wilsonInterval(consistency, all, Z95), position_p }
}
