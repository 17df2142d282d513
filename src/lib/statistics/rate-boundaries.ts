import { assertProbability } from './assertions.ts'
import { SequentialBoundary, type SpendingOptions } from './sequential-boundary.ts'

export interface RateOptions extends SpendingOptions {
  /** The rate to which the true rate is compared. */
  readonly threshold: number
}

/** What the tests show about the true rate; "not-shown" where neither can be shown by the last test. */
export type RateDecision = 'above' | 'below' | 'not-shown'

/** The boundaries of a rate against a threshold, for every number of tests up to the most. */
export class RateBoundaries {
  /** By number of tests: the passes, and the failures, from which on the decision falls. */
  readonly #passes: Int32Array
  readonly #failures: Int32Array
  readonly #reachable: { readonly passes: Int32Array; readonly failures: Int32Array }

  constructor({ threshold, ...spending }: RateOptions) {
    assertProbability('The threshold', threshold)
    this.#passes = boundsOf(new SequentialBoundary({ probability: threshold, ...spending }), spending.most)
    this.#failures = boundsOf(new SequentialBoundary({ probability: 1 - threshold, ...spending }), spending.most)
    this.#reachable = { passes: leastLeads(this.#passes), failures: leastLeads(this.#failures) }
  }

  /** The decision after so many tests; undefined while one of both can still be shown. */
  decisionAt(tests: number, passes: number): RateDecision | undefined {
    const failures = tests - passes
    if (tests > 0 && passes >= (this.#passes[tests] ?? 0)) return 'above'
    if (tests > 0 && failures >= (this.#failures[tests] ?? 0)) return 'below'
    const canBeAbove = passes - tests >= (this.#reachable.passes[tests] ?? 1)
    const canBeBelow = failures - tests >= (this.#reachable.failures[tests] ?? 1)
    return canBeAbove || canBeBelow ? undefined : 'not-shown'
  }

  /** The passes that show "above" after so many tests; undefined if none do. */
  passesFrom(tests: number): number | undefined {
    return possible(this.#passes[tests], tests)
  }

  /** The failures that show "below" after so many tests; undefined if none do. */
  failuresFrom(tests: number): number | undefined {
    return possible(this.#failures[tests], tests)
  }
}

/** What a number of tests can show, and the least number of tests that can show it. */
export interface Showable {
  readonly above: boolean
  readonly below: boolean
  readonly first_above: number | undefined
  readonly first_below: number | undefined
}

/** What `most` tests can show about a threshold, whatever their outcomes. */
export function showable(threshold: number, most: number, alpha?: number, rho?: number): Showable {
  const boundaries = new RateBoundaries({ threshold, most, alpha, rho })
  const first = (isShown: (tests: number) => boolean) => {
    for (let tests = 1; tests <= most; tests++) if (isShown(tests)) return tests
    return undefined
  }
  const first_above = first(tests => boundaries.passesFrom(tests) !== undefined)
  const first_below = first(tests => boundaries.failuresFrom(tests) !== undefined)
  return { above: first_above !== undefined, below: first_below !== undefined, first_above, first_below }
}

function possible(bound: number | undefined, tests: number): number | undefined {
  return bound !== undefined && bound <= tests ? bound : undefined
}

/** The bound after each number of tests, all of which are looked at. Nothing is shown by no tests. */
function boundsOf(boundary: SequentialBoundary, most: number): Int32Array {
  const bounds = new Int32Array(most + 1)
  bounds[0] = 1
  for (let tests = 1; tests <= most; tests++) {
    boundary.toss()
    bounds[tests] = boundary.look(tests)
  }
  return bounds
}

/** By number of tests: the least count, minus the tests, that reaches a later bound if all further tests add to it; 1 for none. */
function leastLeads(bounds: Int32Array): Int32Array {
  const leads = new Int32Array(bounds.length).fill(1)
  for (let tests = bounds.length - 2; tests >= 0; tests--) {
    leads[tests] = Math.min(leads[tests + 1] ?? 1, (bounds[tests + 1] ?? 0) - (tests + 1))
  }
  return leads
}
