import { groupBy } from '../../lib/collections.ts'
import type { RunReader } from '../../model/run-reader.ts'
import { outcomeOf } from '../outcome/run-outcome.ts'
import { type RunTest, runTests } from '../outcome/run-tests.ts'
import { testIdentity } from '../test-identity.ts'

/** A test with its attempts on the target, and on the baseline if it ran there. */
export interface ComparedCase {
  readonly with: RunTest
  readonly without: RunTest | undefined
}

export interface ComparedCases {
  readonly cases: readonly ComparedCase[]
  /** Names of the targets: with the plugin, and without it. */
  readonly targets: { readonly with: string; readonly without?: string }
  /** Number of tests that ran on the baseline only, which the format cannot express. */
  readonly left_out: number
}

/** The tests of a run as cases. Tests in quarantine count in no figure. */
export function comparedCases(run: RunReader, [target = '', baseline]: readonly string[]): ComparedCases {
  const tests = runTests(run, outcomeOf(run)).filter(({ outcome }) => [target, baseline].includes(outcome.target))
  const groups = [...groupBy(tests, ({ outcome }) => testIdentity(outcome)).values()]
  const of = (group: readonly RunTest[], name: string | undefined) =>
    group.find(({ outcome }) => outcome.target === name)
  const cases = groups.flatMap((group): ComparedCase[] => {
    const first = of(group, target)
    return first ? [{ with: first, without: of(group, baseline) }] : []
  })
  return {
    cases,
    targets: { with: target, ...(baseline === undefined ? {} : { without: baseline }) },
    left_out: groups.length - cases.length,
  }
}
