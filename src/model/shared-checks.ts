import type { InternPool } from '../lib/collections.ts'
import { weightedAverage } from '../lib/statistics/means.ts'
import type { EvaluatorResult } from './evaluator-result.ts'
import type { PanelVerdicts } from './panel.ts'
import { counts, isUnjudged, missesRequired, type Verdict, verdictOf } from './verdict.ts'

/** What a check contributes to the result of an attempt. */
export interface CheckFacts extends Pick<EvaluatorResult, 'score' | 'weight'> {
  /** Where it does not apply to the target: empty, `itself`, or the positions of checks inside it. */
  readonly inapplicable: string
  readonly is_unjudged: boolean
  readonly misses_required: boolean
}

/** The facts of an attempt that its checks decide. */
export interface GradedFacts {
  readonly score: number | null
  readonly verdict: Verdict
  readonly misses_required: boolean
  /** Lowest score that passes, if the test has one of its own. */
  readonly threshold: number | undefined
  /** The score by each of several gradings; undefined if there is one. */
  readonly judge_scores: readonly number[] | undefined
  /** What each judge of a panel decides; undefined without a panel. */
  readonly panel: PanelVerdicts | undefined
  /** Its checks in the order of the test; undefined without an answer, or if there is only one, which then applies. */
  readonly checks: readonly CheckFacts[] | undefined
}

/** The facts of checks; undefined if they can only apply to a target as a whole. */
export function checkFacts(checks: readonly EvaluatorResult[], shared: InternPool): readonly CheckFacts[] | undefined {
  if (checks.length < 2 && !checks[0]?.evaluator_results) return undefined
  // Most results of a run have equal facts: a key is cheaper than the objects.
  let key = 'checks'
  for (const check of checks)
    key += ` ${check.score} ${check.weight} ${isUnjudgedHere(check)} ${missesRequired(check)} ${inapplicableIn(check)};`
  return shared.made(key, () =>
    checks.map(check => ({
      score: check.score,
      weight: check.weight,
      inapplicable: inapplicableIn(check),
      is_unjudged: isUnjudgedHere(check),
      misses_required: missesRequired(check),
    })),
  )
}

function isUnjudgedHere(check: EvaluatorResult): boolean {
  return counts(check) && isUnjudged(check)
}

const ITSELF = 'itself'

function inapplicableIn(check: EvaluatorResult): string {
  if (!counts(check)) return ITSELF
  if (!check.evaluator_results) return ''
  const inside = check.evaluator_results.map(inapplicableIn)
  return inside.flatMap((where, index) => (where === '' ? [] : [`${index} (${where})`])).join(', ')
}

/** Grades both sides of a test by the checks that apply to both; undefined if there are none. */
export function gradeAlike<Facts extends GradedFacts>(
  first: readonly Facts[],
  second: readonly Facts[],
): readonly [first: readonly Facts[], second: readonly Facts[]] | undefined {
  const [one, other] = [checksOf(first), checksOf(second)]
  if (!one || !other) return [first, second]
  const isAlike = (index: number) => one[index]?.inapplicable === other[index]?.inapplicable
  if (one.every((_, index) => isAlike(index))) return [first, second]
  const isShared = (index: number) => isAlike(index) && one[index]?.inapplicable !== ITSELF
  if (!one.some(({ weight }, index) => weight > 0 && isShared(index))) return undefined
  const graded = (facts: Facts) => gradedBy(facts, isShared)
  return [first.map(graded), second.map(graded)]
}

/** The checks of the attempts of one side, from one that has an answer. */
function checksOf(attempts: readonly GradedFacts[]): readonly CheckFacts[] | undefined {
  return attempts.find(({ checks }) => checks !== undefined)?.checks
}

/** The facts of an attempt as if its test had only these checks. */
function gradedBy<Facts extends GradedFacts>(facts: Facts, isShared: (index: number) => boolean): Facts {
  if (!facts.checks) return facts
  const checks = facts.checks.filter((_, index) => isShared(index))
  const misses_required = checks.some(check => check.misses_required)
  const score = checks.some(({ is_unjudged }) => is_unjudged) ? null : weightedAverage(checks)
  const verdict = verdictOf(score, misses_required, facts.threshold)
  // Gradings and votes are those of all checks.
  return { ...facts, score, misses_required, verdict, judge_scores: undefined, panel: undefined }
}
