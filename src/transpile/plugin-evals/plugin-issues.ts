import { commandLines } from '../../model/commands.ts'
import type { Suite } from '../../model/suite.ts'
import type { Test } from '../../model/test.ts'
import { PASS_MARK } from '../../model/verdict.ts'
import { WITH_PLUGIN, WITHOUT_PLUGIN } from '../../spec/plugin-evals/arms.ts'
import { lostSettings, lostVariants } from '../lost-settings.ts'
import type { TranspileIssue } from '../transpile-issue.ts'
import type { Case } from './case-context.ts'

const HINT = 'keep EVAL.yaml as the source'

/** Parts of a test that a case cannot have. */
export function testLosses(test: Test, suite: Suite): string[] {
  const { input, note, conversation_id, expected_output, execution } = test
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
    ...lostSettings(test, [...KEPT, 'description', ...(execution.threshold === 1 ? [THRESHOLD] : [])]),
    ...(setup !== undefined && commandLines(setup).timeout_seconds !== undefined
      ? ['the time limit of the setup']
      : []),
  ]
}

/** Settings that cases have too, and the plugin or skill that they belong to. */
const KEPT = [
  ...['metadata.tags', 'metadata.plugin', 'metadata.skill'],
  ...['trials', 'timeout_seconds', 'agent', 'setup'].map(key => `execution.${key}`),
]
const THRESHOLD = 'execution.threshold'
const ARMS = ['execution.targets', 'execution.control']

/** Parts of a suite that plugin evals cannot have, and cases that pass at another score. */
export function suiteIssues(suite: Suite, cases: readonly Case[], mocks: readonly string[]): TranspileIssue[] {
  const { execution, at } = suite
  const { threshold = PASS_MARK } = execution
  const lost = [
    ...lostSettings(suite, [...KEPT, THRESHOLD, ...(hasArms(execution) ? ARMS : [])]),
    ...lostVariants(suite),
    ...mocks,
  ]
  const message = `plugin evals cannot express these parts of the suite: ${[...new Set(lost)].join(', ')}`
  const differs = cases.some(({ test, graders }) => graders > 1 && test.execution.threshold === undefined)
  return [
    ...(lost.length === 0 ? [] : [{ code: 'unsaid' as const, at, message, hint: HINT }]),
    ...(threshold === 1 || !differs ? [] : [thresholdIssue(threshold, suite)]),
  ]
}

/** Whether the targets are those that plugin evals have. */
function hasArms({ targets, control }: Suite['execution']): boolean {
  const isArm = targets === undefined || (targets.length === 1 && targets[0] === WITH_PLUGIN)
  return isArm && (control ?? WITHOUT_PLUGIN) === WITHOUT_PLUGIN
}

function thresholdIssue(threshold: number, { at }: Suite): TranspileIssue {
  const message = `plugin evals cannot express that a test passes from a score of ${threshold}: a case passes at 1`
  return { code: 'unsaid', at, message, hint: `run \`claude plugin eval\` with \`--threshold ${threshold}\`` }
}
