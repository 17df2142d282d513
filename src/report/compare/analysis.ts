import { holm } from '../../lib/statistics/significance.ts'
import { type Evidence, evidenceOf, minDiffering, SIGNIFICANCE_LEVEL } from './evidence.ts'
import { hasOnlyPasses, type Pair, passPairs } from './pair-tests.ts'

export type ComparisonVerdict = 'better' | 'worse' | 'equivalent' | 'inconclusive'

/** A sample of tests with its evidence, before adjustment for other comparisons. */
export interface Sample {
  readonly tests: number
  /** Evidence from the values of tests; undefined without tests. */
  readonly evidence: Evidence | undefined
  /** Evidence from the share of passed attempts; the same object if these are the values. */
  readonly pass_evidence: Evidence | undefined
}

/** A sample with adjusted p values and verdicts. */
export interface Analysis extends Sample {
  /** Each p, adjusted for everything that is tested at once. */
  readonly adjusted_p: number | undefined
  readonly pass_adjusted_p: number | undefined
  /** Verdicts by the values alone and by the pass rate alone. */
  readonly value_verdict: ComparisonVerdict
  readonly pass_verdict: ComparisonVerdict
  /** Combined verdict. */
  readonly verdict: ComparisonVerdict
}

export function sampleOf(pairs: readonly Pair[], margin: number): Sample {
  const evidence = evidenceOf(pairs, margin)
  const pass_evidence = pairs.every(haveOnlyPasses) ? evidence : evidenceOf(passPairs(pairs), margin)
  return { tests: pairs.length, evidence, pass_evidence }
}

/** Whether the values of a pair are its passes. */
function haveOnlyPasses({ outcomes }: Pair): boolean {
  return outcomes.every(hasOnlyPasses)
}

/** Analyses samples together and adjusts their p values for multiple testing. */
export function analysesOf(samples: readonly Sample[], margin: number): Analysis[] {
  const ps = adjusted([...samples.map(({ evidence }) => evidence?.p), ...samples.map(testedPassP)])
  return samples.map((sample, index) => {
    const { evidence, pass_evidence } = sample
    const adjusted_p = ps[index]
    const pass_adjusted_p = pass_evidence === evidence ? adjusted_p : (ps[samples.length + index] ?? pass_evidence?.p)
    const value_verdict = verdictOf(evidence, adjusted_p, margin)
    const pass_verdict = verdictOf(pass_evidence, pass_adjusted_p, margin)
    const verdict = togetherOf(value_verdict, pass_verdict, pass_evidence)
    return { ...sample, adjusted_p, pass_adjusted_p, value_verdict, pass_verdict, verdict }
  })
}

/** Returns the p of the pass rate if it counts as a separate test: too few differences cannot raise a false alarm. */
function testedPassP({ evidence, pass_evidence }: Sample): number | undefined {
  if (!pass_evidence || pass_evidence === evidence) return undefined
  return pass_evidence.differing < minDiffering(pass_evidence) ? undefined : pass_evidence.p
}

/** Combines two verdicts: worse or better wins unless they contradict; equivalent needs both, or equal passes. */
function togetherOf(
  values: ComparisonVerdict,
  passes: ComparisonVerdict,
  pass_evidence: Evidence | undefined,
): ComparisonVerdict {
  const either = [values, passes]
  const [isWorse, isBetter] = [either.includes('worse'), either.includes('better')]
  if (isWorse && isBetter) return 'inconclusive'
  if (isWorse) return 'worse'
  if (isBetter) return 'better'
  const areEquivalent = values === 'equivalent' && (passes === 'equivalent' || pass_evidence?.differing === 0)
  return areEquivalent ? 'equivalent' : 'inconclusive'
}

function adjusted(ps: readonly (number | undefined)[]): (number | undefined)[] {
  const known = ps.filter(p => p !== undefined)
  const all = known.length === 0 ? [] : holm(known)
  let next = 0
  return ps.map(p => (p === undefined ? undefined : all[next++]))
}

function verdictOf(evidence: Evidence | undefined, p: number | undefined, margin: number): ComparisonVerdict {
  if (!evidence?.interval || p === undefined) return 'inconclusive'
  const { low, high } = evidence.interval
  const isShown = p <= SIGNIFICANCE_LEVEL && (evidence.is_binary || evidence.differing >= minDiffering(evidence))
  if (isShown && high < -margin) return 'worse'
  if (isShown && low > 0) return 'better'
  return margin > 0 && low >= -margin && high <= margin ? 'equivalent' : 'inconclusive'
}
