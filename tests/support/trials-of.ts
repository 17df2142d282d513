import { verdictOf } from '../../src/model/marks.ts'
import type { Result } from '../../src/model/result.ts'

/** The attempts at a test with these scores; null is an error. */
export function trialsOf(
  test_id: string,
  scores: readonly (number | null)[],
  more: Partial<Result> = {},
): Partial<Result>[] {
  return scores.map((score, index) => ({
    test_id,
    trial: index + 1,
    score,
    verdict: score === null ? 'error' : verdictOf(score),
    ...(score === null ? { answer: null, error: { code: 'timeout', stage: 'answer', message: 'took too long' } } : {}),
    ...more,
  }))
}
