import type { Agent, KnownAgent, World } from './simulated-runs.ts'

/** The same agent on both sides, with other parameters of the comparison. */
function same(name: string, agent: Agent, more: Partial<World> = {}): World {
  return { name, before: agent, after: agent, margin: 0, ...more }
}

function coins(tests: number, rate: number, trials = 1): Agent {
  return { tests, trials, rate }
}

function clustered(sizes: readonly number[], rate: number, icc: number): Agent {
  return { ...coins(sum(sizes), rate), clusters: { sizes, icc } }
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0)
}

function times(count: number, size: number): number[] {
  return Array<number>(count).fill(size)
}

const ALONE_AND_THREE = [...times(20, 1), ...times(3, 10)]
const ALONE_AND_ONE = [...times(40, 1), 40]

/** Scores around the pass threshold, of which some pass by chance. */
function graded(tests: number, trials = 1): Agent {
  return { ...coins(tests, 0.5, trials), score: random => 0.6 + 0.4 * random() }
}

/** No regression, or none beyond the margin: the gate may fail in at most 5 % of the comparisons. */
export const NO_REGRESSION: readonly World[] = [
  same('the same, 200 tests', coins(200, 0.8)),
  same('the same, hard and easy tests', coins(200, 0.8), { spread: 0.2 }),
  same('the same, 20 tests', coins(20, 0.8)),
  same('the same, 8 tests', coins(8, 0.5)),
  same('the same, 20 tests, most pass', coins(20, 0.9)),
  same('the same, 50 tests, nearly all pass', coins(50, 0.95)),
  same('the same, 8 tests, 3 trials', coins(8, 0.7, 3)),
  same('the same, 50 tests, 3 trials', coins(50, 0.7, 3), { spread: 0.3 }),
  same('1 and 5 trials, 20 tests', coins(20, 0.95), { after: coins(20, 0.95, 5) }),
  same('1 and 5 trials, 50 tests', coins(50, 0.95), { after: coins(50, 0.95, 5) }),
  same('5 and 1 trials, 20 tests', coins(20, 0.95, 5), { after: coins(20, 0.95) }),
  same('5 and 1 trials, 50 tests', coins(50, 0.95, 5), { after: coins(50, 0.95) }),
  same('scores around the mark, 20 tests', graded(20)),
  same('scores around the mark, 100 tests', graded(100)),
  same('scores around the mark, 20 tests, 3 trials', graded(20, 3)),
  same('scores around the mark, 1 and 5 trials', graded(20), { after: graded(20, 5) }),
  same('40 clusters of 5', clustered(times(40, 5), 0.5, 0.64)),
  same('20 alone, 3 clusters of 10', clustered(ALONE_AND_THREE, 0.5, 0.64)),
  same('40 alone, 1 cluster of 40', clustered(ALONE_AND_ONE, 0.5, 0.64)),
  same('errors in half of the failures after', coins(100, 0.7), { after: { ...coins(100, 0.7), errors: 0.5 } }),
  same('errors in half of the failures before', { ...coins(100, 0.7), errors: 0.5 }, { after: coins(100, 0.7) }),
]

/** Worse by exactly the margin: both "worse" and "better" are wrong. */
export const AT_THE_MARGIN: World = {
  name: 'worse by the margin',
  before: coins(200, 0.8),
  after: coins(200, 0.75),
  margin: 0.05,
}

/** A real regression: the gate must fail in at least 80 % of the comparisons. */
export const REGRESSION: readonly World[] = [
  { name: 'from 0.80 to 0.65, 200 tests', before: coins(200, 0.8), after: coins(200, 0.65), margin: 0 },
]

function known(name: string, agent: Agent): KnownAgent {
  return { name, agent, pass_rate: agent.rate, score: agent.rate }
}

/** Nearly constant scores, and sometimes 0. */
const RARE_ZERO: Agent = {
  ...coins(20, 0.97),
  score: random => (random() < 0.03 ? 0 : 0.9 + 0.03 * (2 * random() - 1)),
}

/** Agents with known true values, which the intervals must contain in at least 90 % of the runs. */
export const KNOWN_AGENTS: readonly KnownAgent[] = [
  ...[8, 20, 50].map(tests => known(`0 or 1, 0.95, ${tests} tests`, coins(tests, 0.95))),
  ...[20, 50].map(tests => known(`0 or 1, 0.98, ${tests} tests`, coins(tests, 0.98))),
  ...[8, 20, 50].map(tests => known(`3 trials, 0.95, ${tests} tests`, coins(tests, 0.95, 3))),
  ...[8, 20, 50].map(tests => ({
    name: `0.9 ± 0.03, but 3 % are 0, ${tests} tests`,
    agent: { ...RARE_ZERO, tests },
    pass_rate: 0.97,
    score: 0.97 * 0.9,
  })),
  known('20 clusters of 5', clustered(times(20, 5), 0.8, 0.2)),
  known('20 clusters of 5, alike, most pass', clustered(times(20, 5), 0.95, 0.5)),
  known('clusters of 1, 2, 4, 8 and 16', clustered([1, 2, 4, 8, 16, 1, 2, 4, 8, 16], 0.8, 0.5)),
  known('40 alone, 1 cluster of 40', clustered(ALONE_AND_ONE, 0.8, 0.5)),
]
