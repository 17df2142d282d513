import type { Verdict } from '../../model/marks.ts'
import type { ChangedTest, Pair, PairedTests, TestName } from './pair-tests.ts'

/** A test that passed before and does not pass now. */
export interface NewFailure extends TestName {
  readonly verdict: Exclude<Verdict, 'pass'>
  /** Whether the test asks or grades differently now. */
  readonly is_changed: boolean
}

/** Compares verdicts by name alone, without statistics. */
export function newFailuresOf({ pairs, changed }: PairedTests): NewFailure[] {
  const failures = (tests: readonly (Pair | ChangedTest)[], is_changed: boolean) =>
    tests.flatMap(({ suite, test_id, outcomes: [before, { verdict }] }) =>
      before.verdict === 'pass' && verdict !== 'pass' ? [{ suite, test_id, verdict, is_changed }] : [],
    )
  return [...failures(pairs, false), ...failures(changed, true)]
}
