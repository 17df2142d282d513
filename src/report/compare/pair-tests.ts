import { mean } from '../../lib/statistics/mean.ts'
import type { TestOutcome } from '../test-outcome.ts'
import { type Match, matchTests } from './match-tests.ts'
import { passValues } from './pass-share.ts'

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
