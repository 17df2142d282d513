import { nestedChecks } from '../evaluators/check.ts'
import type { Check } from '../evaluators/evaluator.ts'
import type { Origin } from '../model/place.ts'
import type { Suite } from '../spec/suite.ts'
import type { Target } from '../spec/targets.ts'

interface Judge {
  readonly name: string
  /** Where it is named; nowhere, for the one that is taken by itself. */
  readonly at?: Origin
}

/** Who judges a check on the answers of a target: whom the check names, else the user, else the target; else `judge`. */
export function judgeFor(check: Check, target: Target, suite: Suite, given: string | undefined): Judge {
  const own = check.evaluator.judge?.(check.config).target
  if (own !== undefined) return { name: own, at: check.at.child('target') }
  if (given !== undefined) return { name: given, at: suite.at }
  const { judge_target } = target.settings
  return judge_target === undefined ? { name: 'judge' } : { name: judge_target, at: target.at.child('judge_target') }
}

/** What is judged: checks, by whose answers. */
export interface Judged {
  readonly checks: readonly Check[]
  readonly targets: readonly Target[]
}

/** The judges of a suite, each with the first check that it judges. */
export function findJudges(
  judged: Iterable<Judged>,
  suite: Suite,
  given: string | undefined,
): ReadonlyMap<string, Judge & { readonly check: Check }> {
  const judges = new Map<string, Judge & { readonly check: Check }>()
  const add = (check: Check, target: Target) => {
    if (check.evaluator.judge) {
      const judge = judgeFor(check, target, suite, given)
      if (!judges.has(judge.name)) judges.set(judge.name, { ...judge, check })
    }
    for (const child of nestedChecks(check)) add(child, target)
  }
  for (const { checks, targets } of judged) {
    for (const target of targets) for (const check of checks) add(check, target)
  }
  return judges
}
