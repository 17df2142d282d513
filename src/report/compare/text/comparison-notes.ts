import { groupBy } from '../../../lib/collections.ts'
import { runNotes } from '../../outcome/run-notes.ts'
import type { RunComparison } from '../compare-runs.ts'
import { type ComparedRun, judgesDiffer } from '../compared-run.ts'
import type { TargetGap } from '../select-sides.ts'
import { selectionText } from '../test-selection.ts'

/** What a reader needs before the numbers: which part is compared, and what is special about the runs. */
export function comparisonNotes({ runs, selection }: Pick<RunComparison, 'runs' | 'selection'>): string[] {
  const notes = runs.flatMap(({ name, outcome }) => runNotes(outcome).map(note => `${name}: ${note}`))
  return [...(selection ? [selectionText(selection)] : []), ...notes]
}

const OTHER_JUDGES = 'the runs were judged by different models: differences may come from the judges'

/** A warning if a later run had other judges than the first. */
export function judgeWarnings([first, ...later]: readonly ComparedRun[]): string[] {
  return later.some(({ judges }) => judgesDiffer(first?.judges, judges)) ? [OTHER_JUDGES] : []
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
