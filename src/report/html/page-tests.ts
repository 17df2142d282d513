import { standingOf } from '../outcome/marked-tests.ts'
import type { RunTest } from '../outcome/run-tests.ts'
import { urgencyOf } from './page-data.ts'

/** Maximum number of tests on a page; larger files are slow to open. */
const MAX_TESTS = 10_000

/** The tests that a page has rows for: the most urgent ones, in their original order. */
export function pageTests(tests: readonly RunTest[], most = MAX_TESTS): readonly RunTest[] {
  if (tests.length <= most) return tests
  const ranked = tests.map(({ outcome }, index) => ({
    index,
    rank: urgencyOf({ ...outcome, standing: standingOf(outcome) }),
  }))
  ranked.sort((a, b) => a.rank - b.rank || a.index - b.index)
  const kept = new Set(ranked.slice(0, most).map(({ index }) => index))
  return tests.filter((_, index) => kept.has(index))
}
