import { groupBy } from '../../../lib/collections.ts'
import { correctionLines } from '../../outcome/corrected/corrected-text.ts'
import { runNotes } from '../../outcome/run-notes.ts'
import type { RunComparison } from '../compare-runs.ts'
import { judgesDiffer } from '../compared-run.ts'
import type { Pair } from '../pair-tests.ts'
import type { TargetGap } from '../select-sides.ts'
import { selectionText } from '../test-selection.ts'

/** What a reader needs before the numbers: which part is compared, and what is special about the runs. */
export function comparisonNotes({ runs, selection }: Pick<RunComparison, 'runs' | 'selection'>): string[] {
  const notes = runs.flatMap(({ name, outcome }) =>
    [...runNotes(outcome), ...correctionLines(outcome)].map(note => `${name}: ${note}`),
  )
  return [...(selection ? [selectionText(selection)] : []), ...notes]
}

const OTHER_JUDGES = 'the runs were judged by different models: differences may come from the judges'

/** A warning if a later run had other judges than the first, or a test others than its saved result. */
export function judgeWarnings({ runs, comparisons }: Pick<RunComparison, 'runs' | 'comparisons'>): string[] {
  const [first, ...later] = runs
  const isOther = ({ outcomes: [before, after] }: Pair) =>
    (before.results.length === 0 || after.results.length === 0) && before.judges_hash !== after.judges_hash
  const differ =
    later.some(({ judges }) => judgesDiffer(first?.judges, judges)) ||
    comparisons.some(({ pairs }) => pairs.some(isOther))
  return differ ? [OTHER_JUDGES] : []
}

/** Targets that only one of two compared runs has: `only in 20261116-093000-ab12: large, small`. */
export function targetNotes({
  missing_targets,
  new_targets,
}: Pick<RunComparison, 'missing_targets' | 'new_targets'>): string[] {
  return [...gapNotes('not in', missing_targets), ...gapNotes('only in', new_targets)]
}

function gapNotes(where: string, gaps: readonly TargetGap[]): string[] {
  return [...groupBy(gaps, ({ run }) => run)].map(
    ([run, group]) => `${where} ${run}: ${group.map(({ target }) => target).join(', ')}`,
  )
}
