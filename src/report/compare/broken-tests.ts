import { fisherExact } from '../../lib/statistics/fisher.ts'
import { holm } from '../../lib/statistics/holm.ts'
import { LEVEL } from './level.ts'
import type { Pair, TestName } from './pair-tests.ts'
import { type Passes, passShare } from './pass-share.ts'

/** A test whose own attempts show that it passes less, or more, often than before. */
export interface TestShift extends TestName {
  readonly before: Passes
  readonly after: Passes
  /** By Fisher's exact test, of this test alone. */
  readonly p: number
  /** The same, with all tests that were looked at counted in. */
  readonly adjusted_p: number
}

/** Tests that changed on their own evidence. */
export interface BrokenTests {
  readonly broke: readonly TestShift[]
  readonly mended: readonly TestShift[]
  /** How many tests were looked at, over all comparisons: those with several attempts on a side. */
  readonly repeated_tests: number
}

/** Looks at each test with several attempts, of several comparisons at once. */
export function brokenTests(comparisons: readonly (readonly Pair[])[]): BrokenTests[] {
  const repeated = comparisons.map(pairs => pairs.filter(isRepeated).map(shiftOf))
  const ps = repeated.flat().map(({ p }) => p)
  const adjusted = ps.length === 0 ? [] : holm(ps)
  let next = 0
  return repeated.map(shifts => {
    const shown = shifts
      .map(shift => ({ ...shift, adjusted_p: adjusted[next++] ?? 1 }))
      .filter(({ adjusted_p }) => adjusted_p <= LEVEL)
    return {
      broke: shown.filter(shift => gain(shift) < 0),
      mended: shown.filter(shift => gain(shift) > 0),
      repeated_tests: ps.length,
    }
  })
}

function isRepeated({ outcomes }: Pair): boolean {
  return outcomes.some(outcome => passShare(outcome).attempts > 1)
}

function shiftOf({ suite, test_id, outcomes }: Pair): Omit<TestShift, 'adjusted_p'> {
  const [before, after] = [passShare(outcomes[0]), passShare(outcomes[1])]
  return { suite, test_id, before, after, p: fisherExact(before.passed, before.attempts, after.passed, after.attempts) }
}

function gain({ before, after }: TestShift): number {
  return after.passed / after.attempts - before.passed / before.attempts
}
