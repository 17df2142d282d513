import { onOneLine } from '../lib/printable.ts'
import { BORDERLINE_MARK, PASS_MARK, shortScore } from '../model/marks.ts'
import { missedRequired } from '../model/misses-required.ts'
import type { Result } from '../model/result.ts'
import { weightedSum } from './weighted-sum.ts'

/** `score = (1 × 1 + 0 × 2) / 3 = 0.333`, and what that means. */
export function scoreSum({ evaluator_results: checks, score, verdict }: Result): string[] {
  const parts = checks.map(({ score, weight }) => ({ score: score ?? 0, weight }))
  const missed = missedRequired(checks).map(({ name }) => onOneLine(name))
  const why =
    missed.length > 0
      ? `a required check was missed: ${missed.join(', ')}`
      : `pass from ${PASS_MARK}, borderline from ${BORDERLINE_MARK}`
  return [`score = ${weightedSum(parts)} = ${shortScore(score ?? 0)}`, `verdict: ${verdict} (${why})`]
}
