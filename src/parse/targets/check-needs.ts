import { quoteCode } from '../../lib/text/quote.ts'
import { applicableChecks } from '../../model/applicability.ts'
import { type Check, someCheck } from '../../model/check.ts'
import { someEvaluator } from '../../model/evaluators-in.ts'
import type { Target } from '../../model/target.ts'
import { armNamesFor } from './arm-names.ts'
import { type Answering, reportOn, type SuiteTargetsContext } from './suite-targets-context.ts'

/** Reports checks that look at the workspace of targets that have none. */
export async function reportMissingWorkspaces(answering: Answering, context: SuiteTargetsContext): Promise<void> {
  const { suite, tests, options } = context
  // Recorded answers are graded from their records.
  if (options.standIn || !someEvaluator(tests, ({ needs }) => needs !== undefined)) return
  const reported = new Map<Check, Set<Target>>()
  for (const test of tests.filter(({ checks }) => someCheck(checks, needsWorkspace))) {
    for (const { name } of armNamesFor(suite, test, options)) {
      const target = answering.get(name)
      if (!target || canChangeFiles(target)) continue
      for (const check of applicableChecks(test.checks, target)) {
        const known = reported.get(check) ?? new Set()
        if (known.has(target) || !needsWorkspace(check)) continue
        reported.set(check, known.add(target))
        await reportNoWorkspace(check, target, context)
      }
    }
  }
}

function needsWorkspace({ evaluator, config }: Check): boolean {
  return evaluator.needs?.(config).workspace === true
}

/** Whether the changes of a target are known, or may be part of its answers. */
function canChangeFiles({ provider, config }: Target): boolean {
  return provider.files?.workspace?.(config) !== undefined || provider.execution?.reportsChanges === true
}

async function reportNoWorkspace({ at }: Check, target: Target, context: SuiteTargetsContext): Promise<void> {
  const { name, provider } = target
  const able = context.options.types.flatMap(({ provider: { type, files } }) => (files?.workspace ? [type] : []))
  const canHaveOne = provider.files?.workspace !== undefined
  const why = canHaveOne ? 'has none' : `has none: the provider ${quoteCode(provider.type)} does not work in a folder`
  const add = canHaveOne
    ? 'add `workspace` to the target, a folder that is copied for each attempt'
    : `use a target with a workspace (providers: ${able.join(', ')})`
  const message = `this check looks at the workspace of the agent, but the target ${quoteCode(name)} ${why}`
  const hint = `${add}; or limit the check to other targets with \`applies_to\``
  await reportOn({ code: 'no-workspace', at, message, hint }, context)
}
