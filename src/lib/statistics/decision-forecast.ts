import { seededRandom } from '../seeded-random.ts'
import { assertCount, assertPositive, assertProbability } from './assertions.ts'
import { type DiscordantOptions, DiscordantPairs } from './discordant-pairs.ts'
import { PairChoice } from './pair-choice.ts'
import { RateBoundaries, type RateOptions } from './rate-boundaries.ts'

export interface PairsWorld extends DiscordantOptions {
  /** By how much the candidate passes less often than the control, on every test. */
  readonly drop: number
  /** The rate at which the control passes each test; 0.9 by default. */
  readonly rates?: readonly number[] | undefined
  readonly seed: number
  /** The number of simulated runs. */
  readonly runs?: number | undefined
}

export interface PairsForecast {
  /** The share of runs that show that the candidate is worse. */
  readonly power: number
  readonly mean_pairs: number
}

const USUAL_RATE = 0.9
const RUNS = 400

/** Simulates what pairs will show if the candidate is worse by the drop. The same seed gives the same forecast. */
export function forecastPairs({ seed, runs = RUNS, ...world }: PairsWorld): PairsForecast {
  const rates = world.rates ?? new Array<number>(world.tests).fill(USUAL_RATE)
  assertWorld({ ...world, rates })
  assertCount('The number of runs', runs)
  assertPositive('The number of runs', runs)
  const random = seededRandom(seed)
  const chances = rates.map(control => ({ control, candidate: Math.max(0, control - world.drop) }))
  let [worse, pairs] = [0, 0]
  for (let run = 0; run < runs; run++) {
    const found = simulatePairs(world, chances, random)
    if (found.decision === 'worse') worse++
    pairs += found.pairs
  }
  return { power: worse / runs, mean_pairs: pairs / runs }
}

function assertWorld({ tests, drop, rates }: Pick<PairsWorld, 'tests' | 'drop'> & { rates: readonly number[] }): void {
  assertProbability('The drop', drop)
  if (rates.length !== tests) throw new RangeError(`${tests} tests with ${rates.length} rates.`)
  for (const rate of rates) assertProbability('A rate', rate)
}

/** The chances of both sides to pass a test. */
interface Chances {
  readonly candidate: number
  readonly control: number
}

/** Simulates one run of pairs, without its interval. */
function simulatePairs(options: DiscordantOptions, chances: readonly Chances[], random: () => number): DiscordantPairs {
  const [counts, choice] = [new DiscordantPairs(options), new PairChoice(options.tests)]
  while (counts.decision === undefined) {
    const test = choice.next()
    const chance = chances[test] ?? { candidate: 0, control: 0 }
    const [candidate, control] = [random() < chance.candidate, random() < chance.control]
    choice.learn(test, Number(candidate) + Number(control))
    counts.add(candidate, control)
  }
  return counts
}

export interface RateWorld extends RateOptions {
  /** The true rate. */
  readonly rate: number
}

export interface RateForecast {
  /** The probabilities of the decisions. */
  readonly above: number
  readonly below: number
  readonly mean_tests: number
}

/** What tests will show about a threshold if the true rate is known; exact. */
export function forecastRate({ rate, ...options }: RateWorld): RateForecast {
  assertProbability('The rate', rate)
  const boundaries = new RateBoundaries(options)
  const shown = { above: 0, below: 0, 'not-shown': 0 }
  let mean_tests = 0
  /** The probability of each number of passes without a decision. */
  let open: Float64Array = Float64Array.of(boundaries.decisionAt(0, 0) === undefined ? 1 : 0)
  for (let tests = 1; tests <= options.most; tests++) {
    mean_tests += open.reduce((sum, chance) => sum + chance, 0)
    open = nextPasses(open, rate)
    for (const [passes, chance] of open.entries()) {
      const decision = boundaries.decisionAt(tests, passes)
      if (decision === undefined) continue
      shown[decision] += chance
      open[passes] = 0
    }
  }
  return { above: shown.above, below: shown.below, mean_tests }
}

/** The distribution of the passes after another test. */
function nextPasses(open: Float64Array, rate: number): Float64Array {
  const next = new Float64Array(open.length + 1)
  for (const [passes, chance] of open.entries()) {
    next[passes] = (next[passes] ?? 0) + chance * (1 - rate)
    next[passes + 1] = (next[passes + 1] ?? 0) + chance * rate
  }
  return next
}
