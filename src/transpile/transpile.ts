import { dump } from 'js-yaml'
import * as z from 'zod'
import { parseJson } from '../lib/json/parse-json.ts'
import { asciiJson } from '../lib/json/stringify.ts'
import { isMapping, withoutNullish } from '../lib/objects.ts'
import type { Evaluator } from '../model/evaluator.ts'
import type { Suite } from '../model/suite.ts'
import {
  type EvalItem,
  type EvalsFile,
  evalSchema,
  evalsSchema,
  type TriggerItem,
  triggerSchema,
} from '../spec/evals-json.ts'
import { evalsToSuite, evalsToTests } from '../spec/evals-to-suite.ts'
import { evalItem, promptOf } from './eval-item.ts'
import { skillFileNames } from './skill-file-names.ts'
import { type SkillTests, testsBySkill } from './tests-by-skill.ts'
import { labelIssues, lossIssue, markIssues, type TranspileIssue } from './transpile-issues.ts'

/** The key for statements about an answer. */
export type Dialect = 'assertions' | 'skill-creator' | 'both'

export interface TranspileResult {
  readonly files: readonly TranspiledFile[]
  readonly issues: readonly TranspileIssue[]
}

export interface TranspiledFile {
  /** File name, without a folder. */
  readonly file: string
  /** Skill that the file is about. */
  readonly skill: string | undefined
  readonly content: string
}

/** Converts a suite into the files of the skill-creator: for each skill its evals and, if it has labels, its trigger set. */
export function transpile(suite: Suite, dialect: Dialect = 'assertions'): TranspileResult {
  const skills = testsBySkill(suite)
  const { names, issues: nameIssues } = skillFileNames(skills, suite)
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
      ...suite.tests.flatMap(test => lossIssue(test, suite) ?? []),
      ...markIssues(suite),
    ],
  }
}

interface FileNames {
  readonly evals: string
  readonly triggers: string
}

function filesOf({ skill, tests }: SkillTests, suite: Suite, names: FileNames, dialect: Dialect): TranspiledFile[] {
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
  return [
    { file: names.evals, skill, content: `${JSON.stringify(evals, null, 2)}\n` },
    ...(triggers.length > 0 ? [{ file: names.triggers, skill, content: asciiJson(triggers) }] : []),
  ]
}

function applyDialect({ assertions, source_id, ...item }: EvalItem, dialect: Dialect): object {
  return {
    ...item,
    ...(dialect === 'skill-creator' ? {} : { assertions }),
    ...(dialect === 'assertions' ? {} : { expectations: assertions }),
    ...(source_id === undefined ? {} : { source_id }),
  }
}

/** Converts an evals.json into the text of an EVAL.yaml. */
export function evalsToYaml(evals: EvalsFile, evaluators: Iterable<Evaluator>): string {
  const tests = evalsToTests(evals, evaluators).map(({ fields }) => fields)
  return dump({ ...evalsToSuite(evals), tests }, { lineWidth: 120, noRefs: true })
}

const STATEMENTS = ['assertions', 'expectations']
const [TOP_KEYS, ITEM_KEYS] = [evalsSchema, evalSchema].map(({ shape }) => Object.keys(shape)) as [string[], string[]]

/** Whether an existing file was written by `assay transpile` for the same skill, so that it may be overwritten. Trigger sets do not name their skill. */
export function isGenerated(text: string, { skill, content }: TranspiledFile): boolean {
  const [old, made] = [parseJson(text), parseJson(content)]
  if (Array.isArray(made)) return z.array(triggerSchema).safeParse(old).success
  if (!hasOnlyKeys(old, TOP_KEYS) || old['skill_name'] !== skill) return false
  const { evals } = old
  return (
    Array.isArray(evals) && evals.every(item => hasOnlyKeys(item, ITEM_KEYS) && STATEMENTS.some(key => key in item))
  )
}

/** Keys that `assay transpile` never writes are the work of a person. */
function hasOnlyKeys(value: unknown, keys: readonly string[]): value is Record<string, unknown> {
  return isMapping(value) && Object.keys(value).every(key => keys.includes(key))
}
