import { quoteCode } from '../lib/text/quote.ts'
import { MARK_KEYS } from '../model/mark.ts'
import type { Suite } from '../model/suite.ts'
import type { Test } from '../model/test.ts'
import type { TranspileIssue } from './transpile-issue.ts'

/** Finds the marks of a suite and of its tests, which a format cannot express: there, the tests count. */
export function markIssues(suite: Suite, format: string): TranspileIssue[] {
  return [
    ...markLosses(suite, format, 'tests of this suite run'),
    ...suite.tests.flatMap(test => markLosses(test, format, `${quoteCode(test.id)} runs`)),
  ]
}

function markLosses({ execution, at }: Pick<Suite | Test, 'execution' | 'at'>, format: string, what: string) {
  return MARK_KEYS.filter(key => execution[key] !== undefined).map(
    (key): TranspileIssue => ({
      code: 'unsaid',
      at: at.child('execution', key),
      part: 'key',
      message: `${format} cannot express \`${key}\`: ${what} there as if unmarked`,
      hint: 'keep EVAL.yaml as the source',
    }),
  )
}
