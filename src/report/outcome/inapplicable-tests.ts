import { plural } from '../../lib/text/format.ts'
import type { RunReader } from '../../model/run-reader.ts'
import type { TestOutcome } from './test-outcome.ts'

/** How many tests do not apply to a target. */
export interface InapplicableTests {
  readonly target: string
  /** Tests that were not run on it. */
  readonly tests: number
  /** Tests that were run on it, without the checks that do not apply. */
  readonly tests_in_part: number
}

/** Counts the tests that do not apply to targets, or only in part. */
export function inapplicableTests({ info }: RunReader, tests: readonly TestOutcome[]): InapplicableTests[] {
  const targets = new Map<string, { tests: number; tests_in_part: number }>()
  const countsOf = (target: string) => {
    const counts = targets.get(target) ?? { tests: 0, tests_in_part: 0 }
    targets.set(target, counts)
    return counts
  }
  for (const { target, test_ids } of info?.not_applicable ?? []) countsOf(target).tests += test_ids.length
  for (const { target, not_applicable } of tests) if (not_applicable) countsOf(target).tests_in_part++
  return [...targets].map(([target, counts]) => ({ target, ...counts }))
}

/** `3 tests do not apply to without-skill`, and how many do only in part. */
export function inapplicableNotes({ target, tests, tests_in_part }: InapplicableTests): string[] {
  return [
    ...(tests > 0 ? [inapplicableText(tests, target)] : []),
    ...(tests_in_part > 0
      ? [
          `${plural(tests_in_part, 'test')} ${tests_in_part === 1 ? 'has' : 'have'} checks that do not apply to ${target}`,
        ]
      : []),
  ]
}

/** `3 tests do not apply to without-skill`. */
export function inapplicableText(tests: number, target: string): string {
  return `${plural(tests, 'test')} ${tests === 1 ? 'does' : 'do'} not apply to ${target}`
}
