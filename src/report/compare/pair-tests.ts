import { textKey } from '../../lib/text-key.ts'
import type { TestOutcome } from '../outcome.ts'

/** A test that both sides have, unchanged and with a score. */
export interface Pair {
  readonly suite: string
  readonly test_id: string
  readonly before: number
  readonly after: number
  readonly difference: number
  readonly outcomes: readonly [TestOutcome, TestOutcome]
}

/** A test by its name. */
export interface TestName {
  readonly suite: string
  readonly test_id: string
}

/** The tests of two sides, matched. */
export interface PairedTests {
  readonly pairs: readonly Pair[]
  /** Only on the second side. */
  readonly new: readonly TestName[]
  /** Only on the first side. */
  readonly gone: readonly TestName[]
  /** Asks or grades otherwise on the second side, so that the scores mean different things. */
  readonly changed: readonly TestName[]
  /** Without a score on a side: an error there. */
  readonly unscored: readonly TestName[]
}

/** Matches tests by suite and id, and looks whether they are still the same. What has no partner is listed, not averaged. */
export function pairTests(before: readonly TestOutcome[], after: readonly TestOutcome[]): PairedTests {
  const first = byName(before)
  const second = byName(after)
  const pairs: Pair[] = []
  const changed: TestName[] = []
  const unscored: TestName[] = []
  for (const [key, test] of first) {
    const partner = second.get(key)
    if (!partner) continue
    const name = nameOf(test)
    if (test.test_hash !== partner.test_hash) changed.push(name)
    else if (test.score === null || partner.score === null) unscored.push(name)
    else {
      const difference = Math.round((partner.score - test.score) * 1e9) / 1e9
      pairs.push({ ...name, before: test.score, after: partner.score, difference, outcomes: [test, partner] })
    }
  }
  const missing = (from: Map<string, TestOutcome>, other: Map<string, TestOutcome>) =>
    [...from].flatMap(([key, test]) => (other.has(key) ? [] : [nameOf(test)]))
  return { pairs, new: missing(second, first), gone: missing(first, second), changed, unscored }
}

/** Suites of one name may have tests of one id: the first is matched with the first, the second with the second. */
function byName(tests: readonly TestOutcome[]): Map<string, TestOutcome> {
  const named = new Map<string, TestOutcome>()
  const seen = new Map<string, number>()
  for (const test of tests) {
    const key = textKey(test.suite, test.test_id)
    const count = (seen.get(key) ?? 0) + 1
    seen.set(key, count)
    named.set(`${key} ${count}`, test)
  }
  return named
}

function nameOf({ suite, test_id }: TestOutcome): TestName {
  return { suite, test_id }
}
