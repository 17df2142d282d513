import { markOf, skipReason } from '../model/mark.ts'
import type { SkippedTest } from '../model/plan.ts'
import type { Suite } from '../model/suite.ts'
import type { Test } from '../model/test.ts'
import type { SuiteTests } from './make-plan.ts'

export interface SkipOptions {
  /** Whether the run goes on until it is decided: tests in quarantine are no evidence, so they are skipped too. */
  readonly until_decided?: boolean | undefined
}

/** Separates the tests that run from those that are skipped; suites without a test that runs are dropped. */
export function skipTests(
  selected: readonly SuiteTests[],
  options: SkipOptions,
): { readonly selected: readonly SuiteTests[]; readonly skipped: readonly SkippedTest[] } {
  const skipped: SkippedTest[] = []
  const running = selected.map(({ suite, tests }) => ({
    suite,
    tests: tests.filter(test => {
      const reason = reasonToSkip(suite, test, options)
      if (reason !== undefined) skipped.push({ suite, test, reason })
      return reason === undefined
    }),
  }))
  return { selected: running.filter(({ tests }) => tests.length > 0), skipped }
}

function reasonToSkip(suite: Suite, test: Test, { until_decided }: SkipOptions): string | undefined {
  const mark = markOf(suite, test)
  if (until_decided && mark?.kind === 'quarantine')
    return `in quarantine until ${mark.until}, which --until-decided leaves out: ${mark.reason}`
  return skipReason(suite, test)
}
