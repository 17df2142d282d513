import type { Result } from '../../../src/model/result.ts'
import { type Comparison, compareSides, type Side } from '../../../src/report/compare/comparison.ts'
import { outcomeOf } from '../../../src/report/outcome/run-outcome.ts'
import { runOf, trialsOf } from '../../support/recorded-run.ts'

/** Scores of the trials of a test, null for an error, and other recorded facts. */
export type Scored = readonly (number | null)[] | (Partial<Result> & { readonly scores: readonly (number | null)[] })

/** A side, from the scores of its tests. */
export function sideOf(label: string, tests: Readonly<Record<string, Scored>>): Side {
  const results = Object.entries(tests).flatMap(([id, scored]) => {
    const { scores, ...more } = 'scores' in scored ? scored : { scores: scored }
    return trialsOf(id, scores, { test_hash: `hash of ${id}`, ...more })
  })
  return { label, tests: outcomeOf(runOf(results)).tests }
}

/** Tests t0, t1, … with one trial each. */
export function singles(scores: readonly number[], more: (index: number) => Partial<Result> = () => ({})) {
  return Object.fromEntries(scores.map((score, index) => [`t${index}`, { scores: [score], ...more(index) }]))
}

/** Two sides compared with each other alone. */
export function compared(
  before: Readonly<Record<string, Scored>>,
  after: Readonly<Record<string, Scored>>,
  margin = 0,
): Comparison {
  const [comparison] = compareSides([[sideOf('before', before), sideOf('after', after)]], margin)
  if (!comparison) throw new Error('nothing was compared')
  return comparison
}

/** Repeats numbers: `[[3, 1], [2, 0]]` is 1, 1, 1, 0, 0. */
export function times(...parts: readonly (readonly [count: number, value: number])[]): number[] {
  return parts.flatMap(([count, value]) => Array<number>(count).fill(value))
}

/** Forty tests of which some fall slightly below a pass; the scores of the others vary up and down. */
export function crossing(count: number): { before: Record<string, Scored>; after: Record<string, Scored> } {
  const before = times([count, 0.81], [40 - count, 0.4])
  const after = before.map((score, index) =>
    index < count ? 0.79 : score + (index % 2 === 0 ? 0.3 : -0.3) + index / 1e4,
  )
  return { before: singles(before), after: singles(after) }
}
