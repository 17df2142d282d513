import type { Outcome } from './outcome.ts'

export interface GateOptions {
  /** Which verdicts the gate does not let through. */
  readonly fail_on?: 'fail' | 'borderline' | undefined
  /** Instead: the share of tests that must pass. */
  readonly min_pass_rate?: number | undefined
}

export interface Gate {
  readonly held: boolean
  /** Why, in words. */
  readonly reason: string
}

/** Whether a run is good enough. Errors are counted apart: they are no matter of the gate. */
export function gate(outcome: Outcome, { fail_on = 'fail', min_pass_rate }: GateOptions): Gate {
  const { counts, tests } = outcome
  if (min_pass_rate !== undefined) {
    const rate = outcome.planned_tests === 0 ? 0 : counts.pass / outcome.planned_tests
    const held = rate >= min_pass_rate - 1e-9
    return { held, reason: `${percent(rate)} passed, ${percent(min_pass_rate)} asked for` }
  }
  const failed = counts.fail + (fail_on === 'borderline' ? counts.borderline : 0)
  return { held: failed === 0, reason: failed === 0 ? 'no test failed' : `${failed} of ${tests.length} tests failed` }
}

function percent(rate: number): string {
  return `${Number((rate * 100).toFixed(2))} %`
}
