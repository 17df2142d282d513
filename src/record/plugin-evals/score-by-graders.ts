import { missesRequiredGrader } from '../../model/aggregate-figures.ts'
import type { GraderResult } from '../../model/aggregate-result.ts'

/** The score of a run: the share of the weight of scored graders that passed; 0 without graders. */
export function scoreByGraders(graders: readonly GraderResult[]): number {
  if (graders.some(missesRequiredGrader)) return 0
  const scored = graders.filter(isScored)
  const weight = scored.reduce((sum, grader) => sum + grader.weight, 0)
  const reached = scored.reduce((sum, grader) => sum + grader.weight * (graderScore(grader) ?? 0), 0)
  return weight > 0 ? reached / weight : 0
}

/** Graders that are only an indicator, such as whether the skill was used, have no weight. */
export function isScored({ scored, withOnly }: GraderResult): boolean {
  return scored ?? !withOnly
}

/** Graders of the client pass or fail; checks of ours may have a score between. */
export function graderScore({ passed, assay }: GraderResult): number | null {
  return assay ? assay.score : Number(passed)
}
