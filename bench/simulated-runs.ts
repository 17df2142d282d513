import { verdictOf } from '../src/model/marks.ts'
import { type ComparedVerdict, compareSides, type Side } from '../src/report/compare/comparison.ts'
import type { TestOutcome } from '../src/report/outcome.ts'

/** How two runs come about: what is true of the agents, which nobody sees. */
export interface World {
  readonly name: string
  readonly tests: number
  readonly trials: number
  /** The rates at which the agents pass. */
  readonly before: number
  readonly after: number
  /** How much easier or harder tests are than others, in both runs alike. */
  readonly spread?: number
  /** Tests in a row that stand or fall together, by how much, and anew in each run; hidden ones do not say so. */
  readonly clusters?: { readonly of: number; readonly shift: number; readonly areHidden?: true }
  readonly margin: number
}

export type Verdicts = Readonly<Record<ComparedVerdict, number>>

/** What the comparison says of so many pairs of runs, each as a share of them. The same seed gives the same runs. */
export function verdictsIn(world: World, pairs: number, seed: number): Verdicts {
  const random = seeded(seed)
  const counts = { better: 0, worse: 0, 'not shown': 0 }
  for (let pair = 0; pair < pairs; pair++) {
    const easier = Array.from({ length: world.tests }, () => (world.spread ?? 0) * (2 * random() - 1))
    const sides = [
      sideOf('before', world.before, easier, world, random),
      sideOf('after', world.after, easier, world, random),
    ] as const
    const [comparison] = compareSides([sides], world.margin)
    if (comparison) counts[comparison.verdict] += 1 / pairs
  }
  return counts
}

/** A rate that is no higher than a limit may be seen so much higher in a sample: in one of a thousand. */
export function withNoise(limit: number, pairs: number): number {
  return limit + 3.1 * Math.sqrt((limit * (1 - limit)) / pairs)
}

function sideOf(label: string, rate: number, easier: readonly number[], world: World, random: () => number): Side {
  let shift = 0
  const tests = easier.map((more, index) => {
    const { clusters } = world
    if (clusters && index % clusters.of === 0) shift = random() < 0.5 ? clusters.shift : -clusters.shift
    const passes = Array.from({ length: world.trials }, () => Number(random() < rate + more + shift))
    return outcomeOf(index, passes, clusters && !clusters.areHidden ? `c${Math.floor(index / clusters.of)}` : undefined)
  })
  return { label, tests }
}

function outcomeOf(index: number, passes: readonly number[], cluster: string | undefined): TestOutcome {
  const passed = passes.reduce((sum, pass) => sum + pass, 0)
  const attempts = passes.length
  const score = passed / attempts
  return {
    suite: 'simulated',
    file: 'EVAL.yaml',
    test_id: `t${index}`,
    target: 'agent',
    verdict: verdictOf(score),
    score,
    attempts,
    passed,
    variance: attempts < 2 ? undefined : (attempts * score * (1 - score)) / (attempts - 1),
    is_flaky: passed > 0 && passed < attempts,
    test_hash: `h${index}`,
    cluster,
  }
}

/** Mulberry32: small, quick, and good enough to toss coins. */
function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
