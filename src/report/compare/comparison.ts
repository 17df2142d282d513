import { groupBy } from '../../lib/group-by.ts'
import { holm } from '../../lib/statistics/holm.ts'
import { type Certainty, certaintyOf } from '../certainty.ts'
import type { TestOutcome } from '../outcome.ts'
import { type Evidence, evidenceOf } from './evidence.ts'
import { type Needed, neededFor } from './needed.ts'
import { type PairedTests, pairTests } from './pair-tests.ts'

/** One of two things that are compared. */
export interface Side {
  /** What people call it: the run, the target, or both. */
  readonly label: string
  readonly tests: readonly TestOutcome[]
}

export type ComparedVerdict = 'better' | 'worse' | 'not shown'

/** Two sides, and what their difference shows. */
export interface Comparison extends PairedTests {
  readonly before: SideFigures
  readonly after: SideFigures
  readonly margin: number
  /** Undefined where they have no test in common. */
  readonly evidence: Evidence | undefined
  /** `p`, with all comparisons that were made at once counted in. */
  readonly adjusted_p: number | undefined
  readonly verdict: ComparedVerdict
  /** What it would take to say more, where nothing is shown. */
  readonly needed: Needed | undefined
}

export interface SideFigures extends Certainty {
  readonly label: string
}

/** Fewer differences than this can fall the same way by chance more often than once in twenty times. */
const LEAST_DIFFERING = 6

const LEVEL = 0.05

/** Compares sides, several pairs at once: the more one looks at, the more chance finds. */
export function compareSides(sides: readonly (readonly [Side, Side])[], margin: number): Comparison[] {
  const compared = sides.map(([before, after]) => {
    const paired = pairTests(before.tests, after.tests)
    return { before, after, paired, evidence: evidenceOf(paired.pairs, margin) }
  })
  const ps = adjusted(compared.map(({ evidence }) => evidence && decidingP(evidence, margin)))
  return compared.map(({ before, after, paired, evidence }, index) => {
    const adjusted_p = ps[index]
    const verdict = verdictOf(evidence, adjusted_p, margin)
    return {
      ...paired,
      before: { label: before.label, ...certaintyOf(before.tests) },
      after: { label: after.label, ...certaintyOf(after.tests) },
      margin,
      evidence,
      adjusted_p,
      verdict,
      needed: verdict === 'not shown' && evidence ? neededFor(paired.pairs, evidence, margin) : undefined,
    }
  })
}

/** That of the question which the mean asks: whether it is above 0, or below the margin. */
function decidingP({ mean, p, p_of_margin }: Evidence, margin: number): number | undefined {
  return mean < -margin ? p_of_margin : p
}

function adjusted(ps: readonly (number | undefined)[]): (number | undefined)[] {
  const known = ps.filter(p => p !== undefined)
  const all = known.length === 0 ? [] : holm(known)
  let next = 0
  return ps.map(p => (p === undefined ? undefined : all[next++]))
}

/** By the interval; and not by differences that are so few that they say nothing, however much they agree. */
function verdictOf(evidence: Evidence | undefined, p: number | undefined, margin: number): ComparedVerdict {
  if (!evidence?.interval || p === undefined || p > LEVEL || evidence.differing < LEAST_DIFFERING) return 'not shown'
  if (evidence.interval.high < -margin) return 'worse'
  return evidence.interval.low > 0 ? 'better' : 'not shown'
}

/** Tests by target, in the order in which these come. */
export function byTarget(tests: readonly TestOutcome[]): ReadonlyMap<string, readonly TestOutcome[]> {
  return groupBy(tests, ({ target }) => target)
}
