import type { Verdict } from '../../model/marks.ts'
import type { TestOfRun } from '../tests-of-run.ts'

/** How many tests a page has at most: more make a file that nobody opens. */
export const MOST_TESTS = 10_000

const PRESSING: Readonly<Record<Verdict, number>> = { error: 0, fail: 1, borderline: 2, pass: 4 }

/** Those that matter most where there are more: errors, failures, what is borderline, what is flaky, then the others. */
export function testsThatMatter(tests: readonly TestOfRun[], most: number): readonly TestOfRun[] {
  if (tests.length <= most) return tests
  const chosen = tests.map((_, index) => index).sort((a, b) => rank(tests[a]) - rank(tests[b]) || a - b)
  const kept = new Set(chosen.slice(0, most))
  return tests.filter((_, index) => kept.has(index))
}

function rank(test: TestOfRun | undefined): number {
  if (!test) return PRESSING.pass
  const { verdict, is_flaky } = test.outcome
  return Math.min(PRESSING[verdict], is_flaky ? 3 : PRESSING.pass)
}
