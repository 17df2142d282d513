import type { Outcome } from '../outcome/run-outcome.ts'
import { type CompareGateOptions, type CompareGateResult, evaluateCompareGate, isGated } from './compare-gate.ts'
import type { Comparison } from './comparison.ts'

/** Gates on the comparison of each target with its control arm, or with saved results. */
export interface ComparisonGateOptions {
  /** Fails if a target is worse, has a broken test or more errors. */
  readonly fail_on_regression?: boolean | undefined
  /** Fails if a test passed there and does not pass now. */
  readonly fail_on_new_failures?: boolean | undefined
  /** Fails unless every target is better. */
  readonly require_better?: boolean | undefined
  /** How much worse a target may score, from 0 to 1. Default: 0. */
  readonly margin?: number | undefined
}

/** The options that need something to compare with, as they are given on the command line. */
export function comparisonOptionNames(options: ComparisonGateOptions): string[] {
  const { fail_on_regression, fail_on_new_failures, require_better, margin } = options
  return [
    ...(fail_on_regression ? ['--fail-on-regression'] : []),
    ...(fail_on_new_failures ? ['--fail-on-new-failures'] : []),
    ...(require_better ? ['--require-better'] : []),
    ...(margin === undefined ? [] : ['--margin']),
  ]
}

/** Evaluates the gates on control arms; undefined if none is given. Missing attempts and a missing control arm fail them. */
export function evaluateArmGate(
  comparisons: readonly Comparison[],
  { not_run }: Pick<Outcome, 'not_run'>,
  options: ComparisonGateOptions,
): CompareGateResult | undefined {
  const gates = gatesOf(options)
  if (!isGated(gates)) return undefined
  if (comparisons.length === 0)
    return { result: 'nothing to compare', reasons: ['no test has a result of a control arm and of another target'] }
  // A run that has decided every comparison makes no more attempts.
  const not_made = comparisons.every(({ decision }) => decision) ? 0 : not_run
  const gaps = { unfinished_runs: [], partial_runs: [], missing_targets: [], not_made }
  return evaluateCompareGate(comparisons, gaps, gates)
}

/** The gates of a comparison that are asked for. */
export function gatesOf(options: ComparisonGateOptions): CompareGateOptions {
  const { fail_on_regression = false, fail_on_new_failures = false, require_better = false } = options
  return { fail_on_regression, fail_on_new_failures, require_better, require_conclusive: false }
}
