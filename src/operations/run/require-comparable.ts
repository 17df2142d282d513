import { type Attempt, isControlOf } from '../../model/attempt.ts'
import { type Comparison, comparisonsOn, isWithTarget } from '../../model/comparison.ts'
import { UserError } from '../../model/user-error.ts'

/** Throws if checks compare with other answers, which workers of a queue do not have. */
export function requireOwnAnswers(attempts: readonly Attempt[]): void {
  const found = firstComparison(attempts, () => true)
  if (!found) return
  throw new UserError(
    `${nameOf(found)} compares the answer with another one, which a worker of a queue may not have.`,
    'Run it without --queue; or leave the check out of the run, add it afterwards, and grade the answers with `assay grade`.',
  )
}

/**
 * Throws if a run until it is decided has checks that compare with a target other than the control arm: the attempts
 * of other targets are chosen independently of each other.
 */
export function requireChosenTogether(attempts: readonly Attempt[]): void {
  const found = firstComparison(attempts, (comparison, attempt) => {
    if (!isWithTarget(comparison)) return false
    const { other } = comparison
    const arm = attempts.find(({ test, target }) => test === attempt.test && target.name === other.target)
    return !arm || !isControlOf(arm, attempt.target.name)
  })
  if (!found) return
  throw new UserError(
    `${nameOf(found)} compares with a target that is not the control arm, but --until-decided chooses the attempts of each target by itself.`,
    'Name that target with --control, or run without --until-decided.',
  )
}

interface FoundComparison {
  readonly attempt: Attempt
  readonly comparison: Comparison
}

function firstComparison(
  attempts: readonly Attempt[],
  isMeant: (comparison: Comparison, attempt: Attempt) => boolean,
): FoundComparison | undefined {
  for (const attempt of attempts) {
    const comparison = [...comparisonsOn(attempt.test.checks, attempt.target)].find(each => isMeant(each, attempt))
    if (comparison) return { attempt, comparison }
  }
  return undefined
}

function nameOf({ attempt, comparison: { check } }: FoundComparison): string {
  return `The check ${check.name} of the test ${attempt.test.id}`
}
