import { weightedAverage } from '../lib/statistics/means.ts'
import { type Result, resultSchema } from '../model/result.ts'
import { isUnjudged, missesRequired, verdictOf } from '../model/verdict.ts'

/** A result as it is read back. One that contradicts itself was damaged: nobody knows which part of it is right. */
export const recordedResultSchema = resultSchema.refine(result => !contradictsItself(result), 'contradicts itself')

/** Scores are rounded when they are recorded. */
const CLOSE = 1e-6

/** Whether a verdict is another than its score, its error and its checks say. */
function contradictsItself({ score, verdict, error, evaluator_results: checks }: Result): boolean {
  const isError = verdict === 'error'
  if (isError !== (score === null) || isError !== (error !== undefined)) return true
  if (score === null) return false
  if (checks.some(check => isUnjudged(check))) return true
  const expected = verdictOf(score, checks.some(missesRequired))
  return verdict !== expected || Math.abs(weightedAverage(checks) - score) > CLOSE
}
