import { compositeKey, groupBy } from '../../lib/collections.ts'
import { mean } from '../../lib/statistics/means.ts'
import type { TestOutcome } from '../outcome/test-outcome.ts'

/** A test by its name. */
export interface TestName {
  readonly suite: string
  readonly test_id: string
}

/** A test that both sides have, unchanged, with the mean of its attempts on each: an error or a missed required check counts 0. */
export interface Pair extends TestName {
  readonly before: number
  readonly after: number
  readonly difference: number
  readonly outcomes: Match
}

/** A test that asks or grades differently on the second side, so that the scores mean different things. */
export interface ChangedTest extends TestName {
  readonly outcomes: Match
}

/** The tests of two sides, matched. */
export interface PairedTests {
  readonly pairs: readonly Pair[]
  /** Only on the second side. */
  readonly new: readonly TestName[]
  /** Only on the first side. */
  readonly gone: readonly TestName[]
  readonly changed: readonly ChangedTest[]
}

/** Pairs the tests that are the same on both sides. The others are listed, and not averaged. */
export function pairTests(before: readonly TestOutcome[], after: readonly TestOutcome[]): PairedTests {
  const matched = matchTests(before, after)
  const isSame = ([first, second]: Match) => first.test_hash === second.test_hash
  return {
    pairs: matched.matches.filter(isSame).map(pairOf),
    new: matched.new.map(nameOf),
    gone: matched.gone.map(nameOf),
    changed: matched.matches.filter(match => !isSame(match)).map(outcomes => ({ ...nameOf(outcomes[0]), outcomes })),
  }
}

/** The same tests, with the share of their attempts that passed in place of their values. */
export function passPairs(pairs: readonly Pair[]): Pair[] {
  const withPasses = (outcome: TestOutcome) => ({ ...outcome, values: passValues(outcome) })
  return pairs.map(({ outcomes: [before, after] }) => pairOf([withPasses(before), withPasses(after)]))
}

function pairOf(outcomes: Match): Pair {
  const [before, after] = [mean(outcomes[0].values), mean(outcomes[1].values)]
  // Of means with all their digits: thirds that are rounded first differ by more than one size of thirds.
  const difference = rounded(after - before)
  return { ...nameOf(outcomes[0]), before: rounded(before), after: rounded(after), difference, outcomes }
}

/** Without what arithmetic adds in the last digits. */
function rounded(value: number): number {
  return Math.round(value * 1e9) / 1e9
}

function nameOf({ suite, test_id }: TestOutcome): TestName {
  return { suite, test_id }
}

type Match = readonly [before: TestOutcome, after: TestOutcome]

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
  const partners = groupBy(after, nameKey)
  const matches = [...groupBy(before, nameKey)].flatMap(([name, tests]) => matchNamed(tests, partners.get(name) ?? []))
  const matched = new Set(matches.flat())
  return {
    matches,
    new: after.filter(test => !matched.has(test)),
    gone: before.filter(test => !matched.has(test)),
  }
}

function nameKey({ suite, test_id }: TestOutcome): string {
  return compositeKey(suite, test_id)
}

function matchNamed(before: readonly TestOutcome[], after: readonly TestOutcome[]): Match[] {
  if (before.length === 1 && after.length === 1) return matchBy(before, after, nameKey)
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

/** How many attempts of a test passed. */
export interface PassCount {
  readonly passed: number
  readonly attempts: number
}

/** The attempts of a test that count in the comparison of pass rates: an error has not passed, and those that reruns added do not count. */
export function passCount(test: TestOutcome): PassCount {
  const { passed, attempts } = test.first ?? test
  return { passed, attempts }
}

/** 1 for each attempt that passed, 0 for each that did not. */
function passValues(outcome: TestOutcome): number[] {
  const { passed, attempts } = passCount(outcome)
  return Array.from({ length: attempts }, (_, index) => Number(index < passed))
}
