import { type Check, nestedChecks } from './check.ts'
import type { Target } from './target.ts'

/** The part of a target that decides which checks apply to it. */
export type GradedTarget = Pick<Target, 'name'>

/** Whether a check applies to a target. One that contains checks applies if any of them does. */
export function appliesTo(check: Check, target: GradedTarget): boolean {
  if (check.applies_to?.includes(target.name) === false) return false
  const inside = nestedChecks(check)
  return inside.length === 0 || inside.some(child => appliesTo(child, target))
}

/** Yields the checks that apply to a target, nested ones included. */
export function* applicableChecks(checks: readonly Check[], target: GradedTarget): Generator<Check> {
  for (const check of checks) {
    if (!appliesTo(check, target)) continue
    yield check
    yield* applicableChecks(nestedChecks(check), target)
  }
}
