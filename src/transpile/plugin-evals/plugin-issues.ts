import { isMapping } from '../../lib/objects.ts'
import { commandLines } from '../../model/commands.ts'
import type { Suite } from '../../model/suite.ts'
import type { Test } from '../../model/test.ts'
import { PASS_MARK } from '../../model/verdict.ts'
import type { TranspileIssue } from '../transpile-issue.ts'
import type { Case } from './case-files.ts'

const HINT = 'keep EVAL.yaml as the source'

/** Parts of a test that a case cannot have. */
export function testLosses(test: Test, suite: Suite): string[] {
  const { input, note, conversation_id, expected_output, metadata, execution } = test
  const last = input.findLastIndex(({ role }) => role === 'user')
  const blocks = input.flatMap(({ content = [] }) => content)
  const setup = execution.setup ?? suite.execution.setup
  return [
    ...(input.some(({ role }, index) => role === 'system' && index > 0) ? ['the position of system messages'] : []),
    ...(input.length > last + 1 ? ['messages after the last user message'] : []),
    ...(blocks.some(({ type }) => type === 'image') ? ['images'] : []),
    ...(blocks.some(({ type }) => type === 'file')
      ? ['attached files (a script puts them into the workspace, and the prompt does not contain them)']
      : []),
    ...(expected_output === undefined ? [] : ['the expected output']),
    ...(note === undefined ? [] : ['the note for judges']),
    ...(conversation_id === undefined ? [] : ['the conversation it belongs to']),
    ...otherKeys(metadata).map(key => `\`metadata.${key}\``),
    ...(execution.target === undefined && execution.targets === undefined ? [] : ['its targets']),
    ...(execution.threshold === undefined || execution.threshold === 1 ? [] : ['its `threshold`']),
    ...(execution.budget_usd === undefined ? [] : ['its budget']),
    ...((execution.teardown ?? suite.execution.teardown) === undefined ? [] : ['the teardown']),
    ...(setup !== undefined && commandLines(setup).timeout_seconds !== undefined
      ? ['the time limit of the setup']
      : []),
  ]
}

/** What a case has too, and the plugin or skill that it belongs to. */
const NAMED_THERE = ['tags', 'plugin', 'skill']

function otherKeys(metadata: Readonly<Record<string, unknown>>): string[] {
  return isMapping(metadata) ? Object.keys(metadata).filter(key => !NAMED_THERE.includes(key)) : []
}

/** Parts of a suite that plugin evals cannot have, and cases that pass at another score. */
export function suiteIssues(suite: Suite, cases: readonly Case[], mocks: readonly string[]): TranspileIssue[] {
  const { description, metadata, execution, at } = suite
  const { target, targets, control, threshold = PASS_MARK, budget_usd } = execution
  const isArms = target === undefined && (targets?.join() ?? ARMS.join()) === ARMS.join()
  const lost = [
    ...(description === undefined ? [] : ['its description']),
    ...otherKeys(metadata).map(key => `\`metadata.${key}\``),
    ...(isArms && (control ?? CONTROL) === CONTROL ? [] : ['its targets (there, the plugin and no plugin)']),
    ...(budget_usd === undefined ? [] : ['its budget']),
    ...mocks,
  ]
  const message = `plugin evals cannot express these parts of the suite: ${[...new Set(lost)].join(', ')}`
  const differs = cases.some(({ test, graders }) => graders > 1 && test.execution.threshold === undefined)
  return [
    ...(lost.length === 0 ? [] : [{ code: 'unsaid' as const, at, message, hint: HINT }]),
    ...(threshold === 1 || !differs ? [] : [thresholdIssue(threshold, suite)]),
  ]
}

/** The targets of the arms, as the reader of plugin evals names them. */
const ARMS = ['with-plugin']
const CONTROL = 'without-plugin'

function thresholdIssue(threshold: number, { at }: Suite): TranspileIssue {
  const message = `plugin evals cannot express that a test passes from a score of ${threshold}: a case passes at 1`
  return { code: 'unsaid', at, message, hint: `run \`claude plugin eval\` with \`--threshold ${threshold}\`` }
}
