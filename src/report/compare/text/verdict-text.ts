import type { Palette } from '../../../lib/palette.ts'
import { printableLine } from '../../../lib/text/escape.ts'
import { plural } from '../../../lib/text/format.ts'
import { decisionText } from '../../outcome/decisions.ts'
import type { ComparisonVerdict } from '../analysis.ts'
import type { Comparison, SideEstimates } from '../comparison.ts'
import { minDiffering, SIGNIFICANCE_LEVEL } from '../evidence.ts'
import { isWithinMargin } from '../power.ts'
import { formatNonZero, formatSigned } from './format-values.ts'

/** Formats the verdict with its reasons and, if inconclusive, the detectable difference and the required sample. */
export function verdictText(comparison: Comparison, palette: Palette): string {
  const { verdict, margin, decision } = comparison
  if (decision) return `${paintVerdict(verdict, palette)}${decisionText(decision).slice(verdict.length)}\n`
  const reasons = reasonsOf(comparison).join('; ')
  const by = verdict === 'worse' && margin > 0 ? ` by more than the margin of ${margin}` : ''
  return `${paintVerdict(verdict, palette)}${by}${reasons === '' ? '' : `: ${reasons}`}\n`
}

/** A verdict in its colour. */
export function paintVerdict(verdict: ComparisonVerdict, palette: Palette): string {
  const paints: Readonly<Record<ComparisonVerdict, (text: string) => string>> = {
    better: palette.good,
    worse: palette.error,
    equivalent: palette.good,
    inconclusive: palette.warning,
  }
  return paints[verdict](verdict)
}

function reasonsOf(comparison: Comparison): string[] {
  const { verdict, margin, pairs, is_same_run } = comparison
  if (pairs.length === 0) return withoutPairs(comparison)
  if (verdict === 'better' || verdict === 'worse')
    return comparison.value_verdict === verdict ? [] : ['by the pass rate']
  if (is_same_run) return [sameRunText(comparison)]
  if (verdict === 'equivalent') return [`the difference is within ±${margin}`, detectableText(comparison)]
  return [...whyInconclusive(comparison), detectableText(comparison), ...neededText(comparison)]
}

function withoutPairs(comparison: Comparison): string[] {
  if (comparison.is_same_run) return [sameRunText(comparison)]
  if (comparison.carried.length === 0) return []
  const isUnchanged = comparison.changed.length + comparison.new.length + comparison.gone.length === 0
  return [isUnchanged ? 'no test is affected' : 'no test that both sides have was run']
}

function sameRunText({ before, after, same_results }: Comparison): string {
  if (same_results > 0) return `${sameText(before)} was saved from this run, ${sameText(after)}`
  return `both sides are the same run ${sameText(before)}`
}

/** `20261116-093000-ab12 (target default)`. */
function sameText({ label, run, target }: SideEstimates): string {
  return printableLine(run === undefined || target === undefined ? label : `${run} (target ${target})`)
}

function whyInconclusive(comparison: Comparison): string[] {
  const { evidence, margin, errors_decide, without_errors, pairs, pass_evidence } = comparison
  const { value_verdict, pass_verdict } = comparison
  if (!evidence) return []
  const { mean, differing, pieces } = evidence
  if (errors_decide) {
    const without = without_errors?.evidence ? formatSigned(without_errors.evidence.mean) : 'nothing to compare'
    return [
      `the verdict depends on errors: ${formatSigned(mean)} with errors as 0, ${without} without tests that have errors`,
    ]
  }
  if (areOpposite(comparison)) {
    return [`values and pass rate disagree: ${value_verdict} by values, ${pass_verdict} by the pass rate`]
  }
  if (differing === 0 && pass_evidence?.differing === 0) return ['no test differs']
  if (differTooFew(comparison)) {
    const of = plural(pieces, pieces < pairs.length ? 'cluster' : 'test')
    return [`only ${differing} of ${of} differ, a verdict needs at least ${minDiffering(evidence)}`]
  }
  return isWithinMargin(mean, margin) ? [`the loss is within the margin of ${margin}, but may be larger`] : []
}

/** Whether values and pass rate have opposite verdicts. */
function areOpposite({ value_verdict, pass_verdict }: Comparison): boolean {
  const verdicts = [value_verdict, pass_verdict]
  return verdicts.includes('better') && verdicts.includes('worse')
}

/** Whether p allows a verdict, but too few tests or clusters differ. */
function differTooFew({ evidence, adjusted_p }: Comparison): boolean {
  if (!evidence || adjusted_p === undefined || adjusted_p > SIGNIFICANCE_LEVEL) return false
  const least = minDiffering(evidence)
  return evidence.differing < least && evidence.pieces >= least
}

/** `24 tests can detect a difference of 0.26 (80 % power)`. */
function detectableText({ detectable, pairs, evidence }: Comparison): string {
  const tests = plural(pairs.length, 'test')
  if (detectable !== undefined)
    return `${tests} can detect a difference of ${formatNonZero(detectable, 2)} (80 % power)`
  const [pieces, least] = evidence ? [evidence.pieces, minDiffering(evidence)] : [0, 0]
  if (pieces >= least) return `${tests} cannot detect any difference (80 % power)`
  const clusters = pieces < pairs.length ? ` in ${plural(pieces, 'cluster')}` : ''
  return `${tests}${clusters} cannot detect any difference: at least ${least} must differ`
}

function neededText({ needed, margin, errors_decide }: Comparison): string[] {
  if (!needed || errors_decide) return []
  const { difference, tests, trials } = needed
  const beyond = margin > 0 && difference < 0 ? ' beyond the margin' : ''
  const more = trials === undefined ? '' : `, or ${trials} trials of each test`
  return [`detecting ${formatSigned(difference)}${beyond} takes about ${tests} tests${more}`]
}
