import { quoteCode } from '../../lib/text/quote.ts'
import { didYouMean } from '../../lib/text/suggestion.ts'
import { isApplicable } from '../../model/applicability.ts'
import type { Check } from '../../model/check.ts'
import { canCompare, comparisonsOn, isWithTarget } from '../../model/comparison.ts'
import { someEvaluator } from '../../model/evaluators-in.ts'
import type { GradedTarget } from '../../model/target.ts'
import type { Test } from '../../model/test.ts'
import { type Answering, gradedTargets, reportOn, type SuiteTargetsContext } from './suite-targets-context.ts'

/** Reports checks that compare with the answer of a target that does not answer their test. */
export async function reportMissingComparisons(answering: Answering, context: SuiteTargetsContext): Promise<void> {
  // Workers plan one target at a time.
  if (context.options.is_exact || !someEvaluator(context.tests, canCompare)) return
  const reported = new Set<string>()
  for (const test of context.tests) {
    const targets = gradedTargets(test, answering, context)
    for (const target of targets) {
      for (const comparison of [...comparisonsOn(test.checks, target)].filter(isWithTarget)) {
        const { check, other } = comparison
        const problem = problemOf(other.target, test, targets)
        const key = `${other.target} ${check.at.location().line} ${problem?.message}`
        if (!problem || reported.has(key)) continue
        reported.add(key)
        await report(check, problem, context)
      }
    }
  }
}

interface Problem {
  readonly message: string
  readonly hint: string
}

function problemOf(name: string, { id, checks }: Test, targets: readonly GradedTarget[]): Problem | undefined {
  const other = targets.find(target => target.name === name)
  if (other && isApplicable(checks, other)) return undefined
  if (other)
    return {
      message: `no check of the test ${quoteCode(id)} applies to the target ${quoteCode(name)}, so it gives no answer to compare with`,
      hint: 'add a check that applies to it as well, such as `rubrics` or `llm_judge`',
    }
  const names = targets.map(target => target.name)
  const add = `the targets are ${names.join(', ')}; add it to \`execution.targets\`, or name all of them with \`--target\``
  return {
    message: `the target ${quoteCode(name)} does not run the test ${quoteCode(id)}, so there is no answer to compare with`,
    hint: didYouMean(name, names, add),
  }
}

async function report({ at }: Check, problem: Problem, context: SuiteTargetsContext): Promise<void> {
  await reportOn({ code: 'no-comparison', at: at.child('against'), ...problem }, context)
}
