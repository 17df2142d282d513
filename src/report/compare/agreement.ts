import { groupBy } from '../../lib/collections.ts'
import { cohensKappa } from '../../lib/statistics/significance.ts'
import type { TestOutcome } from '../outcome/test-outcome.ts'
import { matchTests } from './pair-tests.ts'

/** Agreement of two gradings of the same answers. */
export interface Agreement {
  /** Tests graded in both runs. */
  readonly tests: number
  /** Tests with an error in either run, which are not comparable. */
  readonly errors: number
  /** Share of tests with the same result, passed or not; undefined without comparable tests. */
  readonly share: number | undefined
  /** Cohen's κ, the agreement beyond chance; undefined if all verdicts are the same. */
  readonly kappa: number | undefined
}

/** Compares the verdicts of common tests, even if their checks differ. */
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
