import { groupBy } from '../../lib/group-by.ts'
import { textKey } from '../../lib/text-key.ts'
import type { TestOutcome } from '../test-outcome.ts'

export type Match = readonly [before: TestOutcome, after: TestOutcome]

/** The tests of two sides, each of one target, by name. */
export interface MatchedTests {
  readonly matches: readonly Match[]
  /** Only on the second side. */
  readonly new: readonly TestOutcome[]
  /** Only on the first side. */
  readonly gone: readonly TestOutcome[]
}

/** Matches tests by suite and id. Where several tests of a side have one name, by their file, then by their content. */
export function matchTests(before: readonly TestOutcome[], after: readonly TestOutcome[]): MatchedTests {
  const partners = groupBy(after, nameOf)
  const matches = [...groupBy(before, nameOf)].flatMap(([name, tests]) => matchNamed(tests, partners.get(name) ?? []))
  const matched = new Set(matches.flat())
  return {
    matches,
    new: after.filter(test => !matched.has(test)),
    gone: before.filter(test => !matched.has(test)),
  }
}

function nameOf({ suite, test_id }: TestOutcome): string {
  return textKey(suite, test_id)
}

function matchNamed(before: readonly TestOutcome[], after: readonly TestOutcome[]): Match[] {
  if (before.length === 1 && after.length === 1) return matchBy(before, after, nameOf)
  const inOneFile = matchBy(before, after, ({ file }) => file)
  const matched = new Set(inOneFile.flat())
  const left = (tests: readonly TestOutcome[]) => tests.filter(test => !matched.has(test))
  return [...inOneFile, ...matchBy(left(before), left(after), ({ test_hash }) => test_hash)]
}

/** Tests of one key in their order: the first with the first, the second with the second. */
function matchBy(
  before: readonly TestOutcome[],
  after: readonly TestOutcome[],
  keyOf: (test: TestOutcome) => string | undefined,
): Match[] {
  const known = (tests: readonly TestOutcome[]) => tests.filter(test => keyOf(test) !== undefined)
  const partners = groupBy(known(after), test => keyOf(test) ?? '')
  return known(before).flatMap(test => {
    const partner = partners.get(keyOf(test) ?? '')?.shift()
    return partner ? [[test, partner] as const] : []
  })
}
