import { PLAIN } from '../../../src/lib/palette.ts'
import type { Result } from '../../../src/model/result.ts'
import { compareRuns, runComparisonData } from '../../../src/report/compare/compare-runs.ts'
import { comparedRunOf } from '../../../src/report/compare/compared-run.ts'
import { pageParts } from '../../../src/report/compare/formats/page-parts.ts'
import { runComparisonText } from '../../../src/report/compare/text/run-comparison-text.ts'
import type { ChangedTest, ComparisonData } from '../../../src/report/html/view-data.ts'
import { reportRun } from '../report/report-runs.ts'

const GATES = { fail_on_regression: false, fail_on_new_failures: false, require_conclusive: false }

/** Two runs compared: the data for the page, and what `assay compare` prints. */
export function comparisonOf(
  base: readonly Partial<Result>[],
  other: readonly Partial<Result>[],
  { margin = 0, names = ['base', 'other'] as readonly [string, string], planned = other.length } = {},
): { readonly data: ComparisonData; readonly text: string } {
  const first = reportRun(base, base.length)
  const second = { ...reportRun(other, other.length), planned }
  const runs = [first, second].map((run, index) => {
    const name = names[index] ?? ''
    return comparedRunOf(name, { ...run, info: { ...run.info, run_id: name } as typeof run.info }, { by: 'tag' })
  })
  const compared = compareRuns(runs, { targets: [], margin, gates: GATES })
  const { notes, comparisons: sections } = pageParts(compared, GATES)
  const comparison = JSON.parse(JSON.stringify(runComparisonData(compared, GATES))) as ComparisonData['comparison']
  const data = { comparison, notes, sections, changed: changedTests(base, other, names) }
  return { data, text: runComparisonText(compared, GATES, PLAIN) }
}

function changedTests(
  base: readonly Partial<Result>[],
  other: readonly Partial<Result>[],
  [first, second]: readonly [string, string],
): ChangedTest[] {
  const side = (run: string, index: number, { verdict = 'pass', score = 1 }: Partial<Result>) => ({
    run,
    index,
    verdict,
    score,
  })
  return base.flatMap((before, index) => {
    const after = other[index]
    if (!after || after.verdict === before.verdict) return []
    const { test_id = '', suite = 'suite', target = 'default' } = before
    return [{ test_id, suite, target, before: side(first, index, before), after: side(second, index, after) }]
  })
}
