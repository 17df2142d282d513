import { compositeKey } from '../../lib/collections.ts'
import { plural } from '../../lib/text/format.ts'
import type { RunReader } from '../../model/run-reader.ts'
import type { TestFilter } from '../../model/test-filter.ts'
import { isNotable } from '../outcome/run-outcome.ts'
import type { TestOutcome } from '../outcome/test-outcome.ts'
import { testIdentity } from '../test-identity.ts'
import { type ArmComparison, armSections } from './arms.ts'
import { compareRuns, type RunComparison } from './compare-runs.ts'
import { type ComparedRun, comparedRunOf } from './compared-run.ts'
import { type ComparisonGateOptions, gatesOf } from './comparison-gates.ts'
import { judgeWarnings, targetNotes } from './text/comparison-notes.ts'
import { sectionOf, type TitledSection } from './text/comparison-section.ts'

/** Saved results that a run is compared with, and how. */
export interface Against extends ComparisonGateOptions {
  readonly reference: ComparedRun
  /** Slices of the comparison. */
  readonly by?: string | undefined
}

/** The comparison of a run with saved results. */
export interface AgainstComparison extends RunComparison {
  /** What the saved results have besides what is compared. */
  readonly notes: readonly string[]
}

/** Compares a run with saved results, as far as the run was asked to go. Control arms are not compared. */
export function compareAgainst(run: RunReader, { reference, by, ...options }: Against): AgainstComparison {
  const filter = (run.info?.options ?? {}) as TestFilter
  const after = withoutControls(withCarriedSelected(comparedRunOf('this run', run, { filter, by })))
  const { before, notes } = restricted(reference, after, run)
  const { margin = 0 } = options
  const compared = compareRuns([before, after], { targets: [], margin, gates: gatesOf(options), filter })
  return { ...compared, notes: [...notes, ...uncomparedFailures(compared)] }
}

/** Says that tests fail which the comparison cannot judge: a gate on it alone does not see them. */
function uncomparedFailures({ runs: [, after], comparisons }: RunComparison): string[] {
  const nameOf = (suite: string, test_id: string, target = '') => compositeKey(suite, test_id, target)
  const left = comparisons.flatMap(({ after: { target }, new: added, changed }) =>
    [...added, ...changed].map(({ suite, test_id }) => nameOf(suite, test_id, target)),
  )
  const names = new Set(left)
  const isLeft = ({ suite, test_id, target }: TestOutcome) => names.has(nameOf(suite, test_id, target))
  const failed = (after?.outcome.tests ?? []).filter(test => isNotable(test) && isLeft(test)).length
  if (failed === 0) return []
  return [`${plural(failed, 'new or changed test')} ${failed === 1 ? 'does' : 'do'} not pass, and cannot be compared`]
}

/** The comparisons of a run in words: with saved results, then with control arms. */
export function comparisonSections(
  arms: readonly ArmComparison[],
  against: AgainstComparison | undefined,
): TitledSection[] {
  const notes = against ? [...against.notes, ...judgeWarnings(against), ...targetNotes(against)] : []
  const saved = (against?.comparisons ?? []).map(comparison => {
    const section = sectionOf(comparison)
    const title = `Did it change? ${comparison.after.label} against ${comparison.before.label}`
    return { title, ...section, notes: [...notes, ...section.notes] }
  })
  return [...saved, ...armSections(arms)]
}

/** A control arm is what others are compared with; its own changes are no regression. */
function withoutControls(run: ComparedRun): ComparedRun {
  const isControl = ([target, tests]: readonly [string, ComparedRun['outcome']['tests']]) =>
    [...tests, ...run.carried.filter(test => test.target === target)].every(({ is_control }) => is_control)
  return { ...run, targets: new Map([...run.targets].filter(entry => !isControl(entry))) }
}

/** The filter of a run has selected what it carried over too. */
function withCarriedSelected(run: ComparedRun): ComparedRun {
  return run.selected ? { ...run, selected: new Set([...run.selected, ...run.carried.map(testIdentity)]) } : run
}

/** Saved results of only the targets and suites that the run was asked for, with notes on the others. */
function restricted(
  reference: ComparedRun,
  after: ComparedRun,
  { info }: RunReader,
): { readonly before: ComparedRun; readonly notes: readonly string[] } {
  const isChosen = info?.options?.['targets'] !== undefined
  const controls = new Set(
    [...reference.targets].filter(([, tests]) => tests.every(({ is_control }) => is_control)).map(([target]) => target),
  )
  const isLeftOut = (target: string) => !after.targets.has(target) && (isChosen || controls.has(target))
  const targets = new Map([...reference.targets].filter(([target]) => !isLeftOut(target)))
  const left = [...reference.targets.keys()].filter(target => isLeftOut(target) && !controls.has(target))
  const others = [...targets.values()].flat().filter(({ suite }) => !info?.suites.some(({ name }) => name === suite))
  return {
    before: { ...reference, targets },
    notes: [
      ...(left.length > 0 ? [`not compared: ${left.join(', ')} of ${reference.name}`] : []),
      ...(others.length > 0
        ? [`${reference.name} has ${plural(others.length, 'result')} of suites that were not run`]
        : []),
    ],
  }
}
