import { reaches, type Verdict, verdictOf } from '../model/marks.ts'
import type { EvaluatorResult } from '../model/result.ts'

interface Judged {
  /** Null when a check could not be judged. */
  readonly score: number | null
  readonly verdict: Verdict
}

/** From the grades of a test's checks to its verdict. */
export function judge(checks: readonly EvaluatorResult[]): Judged {
  if (checks.some(({ error }) => error)) return { score: null, verdict: 'error' }
  // Relative to the heaviest, so that no sum is too large for a number.
  const heaviest = checks.reduce((most, { weight }) => Math.max(most, weight), 0)
  const weights = checks.reduce((sum, { weight }) => sum + weight / heaviest, 0)
  const weighted = checks.reduce((sum, { score, weight }) => sum + (score ?? 0) * (weight / heaviest), 0)
  const score = Math.round((weighted / weights) * 1e9) / 1e9
  return { score, verdict: checks.some(missesItsMark) ? 'fail' : verdictOf(score) }
}

function missesItsMark({ required, score }: EvaluatorResult): boolean {
  return required !== null && !reaches(score ?? 0, required)
}
