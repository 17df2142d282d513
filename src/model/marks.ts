/** A score from here on is a pass, for a test and for a check. */
export const PASS_MARK = 0.8

/** A score from here on, below a pass, is borderline. */
export const BORDERLINE_MARK = 0.6

export type Verdict = 'pass' | 'borderline' | 'fail' | 'error'

/** Whether a score reaches a mark; what arithmetic adds or loses in the last digits does not count. */
export function reaches(score: number, mark: number): boolean {
  return Math.round(score * 1e9) >= Math.round(mark * 1e9)
}

export function verdictOf(score: number): Verdict {
  if (reaches(score, PASS_MARK)) return 'pass'
  return reaches(score, BORDERLINE_MARK) ? 'borderline' : 'fail'
}
