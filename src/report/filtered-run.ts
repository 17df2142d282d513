import type { Result } from '../model/result.ts'
import { plannedAttempts, type RunInfo } from '../model/run-info.ts'
import { type ResultFacts, type RunReader, testKey } from '../model/run-reader.ts'
import { filterText, type TestFilter, testMatcher } from '../model/test-filter.ts'
import { testIdentity } from './test-identity.ts'

/** The tests of a run that a filter selects, by their identity. Reads the results, since only they have tags. */
export function selectedTests(run: RunReader, filter: TestFilter): Set<string> {
  const isSelected = testMatcher(filter)
  const selected = new Set<string>()
  for (const result of run.results())
    if (isSelected({ id: result.test_id, tags: result.tags })) selected.add(testIdentity(result))
  return selected
}

/** The part of a run that a filter selects, as a run of its own; undefined if it selects no test. */
export function filteredRun(run: RunReader, filter: TestFilter): RunReader | undefined {
  const selected = selectedTests(run, filter)
  if (selected.size === 0) return undefined
  const all = [...run.facts()]
  const isSelected = (result: Pick<Result, 'suite' | 'file' | 'test_id'>) => selected.has(testIdentity(result))
  const kept = all.filter(isSelected)
  const left = all.filter(facts => !isSelected(facts))
  const available = new Set(all.map(testIdentity)).size
  return {
    info: run.info && selectedInfo(run.info, { filter, left, selected, available }),
    planned: run.planned - left.length,
    planned_tests: run.planned_tests - testCount(left),
    part: [`${selected.size} of ${available} tests selected (${filterText(filter)})`, run.part]
      .filter(Boolean)
      .join('; '),
    damaged: run.damaged,
    results_file: run.results_file,
    facts: () => kept,
    result: id => {
      const result = run.result(id)
      return result && isSelected(result) ? result : undefined
    },
    *results() {
      for (const result of run.results()) if (isSelected(result)) yield result
    },
  }
}

function testCount(facts: readonly ResultFacts[]): number {
  return new Set(facts.map(testKey)).size
}

interface Selected {
  readonly filter: TestFilter
  /** The facts of the attempts that are left out. */
  readonly left: readonly ResultFacts[]
  /** The identities of the selected tests. */
  readonly selected: ReadonlySet<string>
  /** Number of tests with results. */
  readonly available: number
}

/** The description of a run as if only these tests had been selected. Attempts without a result may be of any test. */
function selectedInfo(info: RunInfo, { filter, left, selected, available }: Selected): RunInfo {
  const ids = new Set(left.map(({ attempt_id }) => attempt_id))
  const removed = left.filter(({ added }) => !added).length
  const attempts = info.attempts.filter(([, id]) => !ids.has(id))
  const planned_attempts = Math.min(attempts.length, Math.max(0, plannedAttempts(info) - removed))
  const tests = testCount(left)
  const joined = (before: unknown, now: readonly string[] = []) => [
    ...new Set([...((before ?? []) as string[]), ...now]),
  ]
  const { test_ids, tags } = info.options
  return {
    ...info,
    // What the whole run decided says nothing about a part.
    decisions: undefined,
    attempts,
    planned_attempts,
    total: Math.max(planned_attempts, info.total - removed),
    tests: Math.max(0, info.tests - tests),
    total_tests: Math.max(0, info.total_tests - tests),
    selected_tests: selected.size,
    not_applicable: info.not_applicable && selectedOnly(info.not_applicable, selected),
    skipped: info.skipped?.filter(({ test_id: id, tags }) => testMatcher(filter)({ id, tags })),
    available_tests: Math.max(info.available_tests ?? 0, available),
    options: { ...info.options, test_ids: joined(test_ids, filter.test_ids), tags: joined(tags, filter.tags) },
  }
}

/** The selected tests among those that do not apply to a target. */
function selectedOnly(listed: NonNullable<RunInfo['not_applicable']>, selected: ReadonlySet<string>) {
  const isSelected = (suite: string, file: string) => (test_id: string) =>
    selected.has(testIdentity({ suite, file, test_id }))
  return listed
    .map(each => ({ ...each, test_ids: each.test_ids.filter(isSelected(each.suite, each.file)) }))
    .filter(({ test_ids }) => test_ids.length > 0)
}
