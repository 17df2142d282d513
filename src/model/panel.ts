import { mean, weightedAverage } from '../lib/statistics/means.ts'
import type { EvaluatorResult, RubricItem } from './evaluator-result.ts'
import { counts, PASS_MARK, reaches } from './verdict.ts'

/** What each judge of the panels of a test decides about an answer by its own votes alone. */
export interface PanelVerdicts {
  readonly judges: readonly JudgeVerdict[]
  /** Whether the judges of a panel differ. */
  readonly is_disputed: boolean
}

export interface JudgeVerdict {
  readonly judge: string
  /** Whether it passes all checks that it judges together with others. */
  readonly passes: boolean
}

/** The verdicts of the judges of panels, at any depth; undefined if there is no panel. */
export function panelVerdicts(checks: readonly EvaluatorResult[]): PanelVerdicts | undefined {
  // Most results have no votes; this runs for each of them.
  if (!checks.some(hasVotes)) return undefined
  const panels = [...panelsIn(checks)]
  if (panels.length === 0) return undefined
  const passes = new Map<string, boolean>()
  for (const { judge, passes: isPassed } of panels.flat()) passes.set(judge, isPassed && passes.get(judge) !== false)
  const is_disputed = panels.some(panel => panel.some(each => each.passes !== panel[0]?.passes))
  return { judges: Array.from(passes, ([judge, passes]) => ({ judge, passes })), is_disputed }
}

function hasVotes({ votes, items, evaluator_results: inside }: EvaluatorResult): boolean {
  return votes !== undefined || items !== undefined || (inside?.some(hasVotes) ?? false)
}

/** Yields the verdicts on each check with a panel. */
function* panelsIn(checks: readonly EvaluatorResult[]): Generator<JudgeVerdict[]> {
  for (const check of checks.filter(counts)) {
    const votes = [...(check.votes ?? []), ...(check.items ?? []).flatMap(({ votes = [] }) => votes)]
    const judges = [...new Set(votes.flatMap(({ judge }) => judge ?? []))]
    if (judges.length > 0) yield judges.map(judge => ({ judge, passes: isPassedBy(judge, check) }))
    yield* panelsIn(check.evaluator_results ?? [])
  }
}

function isPassedBy(judge: string, { items = [], votes = [], required, negate }: EvaluatorResult): boolean {
  const found = items.map(item => findingOf(judge, item))
  const own = votes.filter(vote => vote.judge === judge).map(({ score = 0 }) => score)
  const score = items.length > 0 ? weightedAverage(found) : meanOf(own)
  const missesRequired = !negate && found.some(({ is_missed }) => is_missed)
  return !missesRequired && reaches(negate ? 1 - score : score, required ?? PASS_MARK)
}

/** What the votes of one judge say about an item. */
function findingOf(judge: string, { votes = [], weight, required, required_min_score = 0 }: RubricItem) {
  const own = votes.filter(vote => vote.judge === judge)
  const satisfied = own.filter(vote => vote.satisfied).length > own.length / 2
  if (own.some(vote => vote.satisfied !== undefined))
    return { score: Number(satisfied), weight, is_missed: required && !satisfied }
  const score = meanOf(own.map(({ score = 0 }) => score))
  return { score: score / 10, weight, is_missed: required && score < required_min_score }
}

/** Records may come from elsewhere: a judge without votes gives 0. */
function meanOf(scores: readonly number[]): number {
  return scores.length === 0 ? 0 : mean(scores)
}
