import { groupBy } from '../collections.ts'
import { assertPositive } from './assertions.ts'
import { normalQuantile } from './distributions.ts'
import { CONFIDENCE_LEVEL, type Interval, wilsonInterval } from './intervals.ts'

/** What two raters say of the same answer. */
export interface RatedPair {
  readonly one: boolean
  readonly other: boolean
  /** How many answers it represents. Default: 1. */
  readonly weight?: number | undefined
  /** Answers of one cluster are not independent; undefined is a cluster of its own. */
  readonly cluster?: string | undefined
}

/** A rate with its interval. */
export interface RateEstimate {
  readonly value: number
  readonly interval: Interval
}

/** Agreement beyond chance, from -1 to 1. */
export interface ChanceCorrected extends RateEstimate {
  readonly standard_error: number
}

export interface RaterAgreement {
  /** The share of answers of which both say the same. */
  readonly agreement: RateEstimate
  /** Cohen's κ; undefined if both always say the same word, which chance would do as well. */
  readonly kappa: ChanceCorrected | undefined
  /** Gwet's AC1, which does not fall where nearly all answers pass. */
  readonly ac1: ChanceCorrected
}

export const Z95 = normalQuantile((1 + CONFIDENCE_LEVEL) / 2)

/** The agreement of two raters; undefined without pairs. */
export function raterAgreement(pairs: readonly RatedPair[]): RaterAgreement | undefined {
  if (pairs.length === 0) return undefined
  for (const { weight = 1 } of pairs) assertPositive('A weight', weight)
  const shares = {
    agreed: weightedShare(pairs, ({ one, other }) => one === other),
    one: weightedShare(pairs, ({ one }) => one),
    other: weightedShare(pairs, ({ other }) => other),
  }
  return {
    agreement: weightedRate(shares.agreed, pairs),
    kappa: kappaOf(shares, pairs),
    ac1: ac1Of(shares, pairs),
  }
}

/** A rate with Wilson's interval; undefined of nothing. */
export function rateOf(part: number, whole: number): RateEstimate | undefined {
  return whole === 0 ? undefined : { value: part / whole, interval: wilsonInterval(part / whole, whole, Z95) }
}

interface Shares {
  readonly agreed: number
  /** The share that each rater passes. */
  readonly one: number
  readonly other: number
}

/** κ by the formula of Cohen, with the standard error of Fleiss, Cohen and Everitt (1969). */
function kappaOf({ agreed, one, other }: Shares, pairs: readonly RatedPair[]): ChanceCorrected | undefined {
  const byChance = one * other + (1 - one) * (1 - other)
  if (byChance >= 1 - 1e-12) return undefined
  // How much a pair moves the agreement by chance.
  const chanceOf = (pair: RatedPair) => (pair.one ? other : 1 - other) + (pair.other ? one : 1 - one) - 2 * byChance
  return beyondChance({ agreed, byChance, chanceOf }, pairs)
}

/** AC1 with the standard error of Gwet (2008). */
function ac1Of({ agreed, one, other }: Shares, pairs: readonly RatedPair[]): ChanceCorrected {
  const passes = (one + other) / 2
  const byChance = 2 * passes * (1 - passes)
  const chanceOf = (pair: RatedPair) => 2 * (1 - 2 * passes) * ((Number(pair.one) + Number(pair.other)) / 2 - passes)
  return beyondChance({ agreed, byChance, chanceOf }, pairs)
}

interface Chance {
  readonly agreed: number
  readonly byChance: number
  chanceOf(pair: RatedPair): number
}

/** (agreed − chance) / (1 − chance), with a standard error by the influence of each pair. */
function beyondChance({ agreed, byChance, chanceOf }: Chance, pairs: readonly RatedPair[]): ChanceCorrected {
  const value = (agreed - byChance) / (1 - byChance)
  const influence = (pair: RatedPair) =>
    ((Number(pair.one === pair.other) - agreed) * (1 - byChance) - chanceOf(pair) * (1 - agreed)) / (1 - byChance) ** 2
  const groups = clustersOf(pairs)
  const sums = groups.map(group => sumOf(group, pair => weightOf(pair) * influence(pair)))
  // Few clusters of several answers vary less than the clusters that could have been drawn.
  const few = groups.length < pairs.length && groups.length > 1 ? groups.length / (groups.length - 1) : 1
  const variance = (few * sums.reduce((sum, each) => sum + each ** 2, 0)) / sumOf(pairs, weightOf) ** 2
  const standard_error = Math.sqrt(variance)
  return { value, standard_error, interval: clippedInterval(value, standard_error) }
}

/** The interval of a value between -1 and 1. */
export function clippedInterval(value: number, standardError: number): Interval {
  return { low: Math.max(-1, value - Z95 * standardError), high: Math.min(1, value + Z95 * standardError) }
}

/** Wilson's interval for the number of clusters that count (Kish). */
function weightedRate(value: number, pairs: readonly RatedPair[]): RateEstimate {
  const sizes = clustersOf(pairs).map(group => sumOf(group, weightOf))
  const size = sumOf(sizes, each => each) ** 2 / sumOf(sizes, each => each ** 2)
  return { value, interval: wilsonInterval(value, size, Z95) }
}

function clustersOf(pairs: readonly RatedPair[]): readonly (readonly RatedPair[])[] {
  const keyed = pairs.map((pair, index) => ({
    pair,
    key: pair.cluster === undefined ? `${index}` : `in ${pair.cluster}`,
  }))
  return [...groupBy(keyed, ({ key }) => key).values()].map(group => group.map(({ pair }) => pair))
}

function weightedShare(pairs: readonly RatedPair[], isCounted: (pair: RatedPair) => boolean): number {
  return Math.min(1, sumOf(pairs.filter(isCounted), weightOf) / sumOf(pairs, weightOf))
}

function weightOf({ weight = 1 }: RatedPair): number {
  return weight
}

function sumOf<Item>(items: readonly Item[], numberOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + numberOf(item), 0)
}
