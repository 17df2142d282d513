import { quoteCode } from '../../lib/text/quote.ts'
import { didYouMean } from '../../lib/text/suggestion.ts'
import type { GradedTarget } from '../../model/applicability.ts'
import { type Check, nestedChecks } from '../../model/check.ts'
import type { Target } from '../../model/target.ts'
import type { Test } from '../../model/test.ts'
import { armNamesFor } from './arm-names.ts'
import { reportOn, type SuiteTargetsContext } from './suite-targets-context.ts'
import type { TargetsFile } from './targets-file.ts'

/** Reports names in `applies_to` that are neither targets of the file nor of the run. */
export async function reportApplicability(
  answering: ReadonlyMap<string, Target>,
  file: TargetsFile,
  context: SuiteTargetsContext,
): Promise<void> {
  const names = [...new Set([...file.targets.flatMap(({ name }) => name ?? []), ...answering.keys()])]
  for (const { applies_to = [], at } of checksOf(context.tests)) {
    for (const [index, name] of applies_to.entries()) {
      if (names.includes(name)) continue
      const message = `no target named ${quoteCode(name)} in ${file.at.file}`
      const hint = didYouMean(name, names, `the targets are ${names.join(', ')}`)
      await reportOn({ code: 'unknown-target', at: at.child('applies_to', index), message, hint }, context)
    }
  }
}

/** Returns the targets of a test. Of one that has errors, only the name is known. */
export function gradedTargets(
  test: Test,
  answering: ReadonlyMap<string, Target>,
  { suite, options }: SuiteTargetsContext,
): readonly GradedTarget[] {
  return armNamesFor(suite, test, options).map(({ name }) => answering.get(name) ?? { name })
}

/** Returns the checks of tests, nested ones included, each once: tests share the checks of their suite. */
function checksOf(tests: readonly Test[]): ReadonlySet<Check> {
  const checks = new Set<Check>()
  const add = (check: Check) => {
    checks.add(check)
    nestedChecks(check).forEach(add)
  }
  for (const test of tests) test.checks.forEach(add)
  return checks
}
