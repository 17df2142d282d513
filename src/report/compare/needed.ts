import { mean } from '../../lib/statistics/mean.ts'
import { sizeNeeded } from '../../lib/statistics/size-needed.ts'
import type { Evidence } from './evidence.ts'
import type { Pair } from './pair-tests.ts'

/** What it would take to tell a difference from chance, in four of five cases. */
export interface Needed {
  /** The difference that is meant: the one that was seen, or one that would matter. */
  readonly difference: number
  /** How many tests in all. */
  readonly tests: number
  /** Or how many trials of each of these tests; undefined where no number of them would do, or where nobody knows. */
  readonly trials: number | undefined
}

/** Asked where none was seen at all. */
const WORTH_KNOWING = 0.05

/** Undefined where nothing varies: then there is nothing to tell apart. Nor is there within the margin. */
export function neededFor(
  pairs: readonly Pair[],
  { mean: seen, deviation }: Evidence,
  margin: number,
): Needed | undefined {
  if (deviation === undefined || deviation === 0) return undefined
  if (isWithin(seen, margin)) return undefined
  const beyond = seen < 0 ? seen + margin : seen
  const difference = Math.abs(beyond) > 1e-9 ? beyond : WORTH_KNOWING
  const tests = sizeNeeded(deviation, difference)
  return tests === undefined || tests <= pairs.length
    ? undefined
    : { difference, tests, trials: trialsFor(pairs, deviation, tests) }
}

/** A loss that somebody is willing to take is neither worse nor better, however sure it is. */
export function isWithin(difference: number, margin: number): boolean {
  return difference < 0 && difference + margin >= -1e-9
}

/** More trials take away only what varies within a test. With one trial nobody knows how much that is. */
function trialsFor(pairs: readonly Pair[], deviation: number, tests: number): number | undefined {
  const trials = pairs.flatMap(({ outcomes }) => outcomes.map(({ attempts }) => attempts))
  const k = trials.reduce((least, count) => Math.min(least, count))
  const within = mean(pairs.map(({ outcomes: [a, b] }) => (a.variance ?? 0) + (b.variance ?? 0)))
  if (k < 2 || within === 0) return undefined
  const between = Math.max(0, deviation ** 2 - within / k)
  const allowed = (deviation ** 2 * pairs.length) / tests
  return allowed > between ? Math.ceil(within / (allowed - between)) : undefined
}
