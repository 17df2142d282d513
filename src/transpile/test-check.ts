import { nestedChecks } from '../spec/check.ts'
import type { Test } from '../spec/test.ts'

export type TestCheck = Test['checks'][number]

/** The checks inside a check. */
export const checksInside: (check: TestCheck) => readonly TestCheck[] = nestedChecks

/** A check, and all inside it. */
export function withInside(check: TestCheck): TestCheck[] {
  return [check, ...checksInside(check).flatMap(withInside)]
}
