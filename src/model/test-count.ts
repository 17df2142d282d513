import type { Attempt } from './attempt.ts'

/** How many tests on targets attempts are of. The trials of one stand together in a plan. */
export function testCount(attempts: readonly Pick<Attempt, 'test' | 'target'>[]): number {
  let count = 0
  let last: Pick<Attempt, 'test' | 'target'> | undefined
  for (const attempt of attempts) {
    if (attempt.test !== last?.test || attempt.target !== last.target) count++
    last = attempt
  }
  return count
}
