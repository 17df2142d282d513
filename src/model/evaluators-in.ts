import { type Check, nestedChecks } from './check.ts'
import type { Evaluator } from './evaluator.ts'
import type { Test } from './test.ts'

/**
 * Whether a check of the tests, at any depth, has an evaluator like this. Most suites have few evaluators and many tests:
 * what no evaluator can do need not be looked for in each test.
 */
export function someEvaluator(tests: readonly Test[], isWanted: (evaluator: Evaluator) => boolean): boolean {
  for (const evaluator of evaluatorsIn(tests)) if (isWanted(evaluator)) return true
  return false
}

/** By list, which several stages pass on as it is. */
const KNOWN = new WeakMap<readonly Test[], ReadonlySet<Evaluator>>()

function evaluatorsIn(tests: readonly Test[]): ReadonlySet<Evaluator> {
  const known = KNOWN.get(tests)
  if (known) return known
  const found = new Set<Evaluator>()
  for (const { checks } of tests) addEvaluators(checks, found)
  KNOWN.set(tests, found)
  return found
}

function addEvaluators(checks: readonly Check[], found: Set<Evaluator>): void {
  for (const check of checks) {
    found.add(check.evaluator)
    if (check.evaluator.contains_checks) addEvaluators(nestedChecks(check), found)
  }
}
