import { type Check, nestedChecks } from '../../model/check.ts'
import type { Origin } from '../../model/location.ts'
import type { Suite } from '../../model/suite.ts'
import type { Test } from '../../model/test.ts'

/** Whether a test expects a skill to be used, and where it is written. */
export interface Label {
  readonly skill: string
  readonly should_trigger: boolean
  readonly at: Origin
}

export interface LabelledTest {
  readonly test: Test
  /** Undefined if the test has no expectation. */
  readonly should_trigger: boolean | undefined
  readonly labels: readonly Label[]
}

export interface SkillTests {
  /** Undefined if no test is about a skill. */
  readonly skill: string | undefined
  readonly tests: readonly LabelledTest[]
}

/** Groups tests by skill, in the order of the suite. Tests without a skill belong to the skill with the most tests. */
export function testsBySkill(suite: Suite): SkillTests[] {
  const labelled = suite.tests.map(test => ({ test, labels: labelsOf(test.checks) }))
  const counts = new Map<string, number>()
  for (const { labels } of labelled) {
    for (const skill of new Set(labels.map(label => label.skill))) counts.set(skill, (counts.get(skill) ?? 0) + 1)
  }
  const [dominant] = [...counts].reduce<[string | undefined, number]>(
    (most, each) => (each[1] > most[1] ? each : most),
    [undefined, 0],
  )
  const others = dominant ?? ownSkill(suite)
  const skills = counts.size > 0 ? [...counts.keys()] : [others]
  return skills.map(skill => ({
    skill,
    tests: labelled.flatMap(({ test, labels }) => {
      const own = labels.filter(label => label.skill === skill)
      if (own.length === 0 && (labels.length > 0 || skill !== others)) return []
      return [{ test, should_trigger: own[0]?.should_trigger, labels: own }]
    }),
  }))
}

/** Returns the labels of checks, nested ones included. `isNegated`: whether the surrounding check is negated. */
function labelsOf(checks: readonly Check[], isNegated = false): Label[] {
  return checks.flatMap(check => {
    const negate = check.negate !== isNegated
    const label = check.evaluator.trigger?.(check.config)
    const own = label ? [{ skill: label.skill, should_trigger: label.should_trigger !== negate, at: check.at }] : []
    return [...own, ...labelsOf(nestedChecks(check), negate)]
  })
}

function ownSkill({ metadata }: Suite): string | undefined {
  const { skill } = metadata
  return typeof skill === 'string' && skill !== '' ? skill : undefined
}
