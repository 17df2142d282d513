import { relative } from 'node:path'
import { compositeKey, groupBy } from '../../lib/collections.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import type { Suite } from '../../model/suite.ts'
import type { Test } from '../../model/test.ts'
import { armNamesFor } from './arm-names.ts'
import { reportOn, type SuiteTargetsContext } from './suite-targets-context.ts'

type SelectedSuite = Pick<SuiteTargetsContext, 'suite' | 'tests'>
type SharedContext = Pick<SuiteTargetsContext, 'options' | 'files' | 'diagnostics'>

interface SharedTest {
  readonly test: Test
  /** The target that both suites test. */
  readonly target: string
  /** The suite that has it first. */
  readonly owner: Suite
}

/**
 * Reports suites of one name that take the same test from one file, for the same target: records cannot tell the two
 * tests from two trials of one, so that the pass of one would hide the failure of the other.
 */
export async function reportSharedTests(selected: readonly SelectedSuite[], context: SharedContext): Promise<void> {
  for (const suites of groupBy(selected, ({ suite }) => suite.name).values()) {
    const owners = new Map<string, Suite>()
    for (const each of suites.length > 1 ? suites : []) {
      const shared = addTests(each, owners, context)
      if (shared) await reportShared(each.suite, shared, context)
    }
  }
}

/** Adds the tests of a suite. Returns the first that another suite has too. */
function addTests(
  { suite, tests }: SelectedSuite,
  owners: Map<string, Suite>,
  { options }: SharedContext,
): SharedTest | undefined {
  let shared: SharedTest | undefined
  for (const test of tests) {
    for (const { name } of armNamesFor(suite, test, options)) {
      const key = compositeKey(test.at.file, test.id, name)
      const owner = owners.get(key) ?? suite
      owners.set(key, owner)
      if (owner !== suite) shared ??= { test, target: name, owner }
    }
  }
  return shared
}

async function reportShared(suite: Suite, { test, target, owner }: SharedTest, context: SharedContext): Promise<void> {
  const shown = (file: string) => relative(context.options.host.cwd, file)
  const source = `${shown(test.at.file)}:${test.at.line()}`
  const what = `the test ${quoteCode(test.id)} of ${source} on the target ${quoteCode(target)}`
  const message = `${shown(owner.file)} is also named ${quoteCode(suite.name)} and has ${what} too`
  const hint = 'give each of the suites its own `name`'
  await reportOn({ code: 'duplicate-id', at: suite.at.child('name'), message, hint }, context)
}
