import { seededRandom } from '../src/lib/seeded-random.ts'
import { verdictOf } from '../src/model/verdict.ts'
import type { ComparisonVerdict } from '../src/report/compare/analysis.ts'
import { compareSides, type Side } from '../src/report/compare/comparison.ts'
import { estimatesOf } from '../src/report/outcome/estimates.ts'
import type { TestOutcome } from '../src/report/outcome/test-outcome.ts'

/** The true parameters of a simulated agent. */
export interface Agent {
  readonly tests: number
  readonly trials: number
  /** The probability of a pass. */
  readonly rate: number
  /** The number of tests, from the first, that never pass. */
  readonly broken?: number
  /** The share of its failures that are errors. */
  readonly errors?: number
  /** The cluster sizes, from the first test, and the correlation within a cluster; hidden clusters are not recorded. */
  readonly clusters?: { readonly sizes: readonly number[]; readonly icc: number; readonly areHidden?: true }
  /** Draws the score of an attempt if scores are not binary. */
  readonly score?: (random: () => number) => number
}

/** Two agents whose runs are compared. */
export interface World {
  readonly name: string
  readonly before: Agent
  readonly after: Agent
  /** The range of difficulty over the tests, equal in both runs. */
  readonly spread?: number
  readonly margin: number
}

/** The share of comparisons with each verdict. */
export interface Verdicts extends Readonly<Record<ComparisonVerdict, number>> {
  /** The share that fails `--fail-on-regression`, except because errors rose. */
  readonly failed: number
}

/** Compares `pairs` pairs of simulated runs. The same seed gives the same runs. */
export function verdictsIn(world: World, pairs: number, seed: number): Verdicts {
  const random = seededRandom(seed)
  const counts = { better: 0, worse: 0, equivalent: 0, inconclusive: 0, failed: 0 }
  for (let pair = 0; pair < pairs; pair++) {
    const easier = Array.from({ length: world.before.tests }, () => (world.spread ?? 0) * (2 * random() - 1))
    const sides = [
      sideOf('before', world.before, easier, random),
      sideOf('after', world.after, easier, random),
    ] as const
    const [comparison] = compareSides([sides], world.margin)
    if (!comparison) continue
    counts[comparison.verdict]++
    if (comparison.verdict_with_errors === 'worse' || comparison.broke.length > 0) counts.failed++
  }
  return shares(counts, pairs)
}

/** An agent with known true values. */
export interface KnownAgent {
  readonly name: string
  readonly agent: Agent
  readonly pass_rate: number
  readonly score: number
}

/** The share of runs whose intervals contain the true values; a missing interval counts as a miss. */
export function coverageOf({ agent, pass_rate, score }: KnownAgent, runs: number, seed: number) {
  const random = seededRandom(seed)
  const counts = { pass_rate: 0, score: 0 }
  const even = Array<number>(agent.tests).fill(0)
  for (let run = 0; run < runs; run++) {
    const figures = estimatesOf(sideOf('run', agent, even, random).tests)
    const covers = (truth: number, interval?: { readonly low: number; readonly high: number }) =>
      interval !== undefined && interval.low <= truth && truth <= interval.high
    if (covers(pass_rate, figures.pass_rate?.interval)) counts.pass_rate++
    if (covers(score, figures.score?.interval)) counts.score++
  }
  return shares(counts, runs)
}

function shares<Name extends string>(counts: Readonly<Record<Name, number>>, of: number): Record<Name, number> {
  const entries = Object.entries<number>(counts).map(([name, count]) => [name, count / of])
  return Object.fromEntries(entries) as Record<Name, number>
}

/** The upper 0.1 % bound of a sample share if the true share is at most `limit`. */
export function withNoise(limit: number, samples: number): number {
  return limit + 3.1 * Math.sqrt((limit * (1 - limit)) / samples)
}

function sideOf(label: string, agent: Agent, easier: readonly number[], random: () => number): Side {
  const clusters = clusterNumbers(agent)
  const rates = clusters.map(() => clusterRate(agent, random))
  const isHidden = !agent.clusters || agent.clusters.areHidden
  const tests = easier.map((more, index) => {
    const cluster = clusters[index] ?? index
    const rate = index < (agent.broken ?? 0) ? 0 : (rates[cluster] ?? 0) + more
    const attempts = Array.from({ length: agent.trials }, () => attemptOf(agent, rate, random))
    return outcomeOf(index, attempts, isHidden ? undefined : `c${cluster}`)
  })
  return { label, tests }
}

/** Draws the rate of a cluster from a beta distribution (Jöhnk's method), which correlates its tests. */
function clusterRate({ rate, clusters }: Agent, random: () => number): number {
  if (!clusters) return rate
  const size = 1 / clusters.icc - 1
  for (;;) {
    const [first, second] = [random() ** (1 / (rate * size)), random() ** (1 / ((1 - rate) * size))]
    if (first + second <= 1) return first / (first + second)
  }
}

/** The number of the cluster of each test. */
function clusterNumbers({ tests, clusters }: Agent): number[] {
  const sizes = clusters?.sizes ?? Array<number>(tests).fill(1)
  return sizes.flatMap((size, index) => Array<number>(size).fill(index))
}

/** The score of an attempt; undefined is an error. */
function attemptOf(agent: Agent, rate: number, random: () => number): number | undefined {
  if (agent.score) return agent.score(random)
  if (random() < rate) return 1
  return agent.errors !== undefined && random() < agent.errors ? undefined : 0
}

function outcomeOf(index: number, scores: readonly (number | undefined)[], cluster: string | undefined): TestOutcome {
  const answered = scores.filter(score => score !== undefined)
  const passed = answered.filter(score => verdictOf(score, false) === 'pass').length
  const score = answered.length === 0 ? null : answered.reduce((sum, each) => sum + each, 0) / answered.length
  const errors = scores.length - answered.length
  return {
    suite: 'simulated',
    file: 'EVAL.yaml',
    line: 1,
    test_id: `t${index}`,
    target: 'agent',
    is_control: false,
    control_of: undefined,
    cost_usd: undefined,
    tokens: undefined,
    duration_ms: undefined,
    verdict: score === null || errors > 0 ? 'error' : verdictOf(score, false),
    score,
    attempts: scores.length,
    passed,
    errors,
    reruns: 0,
    first: undefined,
    cached: 0,
    values: scores.map(each => each ?? 0),
    is_flaky: passed > 0 && passed < scores.length,
    test_hash: `h${index}`,
    target_hash: undefined,
    judges_hash: undefined,
    cluster,
    results: [],
  }
}
