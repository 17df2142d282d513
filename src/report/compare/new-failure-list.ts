import type { CompareGateOptions } from './compare-gate.ts'
import type { RunComparison } from './compare-runs.ts'
import { nameText } from './text/format-values.ts'
import type { TestList } from './text/test-lists.ts'

/** The tests that fail `--fail-on-new-failures`; empty without that gate. */
export function newFailureList(
  { comparisons }: Pick<RunComparison, 'comparisons'>,
  gates: CompareGateOptions,
): TestList {
  const failures = gates.fail_on_new_failures ? comparisons.flatMap(({ new_failures }) => new_failures) : []
  const lines = failures.map(
    failure => `${nameText(failure)} pass → ${failure.verdict}${failure.is_changed ? ' (changed)' : ''}`,
  )
  return { label: 'new failure', tone: 'error', lines }
}
