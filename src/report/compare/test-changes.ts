import { mean } from '../../lib/statistics/means.ts'
import { fisherExact, holm } from '../../lib/statistics/significance.ts'
import type { Verdict } from '../../model/verdict.ts'
import type { TestOutcome } from '../outcome/test-outcome.ts'
import { SIGNIFICANCE_LEVEL } from './evidence.ts'
import {
  type ChangedTest,
  type Pair,
  type PairedTests,
  type PassCount,
  passCount,
  type TestName,
} from './pair-tests.ts'

/** A test whose own attempts show that it passes less, or more, often than before. */
export interface TestShift extends TestName {
  readonly before: PassCount
  readonly after: PassCount
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
export function findBrokenTests(comparisons: readonly (readonly Pair[])[]): BrokenTests[] {
  const repeated = comparisons.map(pairs => pairs.filter(isRepeated).map(shiftOf))
  const ps = repeated.flat().map(({ p }) => p)
  const adjusted = ps.length === 0 ? [] : holm(ps)
  let next = 0
  return repeated.map(shifts => {
    const shown = shifts
      .map(shift => ({ ...shift, adjusted_p: adjusted[next++] ?? 1 }))
      .filter(({ adjusted_p }) => adjusted_p <= SIGNIFICANCE_LEVEL)
    return {
      broke: shown.filter(shift => gain(shift) < 0),
      mended: shown.filter(shift => gain(shift) > 0),
      repeated_tests: ps.length,
    }
  })
}

function isRepeated({ outcomes }: Pair): boolean {
  return outcomes.some(outcome => passCount(outcome).attempts > 1)
}

function shiftOf({ suite, test_id, outcomes }: Pair): Omit<TestShift, 'adjusted_p'> {
  const [before, after] = [passCount(outcomes[0]), passCount(outcomes[1])]
  return { suite, test_id, before, after, p: fisherExact(before.passed, before.attempts, after.passed, after.attempts) }
}

function gain({ before, after }: TestShift): number {
  return after.passed / after.attempts - before.passed / before.attempts
}

/** A test that passed before and does not pass now. */
export interface NewFailure extends TestName {
  readonly verdict: Exclude<Verdict, 'pass'>
  /** Whether the test asks or grades differently now. */
  readonly is_changed: boolean
}

/** Compares verdicts by name alone, without statistics. */
export function findNewFailures({ pairs, changed }: PairedTests): NewFailure[] {
  const failures = (tests: readonly (Pair | ChangedTest)[], is_changed: boolean) =>
    tests.flatMap(({ suite, test_id, outcomes: [before, { verdict }] }) =>
      before.verdict === 'pass' && verdict !== 'pass' ? [{ suite, test_id, verdict, is_changed }] : [],
    )
  return [...failures(pairs, false), ...failures(changed, true)]
}

/** Attempts of the paired tests that ended in an error. */
export interface ErrorCounts {
  readonly before: number
  readonly after: number
}

export function errorCounts(pairs: readonly Pair[]): ErrorCounts {
  const count = (side: 0 | 1) => pairs.reduce((sum, { outcomes }) => sum + errorsOf(outcomes[side]).errors, 0)
  return { before: count(0), after: count(1) }
}

/** Whether the share of errors in a test is higher on the second side, on average over the tests. */
export function haveErrorsRisen(pairs: readonly Pair[]): boolean {
  if (pairs.length === 0) return false
  const share = (side: 0 | 1) => mean(pairs.map(({ outcomes }) => errorShare(outcomes[side])))
  return share(1) > share(0) + 1e-9
}

export function hasError({ outcomes }: Pair): boolean {
  return outcomes.some(outcome => errorsOf(outcome).errors > 0)
}

/** Of the attempts that no rerun added. */
function errorsOf(test: TestOutcome): Pick<TestOutcome, 'errors' | 'attempts'> {
  return test.first ?? test
}

function errorShare(test: TestOutcome): number {
  const { errors, attempts } = errorsOf(test)
  return errors / attempts
}
