import { canonicalJson } from '../lib/json/stringify.ts'
import type { Arm, Attempt } from '../model/attempt.ts'
import type { ComparedRuns } from '../model/compared-runs.ts'
import { canCompare, comparisonsOn, isWithRun, isWithTarget } from '../model/comparison.ts'
import { someEvaluator } from '../model/evaluators-in.ts'
import type { Suite } from '../model/suite.ts'
import type { Test } from '../model/test.ts'
import { testInArm } from '../model/variant.ts'
import type { Identities } from './identity.ts'

/**
 * Identifies the answers that the checks of a test compare with: targets by what they are made of, recorded answers by
 * their content. Empty if no check compares.
 */
export function comparedContents(
  { suite, tests }: { readonly suite: Suite; readonly tests: readonly Test[] },
  identities: Identities,
  runs: ComparedRuns | undefined,
): (test: Test, arms: readonly Arm[]) => string {
  if (!someEvaluator(tests, canCompare)) return () => ''
  return (test, arms) => contentsOf({ suite, test, arms }, identities, runs)
}

function contentsOf(
  { suite, test, arms }: Pick<Attempt, 'suite' | 'test'> & { readonly arms: readonly Arm[] },
  identities: Identities,
  runs: ComparedRuns | undefined,
): string {
  const contents = new Set<string>()
  for (const { target } of arms) {
    for (const comparison of comparisonsOn(test.checks, target)) {
      if (isWithRun(comparison)) contents.add(`run ${runs?.hashOf(comparison, { suite, test }) ?? ''}`)
      if (!isWithTarget(comparison)) continue
      const other = arms.find(arm => arm.target.name === comparison.other.target)
      if (!other) continue
      contents.add(`target ${identities.target(other.target)}`)
      if (other.variant !== undefined) contents.add(`input ${identities.request(suite, testInArm(test, other))}`)
    }
  }
  return contents.size === 0 ? '' : canonicalJson([...contents].sort())
}
