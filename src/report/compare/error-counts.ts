import { mean } from '../../lib/statistics/mean.ts'
import type { TestOutcome } from '../test-outcome.ts'
import type { Pair } from './pair-tests.ts'

/** Attempts of the paired tests that ended in an error. */
export interface ErrorCounts {
  readonly before: number
  readonly after: number
}

export function errorCounts(pairs: readonly Pair[]): ErrorCounts {
  const count = (side: 0 | 1) => pairs.reduce((sum, { outcomes }) => sum + errorsOf(outcomes[side]).errors, 0)
  return { before: count(0), after: count(1) }
}

/** Whether the share of errors in a test is higher on the second side, on average over the tests. */
export function haveErrorsRisen(pairs: readonly Pair[]): boolean {
  if (pairs.length === 0) return false
  const share = (side: 0 | 1) => mean(pairs.map(({ outcomes }) => errorShare(outcomes[side])))
  return share(1) > share(0) + 1e-9
}

export function hasError({ outcomes }: Pair): boolean {
  return outcomes.some(outcome => errorsOf(outcome).errors > 0)
}

/** Of the attempts that no rerun added. */
function errorsOf(test: TestOutcome): Pick<TestOutcome, 'errors' | 'attempts'> {
  return test.first ?? test
}

function errorShare(test: TestOutcome): number {
  const { errors, attempts } = errorsOf(test)
  return errors / attempts
}
