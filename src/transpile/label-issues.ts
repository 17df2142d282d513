import { groupBy } from '../lib/group-by.ts'
import { shown } from '../lib/shown.ts'
import type { Suite } from '../spec/suite.ts'
import { promptOf } from './eval-item.ts'
import type { LabelledTest, SkillTests } from './tests-by-skill.ts'
import type { TranspileIssue } from './transpile-issue.ts'

/** The fewest queries of each kind that a set can be split with. */
const FEWEST = 2

/** What would make the trigger set of a skill useless. */
export function labelIssues({ skill, tests }: SkillTests, suite: Suite): TranspileIssue[] {
  const labelled = tests.filter(({ labels }) => labels.length > 0)
  if (skill === undefined || labelled.length === 0) return []
  return [
    ...labelled.flatMap(test => disagreement(test, skill)),
    ...oppositeQueries(labelled, skill),
    ...fewQueries(labelled, skill, suite),
  ]
}

function disagreement({ labels, should_trigger }: LabelledTest, skill: string): TranspileIssue[] {
  const other = labels.find(label => label.should_trigger !== should_trigger)
  if (!other) return []
  const message = `this test says that ${shown(skill)} should be used, and that it should not`
  return [{ code: 'opposite-labels', at: other.at, message }]
}

function oppositeQueries(tests: readonly LabelledTest[], skill: string): TranspileIssue[] {
  return [...groupBy(tests, ({ test }) => promptOf(test).trim()).values()].flatMap((same): TranspileIssue[] => {
    const [first, ...others] = same
    const other = others.find(({ should_trigger }) => should_trigger !== first.should_trigger)
    if (!other) return []
    const message = `\`${first.test.id}\` asks the same, with the opposite wish for ${shown(skill)}`
    return [{ code: 'opposite-labels', at: other.labels[0]?.at ?? other.test.at, message }]
  })
}

function fewQueries(tests: readonly LabelledTest[], skill: string, suite: Suite): TranspileIssue[] {
  const count = (wish: boolean) => tests.filter(({ should_trigger }) => should_trigger === wish).length
  const [wanted, unwanted] = [count(true), count(false)]
  if (wanted >= FEWEST && unwanted >= FEWEST) return []
  const message = `of the queries for ${shown(skill)}, ${wanted} should use it and ${unwanted} should not: two of each are the least`
  return [{ code: 'few-queries', at: suite.at, message }]
}
