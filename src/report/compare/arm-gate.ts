import type { Outcome } from '../outcome/run-outcome.ts'
import { type CompareGateOptions, type CompareGateResult, evaluateCompareGate, isGated } from './compare-gate.ts'
import type { Comparison } from './comparison.ts'

/** Gates on the comparison of each target with its control arm. */
export interface ArmGateOptions {
  /** Fails if a target is worse, has a broken test or more errors than the control arm. */
  readonly fail_on_regression?: boolean | undefined
  /** Fails unless every target is better than the control arm. */
  readonly require_better?: boolean | undefined
  /** How much worse than the control arm a target may score, from 0 to 1. Default: 0. */
  readonly margin?: number | undefined
}

/** The options that need a control arm, as they are given on the command line. */
export function armOptionNames({ fail_on_regression, require_better, margin }: ArmGateOptions): string[] {
  return [
    ...(fail_on_regression ? ['--fail-on-regression'] : []),
    ...(require_better ? ['--require-better'] : []),
    ...(margin === undefined ? [] : ['--margin']),
  ]
}

/** Evaluates the gates on control arms; undefined if none is given. Missing attempts and a missing control arm fail them. */
export function evaluateArmGate(
  comparisons: readonly Comparison[],
  { not_run }: Pick<Outcome, 'not_run'>,
  options: ArmGateOptions,
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

function gatesOf({ fail_on_regression = false, require_better = false }: ArmGateOptions): CompareGateOptions {
  return { fail_on_regression, require_better, fail_on_new_failures: false, require_conclusive: false }
}
