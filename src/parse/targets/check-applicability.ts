import { quoteCode } from '../../lib/text/quote.ts'
import { didYouMean } from '../../lib/text/suggestion.ts'
import { applicableChecks, appliesTo } from '../../model/applicability.ts'
import { type Check, nestedChecks, someCheck } from '../../model/check.ts'
import type { Test } from '../../model/test.ts'
import {
  type Answering,
  gradedTargets,
  namesWithVariants,
  reportOn,
  type SuiteTargetsContext,
} from './suite-targets-context.ts'
import type { TargetsFile } from './targets-file.ts'
import { reportNeverApplied, reportNothingApplies } from './unapplied-checks.ts'

/** Reports problems with the targets that checks apply to. */
export async function reportApplicability(
  answering: Answering,
  file: TargetsFile | undefined,
  context: SuiteTargetsContext,
): Promise<void> {
  const { tests } = context
  if (!tests.some(test => someCheck(test.checks, isLimited))) return
  const checks = checksOf(tests)
  const { diagnostics, options } = context
  const before = diagnostics.errors
  if (file) await reportUnknownNames(checks, answering, file, context)
  await reportZeroWeights(answering, context)
  // Recorded answers are graded as far as checks apply to them.
  if (options.standIn || diagnostics.errors > before) return
  await reportNeverApplied(answering, context)
  await reportNothingApplies(answering, context)
}

/** Whether a check may not apply to every target. */
function isLimited({ applies_to, evaluator }: Check): boolean {
  return applies_to !== undefined || evaluator.applies !== undefined
}

/** Reports names in `applies_to` that are neither targets of the file nor of the run. */
async function reportUnknownNames(
  checks: ReadonlySet<Check>,
  answering: Answering,
  file: TargetsFile,
  context: SuiteTargetsContext,
): Promise<void> {
  const written = file.targets.flatMap(({ name }) => name ?? [])
  const names = [...new Set([...namesWithVariants(written, context.suite), ...answering.keys()])]
  for (const { applies_to = [], at } of checks) {
    for (const [index, name] of applies_to.entries()) {
      if (names.includes(name)) continue
      const message = `no target named ${quoteCode(name)} in ${file.at.file}`
      const hint = didYouMean(name, names, `the targets are ${names.join(', ')}`)
      await reportOn({ code: 'unknown-target', at: at.child('applies_to', index), message, hint }, context)
    }
  }
}

/** Reports tests and checks that have no weight left on a target. */
async function reportZeroWeights(answering: Answering, context: SuiteTargetsContext): Promise<void> {
  for (const test of context.tests) {
    for (const target of gradedTargets(test, answering, context)) {
      const checks = test.checks.filter(check => appliesTo(check, target))
      const isLess = checks.length > 0 && checks.length < test.checks.length
      if (isLess && checks.every(({ weight }) => weight === 0)) {
        const message = `the checks of this test that apply to ${quoteCode(target.name)} have weight 0`
        const hint = 'give at least one of them a weight above 0'
        await reportOn({ code: 'zero-weights', at: test.at, message, hint }, context)
      }
      for (const { evaluator, config, at } of applicableChecks(checks, target)) {
        for (const { path, ...issue } of evaluator.validate?.target?.(config, target) ?? [])
          await reportOn({ ...issue, at: at.child(...path) }, context)
      }
    }
  }
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
