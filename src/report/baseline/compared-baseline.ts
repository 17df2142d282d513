import { groupBy } from '../../lib/collections.ts'
import type { Baseline } from '../../model/baseline.ts'
import { isFilter, testMatcher } from '../../model/test-filter.ts'
import type { ComparedRun, ReadOptions } from '../compare/compared-run.ts'
import { outcomeOfTests } from '../outcome/run-outcome.ts'
import { savedOutcome } from '../outcome/saved-outcome.ts'
import { testIdentity } from '../test-identity.ts'

/** A baseline as one side of a comparison. Its tests have no tags, so that only their ids select them. */
export function comparedBaseline(name: string, { tests }: Baseline, { filter = {} }: ReadOptions = {}): ComparedRun {
  const outcome = outcomeOfTests(tests.map(savedOutcome))
  const isSelected = testMatcher({ test_ids: filter.test_ids })
  const selected = tests.filter(({ test_id: id }) => isSelected({ id, tags: [] }))
  return {
    name,
    run_id: undefined,
    source: undefined,
    judges: undefined,
    outcome,
    is_unfinished: false,
    carried: [],
    targets: groupBy(outcome.tests, ({ target }) => target),
    // With a filter by tags, the other side selects.
    selected: isFilter(filter) ? new Set(filter.tags ? [] : selected.map(testIdentity)) : undefined,
    slice_names: undefined,
  }
}
