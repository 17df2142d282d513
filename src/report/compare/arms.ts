import type { RunReader } from '../../model/run-reader.ts'
import type { Outcome } from '../outcome/run-outcome.ts'
import { armComparisons } from './arm-comparisons.ts'
import type { Comparison } from './comparison.ts'
import { type ComparisonSection, sectionOf } from './comparison-section.ts'
import { withDecisions } from './decided-comparison.ts'
import type { UnpairedWords } from './test-lists.ts'

/** The comparison of a target with its control arm, in words. */
export interface ArmSection extends ComparisonSection {
  /** `Does it help? with-skill against the control arm without-skill`. */
  readonly title: string
}

/** The comparisons of the targets of a run with their control arms, with the margin and the decisions of the run. */
export function runArms({ info }: RunReader, outcome: Pick<Outcome, 'tests' | 'decisions'>): Comparison[] {
  const margin = info?.options?.['margin']
  const comparisons = armComparisons(outcome, { margin: typeof margin === 'number' ? margin : undefined })
  return withDecisions(comparisons, outcome.decisions)
}

const UNPAIRED: UnpairedWords = { new: 'without control', gone: 'only on the control arm' }

export function armSections(comparisons: readonly Comparison[]): ArmSection[] {
  return comparisons.map(comparison => ({
    title: `Does it help? ${comparison.after.label} against the control arm ${comparison.before.label}`,
    ...sectionOf(comparison, UNPAIRED),
  }))
}
