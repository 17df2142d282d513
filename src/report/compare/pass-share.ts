import type { TestOutcome } from '../test-outcome.ts'

/** How many attempts of a test passed. */
export interface Passes {
  readonly passed: number
  readonly attempts: number
}

/** The attempts of a test that count in the comparison of pass rates: an error has not passed, and those that reruns added do not count. */
export function passShare(test: TestOutcome): Passes {
  const { passed, attempts } = test.first ?? test
  return { passed, attempts }
}

/** 1 for each attempt that passed, 0 for each that did not. */
export function passValues(outcome: TestOutcome): number[] {
  const { passed, attempts } = passShare(outcome)
  return Array.from({ length: attempts }, (_, index) => Number(index < passed))
}
