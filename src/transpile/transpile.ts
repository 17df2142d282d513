import { asciiJson } from '../lib/ascii-json.ts'
import { defined } from '../lib/defined.ts'
import type { Suite } from '../model/suite.ts'
import type { EvalItem, TriggerItem } from '../spec/evals-json.ts'
import { evalItem, promptOf } from './eval-item.ts'
import { labelIssues } from './label-issues.ts'
import { skillFileNames } from './skill-file-names.ts'
import { type SkillTests, testsBySkill } from './tests-by-skill.ts'
import type { TranspileIssue } from './transpile-issue.ts'
import { unsaidIssue } from './unsaid.ts'

/** Under which name the statements about an answer are written. */
export type Dialect = 'assertions' | 'skill-creator' | 'both'

export interface Transpiled {
  readonly files: readonly TranspiledFile[]
  readonly issues: readonly TranspileIssue[]
}

export interface TranspiledFile {
  /** Its name, without a folder. */
  readonly file: string
  /** The skill that it is about. */
  readonly skill: string | undefined
  readonly content: string
}

/** A suite as the files that the skill-creator reads: for each skill its evals, and its trigger set where it has one. */
export function transpile(suite: Suite, dialect: Dialect = 'assertions'): Transpiled {
  const skills = testsBySkill(suite)
  const { names, issues: nameIssues } = skillFileNames(skills, suite)
  const emptyPrompts = suite.tests.filter(test => promptOf(test).trim() === '')
  return {
    files: skills.flatMap(skill => filesOf(skill, suite, names(skill.skill), dialect)),
    issues: [
      ...nameIssues,
      ...skills.flatMap(skill => labelIssues(skill, suite)),
      ...emptyPrompts.map(({ id, at }): TranspileIssue => {
        const message = `\`${id}\` has no text of a user: nothing could be the prompt`
        return { code: 'empty-prompt', at: at.child('input'), message }
      }),
      ...suite.tests.flatMap(test => unsaidIssue(test) ?? []),
    ],
  }
}

interface FileNames {
  readonly evals: string
  readonly triggers: string
}

function filesOf({ skill, tests }: SkillTests, suite: Suite, names: FileNames, dialect: Dialect): TranspiledFile[] {
  // Ids are kept where all of them can be.
  const keepsIds = tests.every(({ test }) => Number.isSafeInteger(test.number) && String(test.number) === test.id)
  const items = tests.map(({ test, should_trigger }, index) => {
    const ids = keepsIds ? { id: Number(test.number) } : { id: index + 1, source_id: test.id }
    return { test, ids, item: evalItem(test, ids, should_trigger), should_trigger }
  })
  const { runs_per_query, trigger_threshold } = suite.metadata
  const top = defined({ skill_name: skill, runs_per_query, trigger_threshold })
  const evals = { ...top, evals: items.map(({ item }) => inDialect(item, dialect)) }
  const triggers = items.flatMap(({ item: { prompt: query }, ids, should_trigger }): TriggerItem[] =>
    should_trigger === undefined ? [] : [{ query, should_trigger, ...ids }],
  )
  return [
    { file: names.evals, skill, content: `${JSON.stringify(evals, null, 2)}\n` },
    ...(triggers.length > 0 ? [{ file: names.triggers, skill, content: asciiJson(triggers) }] : []),
  ]
}

function inDialect({ assertions, source_id, ...item }: EvalItem, dialect: Dialect): object {
  return {
    ...item,
    ...(dialect === 'skill-creator' ? {} : { assertions }),
    ...(dialect === 'assertions' ? {} : { expectations: assertions }),
    ...(source_id === undefined ? {} : { source_id }),
  }
}
