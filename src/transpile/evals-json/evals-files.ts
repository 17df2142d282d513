import { asciiJson } from '../../lib/json/stringify.ts'
import { withoutNullish } from '../../lib/objects.ts'
import type { Suite } from '../../model/suite.ts'
import type { EvalItem, TriggerItem } from '../../spec/evals-json.ts'
import { markIssues } from '../mark-issues.ts'
import type { TranspileIssue } from '../transpile-issue.ts'
import type { TranspiledFile, TranspileResult } from '../transpiled-file.ts'
import { evalItem, promptOf } from './eval-item.ts'
import { labelIssues, lossIssue, suiteLossIssue } from './evals-issues.ts'
import { isEarlierEvals, isEarlierTriggerSet } from './ownership.ts'
import { skillFileNames } from './skill-file-names.ts'
import { type SkillTests, testsBySkill } from './tests-by-skill.ts'

/** What the readers of an evals.json differ in. */
export interface EvalsDialect {
  /** Keys of the list of statements about an answer. */
  readonly keys: readonly ('assertions' | 'expectations')[]
  /** File name of the trigger set. */
  readonly triggers: string
}

/** Converts a suite into files of evals: for each skill its evals and, if it has labels, its trigger set. */
export function evalsFiles(suite: Suite, dialect: EvalsDialect): TranspileResult {
  const skills = testsBySkill(suite)
  const { names, issues: nameIssues } = skillFileNames(skills, suite, dialect.triggers)
  const emptyPrompts = suite.tests.filter(test => promptOf(test).trim() === '')
  return {
    files: skills.flatMap(skill => filesOf(skill, suite, names(skill.skill), dialect)),
    issues: [
      ...nameIssues,
      ...skills.flatMap(skill => labelIssues(skill, suite)),
      ...emptyPrompts.map(({ id, at }): TranspileIssue => {
        const message = `\`${id}\` has no user message with text to use as the prompt`
        return {
          code: 'empty-prompt',
          at: at.child('input'),
          message,
          hint: 'add a user message with text, or remove the test',
        }
      }),
      ...suiteLossIssue(suite),
      ...suite.tests.flatMap(test => lossIssue(test, suite) ?? []),
      ...markIssues(suite, 'evals.json'),
    ],
  }
}

interface FileNames {
  readonly evals: string
  readonly triggers: string
}

function filesOf({ skill, tests }: SkillTests, suite: Suite, names: FileNames, dialect: EvalsDialect) {
  // Ids are kept only if all of them are numbers.
  const keepsIds = tests.every(({ test }) => Number.isSafeInteger(test.number) && String(test.number) === test.id)
  const items = tests.map(({ test, should_trigger }, index) => {
    const ids = keepsIds ? { id: Number(test.number) } : { id: index + 1, source_id: test.id }
    return { test, ids, item: evalItem(test, ids, should_trigger), should_trigger }
  })
  const { runs_per_query, trigger_threshold } = suite.metadata
  const top = withoutNullish({ skill_name: skill, runs_per_query, trigger_threshold })
  const evals = { ...top, evals: items.map(({ item }) => applyDialect(item, dialect)) }
  const triggers = items.flatMap(({ item: { prompt: query }, ids, should_trigger }): TriggerItem[] =>
    should_trigger === undefined ? [] : [{ query, should_trigger, ...ids }],
  )
  const files: TranspiledFile[] = [
    {
      file: names.evals,
      content: `${JSON.stringify(evals, null, 2)}\n`,
      isEarlier: text => isEarlierEvals(text, skill),
    },
  ]
  if (triggers.length > 0) {
    // A trigger set does not name its skill.
    const set = { file: names.triggers, content: asciiJson(triggers), beside: names.evals }
    files.push({ ...set, isEarlier: isEarlierTriggerSet })
  }
  return files
}

function applyDialect({ assertions, source_id, ...item }: EvalItem, { keys }: EvalsDialect): object {
  return {
    ...item,
    ...Object.fromEntries(keys.map(key => [key, assertions])),
    ...(source_id === undefined ? {} : { source_id }),
  }
}
