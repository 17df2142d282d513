import { plural } from '../../lib/text/format.ts'
import type { ComparisonVerdict } from './analysis.ts'
import type { Comparison } from './comparison.ts'
import type { TargetGap } from './select-sides.ts'

export interface CompareGateOptions {
  readonly fail_on_regression: boolean
  readonly fail_on_new_failures: boolean
  readonly require_conclusive: boolean
  /** Whether every comparison must have the verdict better. */
  readonly require_better?: boolean | undefined
}

/** Data missing from the compared runs. */
export interface Gaps {
  /** Runs with planned attempts that have no result. */
  readonly unfinished_runs: readonly string[]
  /** Later runs that are partial and lack tests of the first. */
  readonly partial_runs: readonly PartialRun[]
  /** Targets of the first run that a later one lacks. */
  readonly missing_targets: readonly TargetGap[]
  /** Number of planned attempts without a result, in a comparison within a run. */
  readonly not_made?: number | undefined
}

/** A run of only part of its suites. */
export interface PartialRun {
  readonly name: string
  /** Description of the part. */
  readonly part: string
  /** Number of tests of the first run that it lacks. */
  readonly gone: number
}

export interface CompareGateResult {
  readonly result: 'passed' | 'failed' | 'same run' | 'incomplete' | 'nothing to compare' | 'inconclusive'
  /** Empty if the gate passed. */
  readonly reasons: readonly string[]
}

/** Whether any gate is requested. */
export function isGated(gates: CompareGateOptions): boolean {
  return Object.values(gates).includes(true)
}

/** Fails closed: a gate cannot pass if a run is compared with itself or data is missing. */
export function evaluateCompareGate(
  comparisons: readonly Comparison[],
  gaps: Gaps,
  gates: CompareGateOptions,
): CompareGateResult {
  const isAsked = isGated(gates)
  const named = reasonsOf(comparisons)
  const checks: readonly Check[] = [
    ['same run', isAsked, named(sameRunTexts)],
    ['failed', true, named(comparison => failuresOf(comparison, gates))],
    ['incomplete', isAsked, gapTexts(gaps)],
    ['nothing to compare', isAsked || comparisons.every(isEmpty), named(each => (isEmpty(each) ? [NO_PAIRS] : []))],
    [
      'inconclusive',
      gates.require_conclusive || gates.require_better === true,
      named(({ verdict }) => (verdict === 'inconclusive' ? [verdict] : [])),
    ],
  ]
  const [result, , reasons] = checks.find(([, applies, found]) => applies && found.length > 0) ?? ['passed', true, []]
  return { result, reasons }
}

type Check = readonly [result: CompareGateResult['result'], applies: boolean, reasons: readonly string[]]

const NO_PAIRS = 'no test is the same on both sides'

function sameRunTexts({ is_same_run, same_results, before }: Comparison): string[] {
  if (!is_same_run) return []
  return [same_results > 0 ? `${before.label} was saved from this run` : 'both sides are the same run']
}

/** A comparison in which everything was carried over has nothing that could differ. */
function isEmpty({ pairs, carried }: Comparison): boolean {
  return pairs.length === 0 && carried.length === 0
}

/** Collects reasons over all comparisons, prefixed with the side if there are several. */
function reasonsOf(comparisons: readonly Comparison[]) {
  return (reasons: (comparison: Comparison) => readonly string[]): string[] =>
    comparisons.flatMap(comparison =>
      reasons(comparison).map(reason => (comparisons.length > 1 ? `${comparison.after.label}: ${reason}` : reason)),
    )
}

function failuresOf(comparison: Comparison, gates: CompareGateOptions): string[] {
  const { verdict, verdict_with_errors, pass_verdict, errors, errors_rose, broke, new_failures } = comparison
  const regressions = [
    ...(verdict === 'worse' ? ['worse'] : []),
    ...(verdict !== 'worse' && verdict_with_errors === 'worse' ? ['worse where errors count as failures'] : []),
    ...(verdict !== 'worse' && verdict_with_errors !== 'worse' && pass_verdict === 'worse' ? ['pass rate worse'] : []),
    ...(errors_rose ? [`errors rose (${errors.before} → ${errors.after})`] : []),
    ...(broke.length > 0 ? [`${plural(broke.length, 'test')} broke`] : []),
  ]
  return [
    ...(gates.fail_on_regression ? regressions : []),
    ...(gates.require_better ? notBetter(verdict) : []),
    ...(gates.fail_on_new_failures && new_failures.length > 0 ? [plural(new_failures.length, 'new failure')] : []),
  ]
}

/** An inconclusive comparison is no failure, and no pass either. */
function notBetter(verdict: ComparisonVerdict): string[] {
  return verdict === 'better' || verdict === 'inconclusive' ? [] : [`${verdict}, but better is required`]
}

function gapTexts({ unfinished_runs, partial_runs, missing_targets, not_made = 0 }: Gaps): string[] {
  const partText = ({ name, part, gone }: PartialRun) =>
    `${name} is partial: ${part}; it lacks ${plural(gone, 'test')} of the first run`
  return [
    ...unfinished_runs.map(run => `${run} is partial`),
    ...partial_runs.map(partText),
    ...(not_made > 0 ? [`${plural(not_made, 'attempt')} not made`] : []),
    ...missing_targets.map(({ run, target }) => `${run} does not have the target ${target}`),
  ]
}
