import { holm } from '../../lib/statistics/significance.ts'
import { type Evidence, evidenceOf, minDiffering, SIGNIFICANCE_LEVEL } from './evidence.ts'
import { type Pair, passPairs } from './pair-tests.ts'

export type ComparisonVerdict = 'better' | 'worse' | 'equivalent' | 'inconclusive'

/** Tests and what their differences show, before other comparisons are counted in. */
export interface Sample {
  readonly tests: number
  /** Of the values of tests; undefined where there are no tests. */
  readonly evidence: Evidence | undefined
  /** Of the share of attempts that passed: the same object where these are the values. */
  readonly pass_evidence: Evidence | undefined
}

/** What the differences of some tests show. */
export interface Analysis extends Sample {
  /** The p of each, with everything that was tested at once counted in. */
  readonly adjusted_p: number | undefined
  readonly pass_adjusted_p: number | undefined
  /** What the values alone say, and the pass rate alone. */
  readonly value_verdict: ComparisonVerdict
  readonly pass_verdict: ComparisonVerdict
  /** What both say together. */
  readonly verdict: ComparisonVerdict
}

export function sampleOf(pairs: readonly Pair[], margin: number): Sample {
  const evidence = evidenceOf(pairs, margin)
  const passes = passPairs(pairs)
  const pass_evidence = areValuesOf(passes, pairs) ? evidence : evidenceOf(passes, margin)
  return { tests: pairs.length, evidence, pass_evidence }
}

/** Whether every test has the same values in both. */
function areValuesOf(passes: readonly Pair[], pairs: readonly Pair[]): boolean {
  const keyOf = ({ outcomes }: Pair) => JSON.stringify(outcomes.map(({ values }) => values.toSorted()))
  return pairs.every((pair, index) => keyOf(pair) === keyOf(passes[index] ?? pair))
}

/** Analyses that are made at once: the more one looks at, the more chance finds. */
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

/** The p of the pass rate where it is a test of its own: fewer differences than a verdict needs can raise no false alarm. */
function testedPassP({ evidence, pass_evidence }: Sample): number | undefined {
  if (!pass_evidence || pass_evidence === evidence) return undefined
  return pass_evidence.differing < minDiffering(pass_evidence) ? undefined : pass_evidence.p
}

/** Worse where either is worse and neither is better, and better likewise; equivalent where both are, or no pass differs. */
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
