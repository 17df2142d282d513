import { groupBy } from '../../lib/collections.ts'
import { filterText, type TestFilter } from '../../model/test-filter.ts'
import { NothingSelected } from '../nothing-selected.ts'
import { allTests } from '../outcome/marked-tests.ts'
import { testIdentity } from '../test-identity.ts'
import type { ComparedRun } from './compared-run.ts'

/** The part of the tests that is compared. */
export interface TestSelection {
  /** Number of tests that are compared, and of all tests of the runs. */
  readonly selected: number
  readonly available: number
  /** The options that select them: `--tag billing`. */
  readonly by: string
}

/** Runs with only the tests that the filter selects in any of them: another tag in one run does not hide a test. */
export function selectTests(
  runs: readonly ComparedRun[],
  filter: TestFilter,
): { readonly runs: readonly ComparedRun[]; readonly selection: TestSelection | undefined } {
  if (runs.every(({ selected }) => selected === undefined)) return { runs, selection: undefined }
  const selected = new Set(runs.flatMap(run => [...(run.selected ?? [])]))
  if (selected.size === 0) throw new NothingSelected(filter)
  const available = new Set(runs.flatMap(({ outcome }) => allTests(outcome).map(testIdentity)))
  const kept = runs.map(run => {
    const only = <Test extends Parameters<typeof testIdentity>[0]>(all: readonly Test[]) =>
      all.filter(test => selected.has(testIdentity(test)))
    const [tests, quarantined] = [only(run.outcome.tests), only(run.outcome.quarantined)]
    const targets = groupBy([...tests, ...quarantined], ({ target }) => target)
    // A target stays, though none of its tests may be selected.
    const all = new Map([...run.targets.keys()].map(target => [target, targets.get(target) ?? []] as const))
    const carried = only(run.carried)
    return { ...run, outcome: { ...run.outcome, tests, quarantined, decisions: [] }, carried, targets: all }
  })
  return { runs: kept, selection: { selected: selected.size, available: available.size, by: filterText(filter) } }
}

/** `of 40 tests, 12 selected by --tag billing`. */
export function selectionText({ selected, available, by }: TestSelection): string {
  return `of ${available} tests, ${selected} selected by ${by}`
}
