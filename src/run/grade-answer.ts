import { applicableChecks } from '../model/applicability.ts'
import { type Check, isJudged } from '../model/check.ts'
import type { Subject } from '../model/evaluator.ts'
import type { EvaluatorResult } from '../model/evaluator-result.ts'
import { alterationOrder } from './alteration-order.ts'
import { type AskJudge, type GradedAttempt, Grading, type GradingContext } from './grading.ts'
import { SharedGrades } from './shared-grades.ts'

/** Grades an answer with every check of its test. A check that cannot be judged does not affect the others. */
export async function gradeAnswer(
  attempt: GradedAttempt,
  subject: Subject,
  askJudge: AskJudge,
  context: GradingContext,
): Promise<EvaluatorResult[]> {
  const [results = []] = await gradeRepeatedly(attempt, subject, askJudge, { ...context, judge_repeats: 1 })
  return results
}

/**
 * Grades an answer several times, independently and at once: before a check can alter the workspace, all judges have
 * inspected it. Checks that no model judges are graded once. Without a judged check, there is one grading.
 */
export async function gradeRepeatedly(
  attempt: GradedAttempt,
  subject: Subject,
  askJudge: AskJudge,
  context: GradingContext & { readonly judge_repeats: number },
): Promise<EvaluatorResult[][]> {
  const { test, target } = attempt
  const isRepeated = context.judge_repeats > 1 && [...applicableChecks(test.checks, target)].some(isJudged)
  const repeats = isRepeated ? context.judge_repeats : 1
  const shared = new SharedGrades(alterationOrder(test.checks, target, context.host.clock), repeats)
  const grade = (repeat: number) =>
    gradeAll(test.checks, new Grading(attempt, subject, { askJudge, context, shared, repeat }))
  if (repeats === 1) return [await grade(1)]
  return Promise.all(Array.from({ length: repeats }, async (_, index) => grade(index + 1)))
}

function gradeAll(checks: readonly Check[], grading: Grading): EvaluatorResult[] | Promise<EvaluatorResult[]> {
  const results = checks.map(check => grading.grade(check))
  // Most checks are synchronous: awaiting them would slow down large suites.
  return results.some(result => result instanceof Promise) ? Promise.all(results) : (results as EvaluatorResult[])
}
