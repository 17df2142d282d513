import type { Test } from '../spec/test.ts'
import { checksInside, type TestCheck } from './test-check.ts'

/** What should be true of an answer, in words: the criteria, then each check. Which skill is used is no part of the answer. */
export function statementsOf({ criteria, checks }: Test): string[] {
  const said = checks.flatMap(sentencesOf)
  if (criteria === undefined) return said
  // A test without checks is graded by its criteria, as by a check.
  return said.length === 1 && said[0] === criteria ? said : [criteria, ...said]
}

function sentencesOf(check: TestCheck): readonly string[] {
  const { evaluator } = check
  if (evaluator.trigger) return []
  const inside = checksInside(check)
  return inside.some(({ evaluator }) => evaluator.trigger) ? inside.flatMap(sentencesOf) : evaluator.sentence(check)
}
