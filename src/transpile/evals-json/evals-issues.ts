import { basename } from 'node:path'
import { groupBy } from '../../lib/collections.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import { type Check, nestedChecks } from '../../model/check.ts'
import type { Origin } from '../../model/location.ts'
import type { Suite } from '../../model/suite.ts'
import type { Test } from '../../model/test.ts'
import { lostSettings, lostVariants } from '../lost-settings.ts'
import type { TranspileIssue } from '../transpile-issue.ts'
import { promptOf } from './eval-item.ts'
import type { LabelledTest, SkillTests } from './tests-by-skill.ts'

/** Minimum number of queries of each kind: sets are split in two. */
const FEWEST = 2

/** Finds problems that make the trigger set of a skill useless. */
export function labelIssues({ skill, tests }: SkillTests, suite: Suite): TranspileIssue[] {
  const labelled = tests.filter(({ labels }) => labels.length > 0)
  if (skill === undefined || labelled.length === 0) return []
  return [
    ...labelled.flatMap(test => disagreement(test, skill)),
    ...oppositeQueries(labelled, skill),
    ...fewQueries(labelled, skill, suite),
  ]
}

function disagreement({ test, labels, should_trigger }: LabelledTest, skill: string): TranspileIssue[] {
  const [first] = labels
  const other = labels.find(label => label.should_trigger !== should_trigger)
  if (!first || !other) return []
  const [wanted, unwanted] = should_trigger ? [first, other] : [other, first]
  const message = `${quoteCode(test.id)} expects ${quoteCode(skill)} to be used (${lineOf(wanted.at, test)}) and not to be used (${lineOf(unwanted.at, test)})`
  return [{ code: 'opposite-labels', at: other.at, message, hint: 'keep one of the two checks' }]
}

function oppositeQueries(tests: readonly LabelledTest[], skill: string): TranspileIssue[] {
  return [...groupBy(tests, ({ test }) => promptOf(test).trim()).values()].flatMap((same): TranspileIssue[] => {
    const [first, ...others] = same
    const other = others.find(({ should_trigger }) => should_trigger !== first.should_trigger)
    if (!other) return []
    const [wanted, unwanted] = [true, false].map(shouldTrigger => namesOf(same, shouldTrigger, other.test))
    const message = `the same query should use ${quoteCode(skill)} in ${wanted}, and should not in ${unwanted}`
    return [
      { code: 'opposite-labels', at: other.labels[0]?.at ?? other.test.at, message, hint: 'keep one of the two tests' },
    ]
  })
}

const MOST_NAMES = 5

/** Lists the tests with one expectation: `` `a` (line 3) and `b` (line 9) ``. */
function namesOf(tests: readonly LabelledTest[], shouldTrigger: boolean, near: Test): string {
  const names = tests
    .filter(({ should_trigger }) => should_trigger === shouldTrigger)
    .map(({ test }) => `${quoteCode(test.id)} (${lineOf(test.at, near)})`)
  const more = names.length - MOST_NAMES
  return [...names.slice(0, MOST_NAMES), ...(more > 0 ? [`${more} more`] : [])].join(' and ')
}

/** Formats a line, with the file if it differs from that of a test. */
function lineOf(at: Origin, { at: near }: Test): string {
  return at.file === near.file ? `line ${at.line()}` : `${basename(at.file)}:${at.line()}`
}

function fewQueries(tests: readonly LabelledTest[], skill: string, suite: Suite): TranspileIssue[] {
  const count = (shouldTrigger: boolean) =>
    tests.filter(({ should_trigger }) => should_trigger === shouldTrigger).length
  const [wanted, unwanted] = [count(true), count(false)]
  if (wanted >= FEWEST && unwanted >= FEWEST) return []
  const message = `the trigger set of ${quoteCode(skill)} has too few queries: ${wanted} should trigger it and ${unwanted} should not; write at least two of each`
  return [{ code: 'few-queries', at: suite.at, message, hint: 'add queries of the missing kind' }]
}

/** Finds the parts of a test that evals.json cannot express. */
export function lossIssue(test: Test, suite: Suite): TranspileIssue | undefined {
  const lost = [...new Set([...lossesOfTest(test, suite), ...test.checks.flatMap(withInside).flatMap(lossesOfCheck)])]
  if (lost.length === 0) return undefined
  return {
    code: 'unsaid',
    at: test.at,
    message: `evals.json cannot express these parts of \`${test.id}\`: ${lost.join(', ')}`,
    hint: 'keep EVAL.yaml as the source',
  }
}

/** Finds the settings of a suite that evals.json cannot express. */
export function suiteLossIssue(suite: Suite): TranspileIssue[] {
  const kept = ['skill', 'runs_per_query', 'trigger_threshold'].map(key => `metadata.${key}`)
  const lost = [...lostSettings(suite, ['description', ...kept, ...IN_WORDS]), ...lostVariants(suite)]
  if (lost.length === 0) return []
  const message = `evals.json cannot express these parts of the suite: ${lost.join(', ')}`
  return [{ code: 'unsaid', at: suite.at, message, hint: 'keep EVAL.yaml as the source' }]
}

/** Settings that are reported in words, with each test. */
const IN_WORDS = ['setup', 'agent', 'threshold'].map(key => `execution.${key}`)

function lossesOfTest(test: Test, suite: Suite): string[] {
  const { input, note, conversation_id, mocks, execution } = test
  const isLast = (index: number) => index === input.findLastIndex(({ role }) => role === 'user')
  const earlier = input.some(({ role }, index) => role !== 'system' && !isLast(index))
  const blocks = input.flatMap(({ content = [] }) => content)
  return [
    ...(input.some(({ role }) => role === 'system') ? ['a system message'] : []),
    ...(earlier ? ['messages other than the last user message'] : []),
    ...(blocks.some(({ type }) => type === 'image') ? ['images'] : []),
    ...(note === undefined ? [] : ['the note for judges']),
    ...(conversation_id === undefined ? [] : ['the conversation it belongs to']),
    ...(mocks === undefined ? [] : ['the mocked servers']),
    ...((execution.threshold ?? suite.execution.threshold) === undefined ? [] : ['the threshold']),
    ...((execution.setup ?? suite.execution.setup) === undefined ? [] : ['the setup of the workspace']),
    ...((execution.agent ?? suite.execution.agent) === undefined ? [] : ['the settings of the agent']),
    ...lostSettings(test, IN_WORDS),
  ]
}

/** Names of the checks that `rubrics` and `criteria` of a test become. */
const SHORTHANDS = ['rubrics', 'criteria']

function lossesOfCheck(check: Check): string[] {
  const { weight, required, negate, applies_to, evaluator, config, written_name, description } = check
  return [
    // "Not all pass" differs from "none passes", which the sentences express.
    ...(negate && nestedChecks(check).length > 1 ? ['that at least one of several checks must fail'] : []),
    ...(weight === 1 ? [] : ['weights']),
    ...(required === undefined ? [] : ['required checks']),
    ...(applies_to ? ['the targets that checks apply to (`applies_to`)'] : []),
    ...(written_name === undefined || SHORTHANDS.includes(written_name) ? [] : ['names of checks']),
    ...(description === undefined ? [] : ['descriptions of checks']),
    ...(evaluator.sentences.omits?.(config) ?? []),
  ]
}

/** Returns a check and all nested checks. */
function withInside(check: Check): Check[] {
  return [check, ...nestedChecks(check).flatMap(withInside)]
}
