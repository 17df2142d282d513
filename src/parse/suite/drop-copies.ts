import { nestedChecks } from '../../model/check.ts'
import { messageText } from '../../model/message.ts'
import type { Suite } from '../../model/suite.ts'
import type { Test } from '../../model/test.ts'
import { isJsonSuite, isTriggerSetName } from '../file-names.ts'

/** A suite that is excluded from a run, and the suite that contains its tests. */
export interface SuiteCopy {
  readonly file: string
  readonly of: string
}

/**
 * Drops JSON suites that were found together with the suite they were transpiled from, so that no test runs twice.
 * Suites given as arguments stay.
 */
export function dropCopies(
  suites: readonly Suite[],
  named: ReadonlySet<string>,
): { readonly suites: readonly Suite[]; readonly copies: readonly SuiteCopy[] } {
  const sources = [...suites].sort((a, b) => stageOf(a) - stageOf(b))
  const copies = suites.flatMap((suite): SuiteCopy[] => {
    if (stageOf(suite) === 0 || named.has(suite.file)) return []
    const source = sources.find(other => stageOf(other) < stageOf(suite) && containsTestsOf(other, suite))
    return source ? [{ file: suite.file, of: source.file }] : []
  })
  const dropped = new Set(copies.map(({ file }) => file))
  return { suites: suites.filter(({ file }) => !dropped.has(file)), copies }
}

/** EVAL.yaml is transpiled to evals.json, and both to trigger sets. */
function stageOf({ file }: Suite): number {
  return isTriggerSetName(file) ? 2 : isJsonSuite(file) ? 1 : 0
}

/** Whether a suite contains every test of the other, by id or prompt, for the same skills. */
function containsTestsOf(suite: Suite, copy: Suite): boolean {
  const ids = new Map(suite.tests.map(test => [test.id, test]))
  const prompts = new Map(suite.tests.map(test => [promptOf(test), test]))
  return copy.tests.every(test => {
    // Numbers of evals are unique only within their file.
    const same = (test.number === undefined ? ids.get(test.id) : undefined) ?? prompts.get(promptOf(test))
    const skills = new Set(same && skillsIn(same.checks))
    return same !== undefined && skillsIn(test.checks).every(skill => skills.has(skill))
  })
}

/** Returns the last user message, the only input of other formats. */
function promptOf({ input }: Test): string {
  return messageText(input.findLast(({ role }) => role === 'user')).trim()
}

/** Returns the skills that checks, nested ones included, refer to. */
function skillsIn(checks: Test['checks']): string[] {
  return checks.flatMap(check => {
    const label = check.evaluator.trigger?.(check.config)
    return [...(label ? [label.skill] : []), ...skillsIn(nestedChecks(check))]
  })
}
