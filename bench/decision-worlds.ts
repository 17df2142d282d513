import type { PairsResult, Rates, RateWorld } from './simulated-decisions.ts'
import { withNoise } from './simulated-runs.ts'

/** Rates with the exact probabilities of the decisions, in percent, and the mean number of tests. */
export const RATE_WORLDS: readonly (RateWorld & {
  readonly percent: readonly [number, number]
  readonly tests: number
})[] = [
  { threshold: 0.9, most: 100, rate: 0.6, percent: [0, 100], tests: 19.5 },
  { threshold: 0.9, most: 100, rate: 0.7, percent: [0, 99.9], tests: 32 },
  { threshold: 0.9, most: 100, rate: 0.8, percent: [0, 79.6], tests: 65.2 },
  { threshold: 0.9, most: 100, rate: 0.9, percent: [2.2, 2.4], tests: 91.2 },
  { threshold: 0.9, most: 200, rate: 0.8, percent: [0, 97.3], tests: 91.2 },
  { threshold: 0.9, most: 200, rate: 0.98, percent: [99.9, 0], tests: 87.7 },
  { threshold: 0.8, most: 100, rate: 0.6, percent: [0, 99], tests: 41.4 },
  { threshold: 0.8, most: 100, rate: 0.7, percent: [0, 61.2], tests: 75.5 },
  { threshold: 0.8, most: 100, rate: 0.88, percent: [51.4, 0], tests: 78.4 },
  { threshold: 0.95, most: 100, rate: 0.75, percent: [0, 100], tests: 24.8 },
  { threshold: 0.95, most: 100, rate: 0.85, percent: [0, 92.2], tests: 52.7 },
]

/** Two sides of which the truth is known. */
export interface PairsWorld {
  readonly name: string
  readonly rates: Rates
  readonly most: number
  /** Whether each decision for a direction is an error: no test changed, or as many for the better as for the worse. */
  readonly isSame?: true
  /** Of a candidate that is worse: the share of 20,000 runs that show it, and their mean number of pairs. */
  readonly power?: number
  readonly pairs?: number
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

/** Of 50 tests 30 nearly always pass, 10 hardly ever do, and 10 are flaky, at rates from 0.2 to 0.8. */
const CONTROL: readonly number[] = [
  ...numbers(30).map(() => 0.98),
  ...numbers(10).map(() => 0.05),
  ...numbers(10).map(index => 0.2 + (0.6 * index) / 9),
]

function changed(change: (rate: number, test: number) => number): Rates {
  const within = (rate: number) => Math.min(1, Math.max(0, rate))
  const rates = CONTROL.map((control, test) => ({ control, candidate: within(change(control, test)) }))
  // In any order: every seventh, which takes each of the 50 once.
  return rates.map((_, test) => rates[(test * 7) % rates.length] ?? { control: 0, candidate: 0 })
}

const isFlaky = (test: number) => test >= 40

export const PAIR_WORLDS: readonly PairsWorld[] = [
  { name: 'nothing changed', rates: changed(rate => rate), most: 250, isSame: true },
  {
    name: 'nothing changed, 30 tests',
    rates: changed(rate => rate).slice(0, 30),
    most: 90,
    isSame: true,
  },
  {
    name: '5 tests break, 5 are repaired',
    rates: changed((rate, test) => (test < 5 ? 0.05 : test >= 30 && test < 35 ? 0.98 : rate)),
    most: 250,
    isSame: true,
  },
  {
    name: 'flaky tests −0.2',
    rates: changed((rate, test) => rate - (isFlaky(test) ? 0.2 : 0)),
    most: 250,
    power: 0.543,
    pairs: 210.2,
  },
  {
    name: '3 stable tests break',
    rates: changed((rate, test) => (test < 3 ? 0 : rate)),
    most: 250,
    power: 0.808,
    pairs: 181.8,
  },
  {
    name: '6 stable tests break',
    rates: changed((rate, test) => (test < 6 ? 0 : rate)),
    most: 250,
    power: 0.9998,
    pairs: 100.9,
  },
  { name: 'all −0.1', rates: changed(rate => rate - 0.1), most: 250, power: 0.891, pairs: 152.7 },
  { name: 'all −0.2', rates: changed(rate => rate - 0.2), most: 250, power: 0.9999, pairs: 77.5 },
]

/** The largest mean error of an estimate that ends with a decision. */
const MOST_BIAS = 0.016

/** The standard deviation of the pairs of a run is below this share of the most. */
const SPREAD = 0.3

/** Whether the results of so many runs are what is listed, apart from chance. */
export function isAsListed(
  { isSame, power = 0, pairs = 0, most }: PairsWorld,
  found: PairsResult,
  runs: number,
): boolean {
  const isExact = found.coverage >= 1 - withNoise(0.1, runs) && Math.abs(found.bias) <= MOST_BIAS
  if (isSame) {
    const isSafe = Math.max(found.worse, found.better) <= withNoise(0.025, runs)
    return isExact && isSafe && found.worse + found.better <= withNoise(0.05, runs)
  }
  const noise = (3.1 * SPREAD * most) / Math.sqrt(runs)
  return isExact && isNear(found.worse, power, runs) && found.mean_pairs <= pairs + noise
}

/** Whether a share of so many runs can be that of a true share; one run more or less is always possible. */
export function isNear(share: number, truth: number, runs: number): boolean {
  return Math.abs(share - truth) <= withNoise(truth, runs) - truth + 1 / runs
}
