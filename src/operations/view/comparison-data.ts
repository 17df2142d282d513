import type { Calibration } from '../../model/calibration.ts'
import { compareRuns, runComparisonData } from '../../report/compare/compare-runs.ts'
import { comparedRunOf } from '../../report/compare/compared-run.ts'
import type { Comparison } from '../../report/compare/comparison.ts'
import { pageParts } from '../../report/compare/formats/page-parts.ts'
import type { ChangedTest, ComparisonData } from '../../report/html/view-data.ts'
import type { TestOutcome } from '../../report/outcome/test-outcome.ts'
import { requireWhole } from '../baselines/saved-results.ts'
import type { ViewedRun } from './run-store.ts'

/** Compares two runs, the base first, as `assay compare --by tag` does. Throws `UserError` where it does. */
export function compareViewed(
  runs: readonly [ViewedRun, ViewedRun],
  calibrations: readonly Calibration[],
): ComparisonData {
  for (const { reader, id } of runs) requireWhole(reader, id)
  const read = runs.map(({ id, reader }) => comparedRunOf(id, reader, { by: 'tag', calibrations }))
  const compared = compareRuns(read, { targets: [], margin: 0, gates: NO_GATES })
  const { notes, comparisons: sections } = pageParts(compared, NO_GATES)
  return {
    comparison: runComparisonData(compared, NO_GATES),
    notes,
    sections,
    changed: compared.comparisons.flatMap(comparison => changedTests(comparison, runs)),
  }
}

const NO_GATES = { fail_on_regression: false, fail_on_new_failures: false, require_conclusive: false }

/** Tests with another verdict or score, and those whose content changed. */
function changedTests(comparison: Comparison, runs: readonly [ViewedRun, ViewedRun]): ChangedTest[] {
  const differing = comparison.pairs.filter(({ difference, outcomes: [before, after] }) => {
    return difference !== 0 || before.verdict !== after.verdict
  })
  return [
    ...differing.flatMap(({ outcomes }) => changedTest(outcomes, runs) ?? []),
    ...comparison.changed.flatMap(({ outcomes }) => {
      const changed = changedTest(outcomes, runs)
      return changed ? [{ ...changed, is_changed: true as const }] : []
    }),
  ]
}

function changedTest(
  [before, after]: readonly [TestOutcome, TestOutcome],
  [base, other]: readonly [ViewedRun, ViewedRun],
): ChangedTest | undefined {
  const sides = [rowIn(base, before), rowIn(other, after)] as const
  if (!sides[0] || !sides[1]) return undefined
  const { test_id, suite, target } = after
  return { test_id, suite, target, before: sides[0], after: sides[1] }
}

/** Undefined for a test without a row: a page has at most ten thousand. */
function rowIn({ id, page }: ViewedRun, outcome: TestOutcome): ChangedTest['before'] | undefined {
  const index = page.indexOf(outcome)
  return index === undefined ? undefined : { run: id, index, verdict: outcome.verdict, score: outcome.score }
}
