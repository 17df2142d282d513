import { lazily } from '../lib/lazily.ts'
import { weightedAverage } from '../lib/statistics/means.ts'
import { type Result, resultSchema } from '../model/result.ts'
import { counts, isUnjudged, missesRequired, verdictOf } from '../model/verdict.ts'

/** Schema of recorded results. A result that contradicts itself is damaged. */
export const recordedResultSchema = lazily(() =>
  resultSchema().refine(result => !contradictsItself(result), 'contradicts itself'),
)

/** Scores are rounded when they are recorded. */
const CLOSE = 1e-6

/** Whether a verdict contradicts the score, the error or the checks, or there are two marks. */
function contradictsItself(result: Result): boolean {
  const { score, verdict, error, evaluator_results: checks } = result
  const isError = verdict === 'error'
  if (result.expected_failure !== undefined && result.quarantine !== undefined) return true
  if (isError !== (score === null) || isError !== (error !== undefined)) return true
  if (score === null) return false
  if (checks.some(check => isUnjudged(check)) || (checks.length > 0 && !checks.some(counts))) return true
  const expected = verdictOf(score, checks.some(missesRequired), result.threshold)
  return verdict !== expected || Math.abs(weightedAverage(checks.filter(counts)) - score) > CLOSE
}
