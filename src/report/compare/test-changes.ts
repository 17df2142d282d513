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

/** A test whose own attempts show a change of its pass rate. */
export interface TestShift extends TestName {
  readonly before: PassCount
  readonly after: PassCount
  /** Fisher's exact test of this test alone. */
  readonly p: number
  /** Adjusted for all tests that were examined (Holm). */
  readonly adjusted_p: number
}

/** Single tests whose attempts show a change. */
export interface BrokenTests {
  readonly broke: readonly TestShift[]
  readonly mended: readonly TestShift[]
  /** Number of examined tests over all comparisons: those with several attempts on a side. */
  readonly repeated_tests: number
}

/** Examines each test with several attempts, over all comparisons at once. */
export function findBrokenTests(comparisons: readonly (readonly Pair[])[]): BrokenTests[] {
  const repeated = comparisons.map(pairs => pairs.filter(isRepeated).map(shiftOf))
  const ps = repeated.flat().map(({ p }) => p)
  const adjusted = ps.length === 0 ? [] : holm(ps)
  let next = 0
  return repeated.map(shifts => {
    const significant = shifts
      .map(shift => ({ ...shift, adjusted_p: adjusted[next++] ?? 1 }))
      .filter(({ adjusted_p }) => adjusted_p <= SIGNIFICANCE_LEVEL)
    return {
      broke: significant.filter(shift => gain(shift) < 0),
      mended: significant.filter(shift => gain(shift) > 0),
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
  /** Whether input or checks of the test changed. */
  readonly is_changed: boolean
}

/** Compares verdicts by test name, without statistics. */
export function findNewFailures({ pairs, changed }: PairedTests): NewFailure[] {
  const failures = (tests: readonly (Pair | ChangedTest)[], is_changed: boolean) =>
    tests.flatMap(({ suite, test_id, outcomes: [before, { verdict }] }) =>
      before.verdict === 'pass' && verdict !== 'pass' ? [{ suite, test_id, verdict, is_changed }] : [],
    )
  return [...failures(pairs, false), ...failures(changed, true)]
}

/** Errored attempts of the paired tests. */
export interface ErrorCounts {
  readonly before: number
  readonly after: number
}

export function errorCounts(pairs: readonly Pair[]): ErrorCounts {
  const count = (side: 0 | 1) => pairs.reduce((sum, { outcomes }) => sum + errorsOf(outcomes[side]).errors, 0)
  return { before: count(0), after: count(1) }
}

/** Whether the mean share of errors per test is higher on the second side. */
export function haveErrorsRisen(pairs: readonly Pair[]): boolean {
  if (pairs.length === 0) return false
  const share = (side: 0 | 1) => mean(pairs.map(({ outcomes }) => errorShare(outcomes[side])))
  return share(1) > share(0) + 1e-9
}

export function hasError({ outcomes }: Pair): boolean {
  return outcomes.some(outcome => errorsOf(outcome).errors > 0)
}

/** Excludes attempts added by reruns. */
function errorsOf(test: TestOutcome): Pick<TestOutcome, 'errors' | 'attempts'> {
  return test.first ?? test
}

function errorShare(test: TestOutcome): number {
  const { errors, attempts } = errorsOf(test)
  return errors / attempts
}
