import { printableLine } from '../../lib/text/escape.ts'
import type { RunReader } from '../../model/run-reader.ts'
import { allTests } from '../outcome/marked-tests.ts'
import type { Outcome } from '../outcome/run-outcome.ts'
import { armComparisons } from './arm-comparisons.ts'
import type { Comparison } from './comparison.ts'
import { withDecisions } from './decided-comparison.ts'
import { sectionOf, type TitledSection } from './text/comparison-section.ts'
import type { UnpairedWords } from './text/test-lists.ts'

/** The comparison of a target with its control arm. */
export interface ArmComparison extends Comparison {
  /** Fields in which the two targets differ; undefined if unknown. */
  readonly differs_in?: readonly string[] | undefined
}

/** The comparisons of the targets of a run with their control arms, with the margin and the decisions of the run. */
export function runArms(
  { info }: RunReader,
  outcome: Pick<Outcome, 'tests' | 'quarantined' | 'decisions'>,
): ArmComparison[] {
  const margin = info?.options?.['margin']
  const comparisons = armComparisons(
    { tests: allTests(outcome) },
    { margin: typeof margin === 'number' ? margin : undefined },
  )
  return withDecisions(comparisons, outcome.decisions).map(comparison => {
    const { before, after } = comparison
    const pair = info?.arms?.find(({ target, control }) => target === after.target && control === before.target)
    return { ...comparison, differs_in: pair?.differs_in }
  })
}

const UNPAIRED: UnpairedWords = { new: 'without control', gone: 'only on the control arm' }

export function armSections(comparisons: readonly ArmComparison[]): TitledSection[] {
  return comparisons.map(comparison => {
    const { before, after, differs_in } = comparison
    const section = sectionOf(comparison, UNPAIRED)
    const notes = [...(differs_in ? [differenceText(differs_in)] : []), ...section.notes]
    return { title: `Does it help? ${after.label} against the control arm ${before.label}`, ...section, notes }
  })
}

/** `arms differ in: skills`. */
function differenceText(fields: readonly string[]): string {
  return fields.length === 0 ? 'arms do not differ' : `arms differ in: ${fields.map(printableLine).join(', ')}`
}
