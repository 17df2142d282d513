import type { World } from './simulated-runs.ts'

/** Nothing is worse than before, or no worse than the margin: the gate may say "worse" in 5 of 100 cases at most. */
export const NO_REGRESSION: readonly World[] = [
  { name: 'the same, 200 tests', tests: 200, trials: 1, before: 0.8, after: 0.8, margin: 0 },
  { name: 'the same, hard and easy tests', tests: 200, trials: 1, before: 0.8, after: 0.8, spread: 0.2, margin: 0 },
  { name: 'the same, 20 tests', tests: 20, trials: 1, before: 0.8, after: 0.8, margin: 0 },
  { name: 'the same, 3 trials', tests: 50, trials: 3, before: 0.7, after: 0.7, spread: 0.3, margin: 0 },
  {
    name: 'the same, clusters of 5',
    tests: 200,
    trials: 1,
    before: 0.5,
    after: 0.5,
    clusters: { of: 5, shift: 0.4 },
    margin: 0,
  },
  { name: 'worse by the margin', tests: 200, trials: 1, before: 0.8, after: 0.75, margin: 0.05 },
]

/** A drop that is there: the gate must say so in 80 of 100 cases at least. */
export const REGRESSION: readonly World[] = [
  { name: 'from 0.80 to 0.65, 200 tests', tests: 200, trials: 1, before: 0.8, after: 0.65, margin: 0 },
]
