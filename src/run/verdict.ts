import { weightedAverage } from '../lib/statistics/means.ts'
import type { EvaluatorResult } from '../model/result.ts'
import { isUnjudged, missesRequired, type Verdict, verdictOf } from '../model/verdict.ts'

interface Judged {
  /** Null when a check could not be judged, or there is none. */
  readonly score: number | null
  readonly verdict: Verdict
}

/** From the grades of a test's checks to its verdict. */
export function judge(checks: readonly EvaluatorResult[]): Judged {
  if (checks.length === 0 || checks.some(check => isUnjudged(check))) return { score: null, verdict: 'error' }
  const score = weightedAverage(checks)
  return { score, verdict: checks.some(missesRequired) ? 'fail' : verdictOf(score) }
}
