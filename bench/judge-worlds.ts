import type { JudgeWorld } from './simulated-judges.ts'

const GOOD = { sensitivity: 0.9, specificity: 0.8 }
const BETTER = { sensitivity: 0.97, specificity: 0.9 }
const POOR = { sensitivity: 0.75, specificity: 0.6 }

/** The name says it all. */
function world(
  judge: typeof GOOD,
  rate: number,
  tests: number,
  labels: number,
  more: Partial<JudgeWorld> = {},
): JudgeWorld {
  const { sensitivity, specificity } = judge
  const { name, ...settings } = more
  const text = `${sensitivity}/${specificity}, ${rate}, ${tests} tests, ${labels} labels${name ? `, ${name}` : ''}`
  return { ...judge, rates: [rate], tests, labels, ...settings, name: text }
}

/** Answers of the run itself are labelled. */
export const OWN_LABELS: readonly JudgeWorld[] = [
  world(GOOD, 0.9, 1_000, 60),
  world(GOOD, 0.7, 200, 50),
  world(GOOD, 0.9, 1_000, 50),
  world(BETTER, 0.9, 1_000, 50),
  world(BETTER, 0.7, 1_000, 200),
  world(POOR, 0.7, 1_000, 200),
  world(GOOD, 0.9, 200, 20),
  world(GOOD, 0.9, 333, 60, { name: '3 trials', trials: 3, icc: 0.5 }),
  world(GOOD, 0.8, 20, 60, { name: '10 trials', trials: 10, icc: 0.5 }),
  world(GOOD, 0.8, 200, 60, { name: 'clusters of 5', cluster: 5, icc: 0.3 }),
  world(GOOD, 0.9, 1_000, 60, { name: '5 % errors', errors: 0.05 }),
  world(GOOD, 0.9, 1_000, 60, { name: 'beside a target with 0.5', rates: [0.5, 0.9] }),
  world(GOOD, 0.5, 1_000, 60, { name: 'beside a target with 0.95', rates: [0.95, 0.5] }),
]

/** Only answers of another run are labelled. */
export const OTHER_LABELS: readonly JudgeWorld[] = [
  world(GOOD, 0.9, 1_000, 60, { name: 'of a run with 0.9', labelled: 0.9 }),
  world(GOOD, 0.9, 1_000, 60, { name: 'of a run with 0.6', labelled: 0.6 }),
  world(GOOD, 0.7, 1_000, 60, { name: 'of a run with 0.9', labelled: 0.9 }),
  world(BETTER, 0.9, 200, 50, { name: 'of a run with 0.7', labelled: 0.7 }),
  world(GOOD, 0.9, 333, 60, { name: '3 trials, of a run with 0.7', labelled: 0.7, trials: 3, icc: 0.5 }),
  world(GOOD, 0.9, 1_000, 60, { name: '5 % errors, of a run with 0.7', labelled: 0.7, errors: 0.05 }),
]
