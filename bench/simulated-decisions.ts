import { seededRandom } from '../src/lib/seeded-random.ts'
import { DiscordantPairs } from '../src/lib/statistics/discordant-pairs.ts'
import { SequentialBoundary } from '../src/lib/statistics/sequential-boundary.ts'
import { SequentialPairs } from '../src/lib/statistics/sequential-pairs.ts'
import { SequentialRate } from '../src/lib/statistics/sequential-rate.ts'
import { midPMcNemar } from '../src/lib/statistics/significance.ts'

/** A rate of which the truth is known, against a threshold. */
export interface RateWorld {
  readonly threshold: number
  readonly most: number
  readonly rate: number
}

/** What tests show one after another, as shares of the runs. */
export function rateDecisions({ rate, ...options }: RateWorld, runs: number, seed: number) {
  const random = seededRandom(seed)
  const counts = { above: 0, below: 0, 'not-shown': 0 }
  let tests = 0
  for (let run = 0; run < runs; run++) {
    const sequential = new SequentialRate(options)
    while (sequential.decision === undefined) sequential.add(random() < rate)
    counts[sequential.decision]++
    tests += sequential.tests
  }
  return { above: counts.above / runs, below: counts.below / runs, mean_tests: tests / runs }
}

/** What all tests show with one look at the end; exact. */
export function fixedDecisions({ threshold, most, rate }: RateWorld) {
  return {
    above: tailOf(rate, most, lastBound(threshold, most)),
    below: tailOf(1 - rate, most, lastBound(1 - threshold, most)),
  }
}

function lastBound(probability: number, most: number): number {
  const boundary = new SequentialBoundary({ probability, most })
  for (let coin = 0; coin < most; coin++) boundary.toss()
  return boundary.look(most)
}

/** The probability of at least so many successes. */
function tailOf(probability: number, coins: number, least: number): number {
  let chances = [1]
  for (let coin = 0; coin < coins; coin++) {
    chances = [...chances, 0].map(
      (chance, count) => chance * (1 - probability) + (chances[count - 1] ?? 0) * probability,
    )
  }
  return chances.slice(least).reduce((sum, chance) => sum + chance, 0)
}

/** The rates at which both sides pass each test. */
export type Rates = readonly { readonly control: number; readonly candidate: number }[]

/** How pairs are planned: all of them, or until the decision, in rounds or where they tell most. */
export type Plan = 'fixed' | 'rounds' | 'chosen'

interface Result {
  readonly decision: string | undefined
  readonly pairs: number
  /** Of the mean difference; only where pairs are chosen. */
  readonly estimate?: number
  readonly interval?: { readonly low: number; readonly high: number }
}

/** What pairs show, as shares of the runs. */
export interface PairsResult {
  readonly worse: number
  readonly better: number
  readonly mean_pairs: number
  /** The share of intervals that contain the true difference, and the mean error of the estimate. */
  readonly coverage: number
  readonly bias: number
}

export function pairDecisions(plan: Plan, rates: Rates, most: number, runs: number, seed: number): PairsResult {
  const random = seededRandom(seed)
  const truth = rates.reduce((sum, { control, candidate }) => sum + candidate - control, 0) / rates.length
  const sums = { worse: 0, better: 0, mean_pairs: 0, coverage: 0, bias: 0 }
  for (let run = 0; run < runs; run++) {
    const { decision, pairs, estimate = truth, interval } = PLANS[plan](rates, most, random)
    if (decision === 'worse' || decision === 'better') sums[decision]++
    if (interval && interval.low <= truth && truth <= interval.high) sums.coverage++
    sums.mean_pairs += pairs
    sums.bias += estimate - truth
  }
  const { worse, better, mean_pairs, coverage, bias } = sums
  const shareOf = (sum: number) => sum / runs
  return {
    worse: shareOf(worse),
    better: shareOf(better),
    mean_pairs: shareOf(mean_pairs),
    coverage: shareOf(coverage),
    bias: shareOf(bias),
  }
}

type Run = (rates: Rates, most: number, random: () => number) => Result

const PLANS: Readonly<Record<Plan, Run>> = { fixed: allPairs, rounds: inRounds, chosen: whereTheyTellMost }

function allPairs(rates: Rates, most: number, random: () => number): Result {
  let [improved, worsened] = [0, 0]
  for (let pair = 0; pair < most; pair++) {
    const [candidate, control] = draw(rates, pair % rates.length, random)
    if (candidate && !control) improved++
    if (control && !candidate) worsened++
  }
  const isShown = midPMcNemar(improved, worsened) <= 0.05
  return { decision: isShown ? (worsened > improved ? 'worse' : 'better') : undefined, pairs: most }
}

function inRounds(rates: Rates, most: number, random: () => number): Result {
  const counts = new DiscordantPairs({ tests: rates.length, most })
  while (counts.decision === undefined) counts.add(...draw(rates, counts.pairs % rates.length, random))
  return { decision: counts.decision, pairs: counts.pairs }
}

function whereTheyTellMost(rates: Rates, most: number, random: () => number): Result {
  const pairs = new SequentialPairs({ tests: rates.length, most })
  for (let next = pairs.next(); typeof next === 'object'; next = pairs.next()) {
    pairs.record(next.position, ...draw(rates, next.test, random))
  }
  return { decision: pairs.decision, pairs: pairs.pairs, estimate: pairs.estimate, interval: pairs.interval }
}

function draw(rates: Rates, test: number, random: () => number): [candidate: boolean, control: boolean] {
  const { candidate, control } = rates[test] ?? { candidate: 0, control: 0 }
  return [random() < candidate, random() < control]
}
