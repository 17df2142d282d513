import { plural } from '../../../lib/plural.ts'
import type { Analysis } from '../analysis.ts'
import type { Comparison } from '../comparison.ts'
import type { Evidence } from '../evidence.ts'
import { pText, signedText } from './figure-text.ts'

/** The differences of values and of passes with their intervals and p, and the same without the tests that have errors. */
export function evidenceText(comparison: Comparison): string {
  const { pairs, without_errors } = comparison
  if (pairs.length === 0) return 'no test is the same on both sides: nothing can be compared\n'
  const first = `${errorsText(comparison)}${differenceTexts(comparison).join('\n')}\n`
  if (!without_errors) return first
  const left = plural(pairs.length - without_errors.tests, 'test')
  const rest = without_errors.evidence ? differenceTexts(without_errors).join('; ') : 'no test is left'
  return `${first}without the ${left} with errors: ${rest}, ${without_errors.verdict}\n`
}

/** `errors: 0 of 24 attempts before, 5 of 24 after`. */
function errorsText({ errors, pairs }: Comparison): string {
  if (errors.before + errors.after === 0) return ''
  const attempts = (side: 0 | 1) => pairs.reduce((sum, { outcomes }) => sum + outcomes[side].attempts, 0)
  return `errors: ${errors.before} of ${plural(attempts(0), 'attempt')} before, ${errors.after} of ${attempts(1)} after\n`
}

/** `difference −0.167 [−0.329 to +0.021], p = 0.0625 (mid-p McNemar)`, and `pass rate …` where its figures are others. */
function differenceTexts({ evidence, adjusted_p, pass_evidence, pass_adjusted_p }: FoundEvidence): string[] {
  const values = evidence ? [differenceText('difference', evidence, adjusted_p)] : []
  if (!pass_evidence || pass_evidence === evidence) return values
  const passes = differenceText('pass rate', pass_evidence, pass_adjusted_p)
  return values[0]?.slice('difference'.length) === passes.slice('pass rate'.length) ? values : [...values, passes]
}

type FoundEvidence = Pick<Analysis, 'evidence' | 'adjusted_p' | 'pass_evidence' | 'pass_adjusted_p'>

function differenceText(label: string, evidence: Evidence, adjusted_p: number | undefined): string {
  const { mean, interval, p, test, assumed } = evidence
  const range = interval ? ` [${signedText(interval.low)} to ${signedText(interval.high)}]` : ''
  if (p === undefined) return `${label} ${signedText(mean)}${range}`
  const question = assumed === 0 ? '' : `, against a loss of ${-assumed}`
  const adjusted =
    adjusted_p === undefined || pText(adjusted_p) === pText(p) ? '' : `, adjusted ${pText(adjusted_p)} (Holm)`
  return `${label} ${signedText(mean)}${range}, ${pText(p)} (${test}${question})${adjusted}`
}
