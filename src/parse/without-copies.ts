import { textOf } from '../model/message-text.ts'
import type { Suite } from '../spec/suite.ts'
import type { Test } from '../spec/test.ts'
import { isJsonSuite } from './suite-names.ts'

/** A suite that is left out of a run, and the suite that has its tests. */
export interface Copy {
  readonly file: string
  readonly of: string
}

/**
 * Leaves out each JSON suite that was found beside the suite it was made from, so that no test runs twice.
 * A suite that the user named stays.
 */
export function withoutCopies(
  suites: readonly Suite[],
  named: ReadonlySet<string>,
): { readonly suites: readonly Suite[]; readonly copies: readonly Copy[] } {
  const copies = suites.flatMap((suite): Copy[] => {
    if (!isJsonSuite(suite.file) || named.has(suite.file)) return []
    const original = suites.find(other => !isJsonSuite(other.file) && hasTestsOf(other, suite))
    return original ? [{ file: suite.file, of: original.file }] : []
  })
  const left = new Set(copies.map(({ file }) => file))
  return { suites: suites.filter(({ file }) => !left.has(file)), copies }
}

/** Whether one suite has every test of the other: under its id, or with its prompt. */
function hasTestsOf(suite: Suite, copy: Suite): boolean {
  const ids = new Map(suite.tests.map(test => [test.id, test]))
  const prompts = new Map(suite.tests.map(test => [promptOf(test), test]))
  return copy.tests.every(test => {
    // The numbers of evals count within their file only.
    const same = (test.number === undefined ? ids.get(test.id) : undefined) ?? prompts.get(promptOf(test))
    return same !== undefined && (!asksForSkill(test) || asksForSkill(same))
  })
}

/** The last text of the user, which is all of the input that other formats have. */
function promptOf({ input }: Test): string {
  return textOf(input.findLast(({ role }) => role === 'user')).trim()
}

function asksForSkill({ checks }: Test): boolean {
  return checks.some(({ evaluator }) => evaluator.trigger !== undefined)
}
