import type { Decision } from '../../model/decision.ts'
import type { Comparison } from './comparison.ts'

/** Replaces verdicts by what the run has decided about the same target and control arm. */
export function withDecisions(comparisons: readonly Comparison[], decisions: readonly Decision[]): Comparison[] {
  return comparisons.map(comparison => {
    const { before, after } = comparison
    const decision = decisions.find(({ control, target }) => control === before.target && target === after.target)
    return decision ? decided(comparison, decision) : comparison
  })
}

/** A run that stops when its result is clear decides by its own bounds: those of a fixed sample would be too narrow. */
function decided(comparison: Comparison, decision: Decision): Comparison {
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
    detectable: undefined,
    needed: undefined,
    broke: [],
    mended: [],
  }
}
