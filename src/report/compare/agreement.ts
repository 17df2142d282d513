import { groupBy } from '../../lib/collections.ts'
import { cohensKappa } from '../../lib/statistics/significance.ts'
import type { TestOutcome } from '../outcome/test-outcome.ts'
import { matchTests } from './pair-tests.ts'

/** How far two judgements of the same answers agree. */
export interface Agreement {
  /** Tests that both have judged. */
  readonly tests: number
  /** Tests with an error in either of them: these have no verdict to compare. */
  readonly errors: number
  /** The share of tests with the same verdict, passed or not; undefined where no test can be compared. */
  readonly share: number | undefined
  /** Cohen's κ: agreement beyond chance; undefined where chance alone would always agree. */
  readonly kappa: number | undefined
}

/** Compares the verdicts of tests that both have, also where their checks differ. */
export function agreementOf(before: readonly TestOutcome[], after: readonly TestOutcome[]): Agreement {
  const judged = groupBy(after, ({ target }) => target)
  const matches = [...groupBy(before, ({ target }) => target)].flatMap(
    ([target, tests]) => matchTests(tests, judged.get(target) ?? []).matches,
  )
  const table: [[number, number], [number, number]] = [
    [0, 0],
    [0, 0],
  ]
  const comparable = matches.filter(match => match.every(({ verdict }) => verdict !== 'error'))
  for (const [first, second] of comparable) table[first.verdict === 'pass' ? 0 : 1][second.verdict === 'pass' ? 0 : 1]++
  const tests = comparable.length
  const [[both], [, neither]] = table
  return {
    tests,
    errors: matches.length - tests,
    share: tests === 0 ? undefined : (both + neither) / tests,
    kappa: cohensKappa(table),
  }
}
