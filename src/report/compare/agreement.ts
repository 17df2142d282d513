import { cohensKappa } from '../../lib/statistics/kappa.ts'
import { textKey } from '../../lib/text-key.ts'
import type { TestOutcome } from '../outcome.ts'

/** How far two judgements of the same answers agree. */
export interface Agreement {
  readonly tests: number
  /** The share of tests with the same verdict: passed, or not. */
  readonly share: number
  /** Cohen's κ: what is left of that beyond chance. */
  readonly kappa: number | undefined
}

/** Of tests that both sides have judged, also where they judge by other checks. */
export function agreementOf(before: readonly TestOutcome[], after: readonly TestOutcome[]): Agreement | undefined {
  const verdicts = new Map(before.map(test => [keyOf(test), test.verdict]))
  const table: [number, number][] = [
    [0, 0],
    [0, 0],
  ]
  let tests = 0
  for (const test of after) {
    const verdict = verdicts.get(keyOf(test))
    if (verdict === undefined || verdict === 'error' || test.verdict === 'error') continue
    const row = table[verdict === 'pass' ? 0 : 1] as [number, number]
    row[test.verdict === 'pass' ? 0 : 1]++
    tests++
  }
  if (tests === 0) return undefined
  const [[both], [, neither]] = table as [[number, number], [number, number]]
  return { tests, share: (both + neither) / tests, kappa: cohensKappa(table) }
}

function keyOf({ suite, test_id, target }: TestOutcome): string {
  return textKey(suite, test_id, target)
}
