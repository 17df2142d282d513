import type { Decision } from '../../model/decision.ts'
import type { RunReader } from '../../model/run-reader.ts'
import { decisionText } from '../outcome/decisions.ts'
import type { Outcome } from '../outcome/run-outcome.ts'
import { armComparisons } from './arm-comparisons.ts'
import type { Comparison } from './comparison.ts'
import { type ComparisonSection, sectionOf } from './comparison-section.ts'
import type { UnpairedWords } from './test-lists.ts'

/** The comparison of a target with its control arm, in words. */
export interface ArmSection extends ComparisonSection {
  /** `Does it help? with-skill against the control arm without-skill`. */
  readonly title: string
}

/** The comparison of a target with its control arm. */
export interface ArmComparison extends Comparison {
  /** What a run until decided decided about them; undefined for other runs. */
  readonly decision?: Decision | undefined
}

/** The comparisons of the targets of a run with their control arms, with the margin and the decisions of the run. */
export function runArms({ info }: RunReader, outcome: Pick<Outcome, 'tests' | 'decisions'>): ArmComparison[] {
  const margin = info?.options?.['margin']
  const comparisons = armComparisons(outcome, { margin: typeof margin === 'number' ? margin : undefined })
  return comparisons.map(comparison => {
    const { before, after } = comparison
    const decision = outcome.decisions.find(
      ({ control, target }) => control === before.target && target === after.target,
    )
    return decision ? decided(comparison, decision) : comparison
  })
}

/** A run that stops when its result is clear decides by its own bounds: those of a fixed sample would be too narrow. */
function decided(comparison: Comparison, decision: Decision): ArmComparison {
  const verdict = decision.decision === 'better' || decision.decision === 'worse' ? decision.decision : 'inconclusive'
  const withoutBounds = (evidence: Comparison['evidence']) =>
    evidence && { ...evidence, interval: undefined, p: undefined }
  return {
    ...comparison,
    decision,
    evidence: withoutBounds(comparison.evidence),
    pass_evidence: withoutBounds(comparison.pass_evidence),
    adjusted_p: undefined,
    pass_adjusted_p: undefined,
    verdict,
    value_verdict: verdict,
    pass_verdict: verdict,
    verdict_with_errors: verdict,
    without_errors: undefined,
    errors_decide: decision.errors_decide === true,
    broke: [],
    mended: [],
  }
}

const UNPAIRED: UnpairedWords = { new: 'without control', gone: 'only on the control arm' }

export function armSections(comparisons: readonly ArmComparison[]): ArmSection[] {
  return comparisons.map(comparison => {
    const { before, after, decision } = comparison
    const section = sectionOf(comparison, UNPAIRED)
    const verdict_text = decision ? decisionText(decision) : section.verdict_text
    return { title: `Does it help? ${after.label} against the control arm ${before.label}`, ...section, verdict_text }
  })
}
