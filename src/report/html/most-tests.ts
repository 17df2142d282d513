import { pressing } from '../pressing.ts'
import type { TestOfRun } from '../tests-of-run.ts'

/** How many tests a page has at most: more make a file that nobody opens. */
export const MOST_TESTS = 10_000

/** Those that matter most where there are more: errors, failures, what is borderline, what is flaky, then the others. */
export function testsThatMatter(tests: readonly TestOfRun[], most: number): readonly TestOfRun[] {
  if (tests.length <= most) return tests
  const ranked = tests.map(({ outcome }, index) => ({ index, rank: pressing(outcome) }))
  ranked.sort((a, b) => a.rank - b.rank || a.index - b.index)
  const kept = new Set(ranked.slice(0, most).map(({ index }) => index))
  return tests.filter((_, index) => kept.has(index))
}
