import { quoteCode } from '../../lib/text/quote.ts'
import { didYouMean } from '../../lib/text/suggestion.ts'
import { applicableChecks, isApplicable } from '../../model/applicability.ts'
import { type Check, nestedChecks } from '../../model/check.ts'
import type { Origin } from '../../model/location.ts'
import { armNamesFor } from './arm-names.ts'
import { type Answering, gradedTargets, reportOn, type SuiteTargetsContext } from './suite-targets-context.ts'

/** Warns of checks that apply to no target of their tests. */
export async function reportNeverApplied(answering: Answering, context: SuiteTargetsContext): Promise<void> {
  const { tests, options } = context
  const applied = appliedChecks(answering, context)
  const skills = new Set<string>()
  for (const check of neverApplied(new Set(tests.flatMap(test => test.checks)), applied)) {
    const skill = check.applies_to ? undefined : check.evaluator.trigger?.(check.config).skill
    if (skill !== undefined && !skills.has(skill)) await reportMissingSkill(skill, check, answering, context)
    if (skill !== undefined) skills.add(skill)
    // Targets given on the command line are a part of the usual ones.
    else if (!options.names?.length) await reportUnused(check, context)
  }
}

function appliedChecks(answering: Answering, context: SuiteTargetsContext): ReadonlySet<Check> {
  const applied = new Set<Check>()
  for (const test of context.tests) {
    for (const target of gradedTargets(test, answering, context)) {
      for (const check of applicableChecks(test.checks, target)) applied.add(check)
    }
  }
  return applied
}

/** Yields the checks that apply nowhere by themselves, not because of checks around or inside them. */
function* neverApplied(checks: Iterable<Check>, applied: ReadonlySet<Check>): Generator<Check> {
  for (const check of checks) {
    const inside = nestedChecks(check)
    if (applied.has(check) || (inside.length > 0 && !check.applies_to)) yield* neverApplied(inside, applied)
    else yield check
  }
}

async function reportMissingSkill(
  skill: string,
  { at }: Check,
  answering: Answering,
  context: SuiteTargetsContext,
): Promise<void> {
  const known = [...new Set([...answering.values()].flatMap(({ skills = [] }) => skills))]
  const others = known.length > 0 ? `their skills are ${known.join(', ')}` : 'they have no skills'
  const message = `no target of this test has the skill ${quoteCode(skill)}, so this check does not apply`
  const hint = didYouMean(skill, known, others)
  // Another target than those given on the command line may have it.
  const severity = context.options.names?.length ? 'warning' : undefined
  await reportOn({ code: 'missing-skill', severity, at, message, hint }, context)
}

async function reportUnused({ at }: Check, context: SuiteTargetsContext): Promise<void> {
  const message = 'this check applies to no target of its tests'
  const hint = 'name a target that the tests run on'
  await reportOn({ code: 'never-applies', at: at.child('applies_to'), message, hint }, context)
}

/** Reports targets on which no test of the suite would run. */
export async function reportNothingApplies(answering: Answering, context: SuiteTargetsContext): Promise<void> {
  const { suite, options } = context
  const left = new Map<string, Origin>()
  const runs = new Set<string>()
  for (const test of suite.tests) {
    for (const { name, at } of armNamesFor(suite, test, options)) {
      if (runs.has(name) || !answering.has(name)) continue
      if (isApplicable(test.checks, answering.get(name) ?? { name })) runs.add(name)
      else if (!left.has(name)) left.set(name, at)
    }
  }
  for (const [name, at] of left) {
    if (runs.has(name)) continue
    const message = `no test of this suite applies to the target ${quoteCode(name)}`
    const hint = 'remove the target, or add a check that applies to it'
    await reportOn({ code: 'nothing-applies', at, message, hint }, context)
  }
}
