import { type Check, nestedChecks } from '../model/check.ts'
import type { Test } from '../model/test.ts'

/** What should be true of an answer, in words: the criteria, then each check. Which skill is used is no part of the answer. */
export function statementsOf({ criteria, checks }: Test): string[] {
  const said = checks.flatMap(check => sentencesOf(check, false)).filter(sentence => sentence.trim() !== '')
  if (criteria === undefined) return said
  // A test without checks is graded by its criteria, as by a check.
  return said.length === 1 && said[0] === criteria ? said : [criteria, ...said]
}

/** `turned`: whether what is around the check is negated. */
function sentencesOf(check: Check, turned: boolean): readonly string[] {
  const { evaluator } = check
  if (evaluator.trigger) return []
  const negate = check.negate !== turned
  const inside = nestedChecks(check)
  if (inside.length === 0) return evaluator.sentence({ ...check, negate })
  return inside.flatMap(child => sentencesOf(child, negate))
}
