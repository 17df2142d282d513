import { type Check, nestedChecks } from './check.ts'
import type { GradedTarget } from './target.ts'

/** Whether a check applies to a target: as it is written, else by its type. One that contains checks needs one that applies. */
export function appliesTo(check: Check, target: GradedTarget): boolean {
  const { applies_to, evaluator, config } = check
  const isMeant =
    applies_to?.some(name => name === target.name || name === target.base) ??
    evaluator.applies?.(config, target) ??
    true
  if (!isMeant) return false
  const inside = nestedChecks(check)
  return inside.length === 0 || inside.some(child => appliesTo(child, target))
}

/** Whether a test with these checks applies to a target. Without checks it does, so that it is reported as ungraded. */
export function isApplicable(checks: readonly Check[], target: GradedTarget): boolean {
  return checks.length === 0 || checks.some(check => appliesTo(check, target))
}

/** Yields the checks that apply to a target, nested ones included. */
export function* applicableChecks(checks: readonly Check[], target: GradedTarget): Generator<Check> {
  for (const check of checks) {
    if (!appliesTo(check, target)) continue
    yield check
    const inside = nestedChecks(check)
    if (inside.length > 0) yield* applicableChecks(inside, target)
  }
}
