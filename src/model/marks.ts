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

const MOST_DIGITS = 9

/** A score with two digits, or as many as it takes not to look like one on the other side of a mark: `0.795`, not `0.80`. */
export function formatScore(
  score: number,
  digits = 2,
  marks: readonly number[] = [PASS_MARK, BORDERLINE_MARK],
): string {
  const text = score.toFixed(digits)
  const isRight = marks.every(mark => reaches(Number(text), mark) === reaches(score, mark))
  return isRight || digits >= MOST_DIGITS ? text : formatScore(score, digits + 1, marks)
}

/** A score with at most four digits, or as many as it takes, without zeros at its end. */
export function shortScore(score: number, marks?: readonly number[]): string {
  return String(Number(formatScore(score, 4, marks)))
}
