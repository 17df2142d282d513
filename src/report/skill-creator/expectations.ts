import { formatNumber } from '../../lib/text/format.ts'
import { negateSentence } from '../../model/check.ts'
import type { EvaluatorResult, RubricItem } from '../../model/result.ts'
import { PASS_MARK, reaches } from '../../model/verdict.ts'
import { itemFinding } from '../score-breakdown.ts'

/** A statement about an answer, whether it holds, and why that is said. */
export interface Expectation {
  readonly text: string
  readonly passed: boolean
  readonly evidence: string
}

/**
 * What was judged of an answer, in the statements of which the check consists: an item of a rubric, a check inside
 * another. Where a check around them is negated, so is each. One about the use of a skill says nothing about the answer,
 * and one that was left out is not judged.
 */
export function expectationsOf(checks: readonly EvaluatorResult[], turned = false): Expectation[] {
  return checks.flatMap(check => {
    const { trigger, not_run, negate = false, items = [], evaluator_results: inside = [] } = check
    if (trigger || not_run) return []
    if (inside.length > 0) return expectationsOf(inside, turned !== negate)
    return items.length > 0 ? items.map(item => ofItem(item, turned !== negate)) : [ofCheck(check, turned)]
  })
}

function ofCheck(check: EvaluatorResult, turned: boolean): Expectation {
  const { name, score, reasoning = '', hits, misses } = check
  const passed = turned ? reaches(1 - (score ?? 0), PASS_MARK) : check.passed
  // What speaks against the one speaks for its contrary.
  const said = passed === turned ? [...misses, ...hits] : [...hits, ...misses]
  const evidence = [reasoning, ...said].filter(text => text !== '').join('; ')
  return {
    text: statement(check.text || name, turned),
    passed,
    evidence: evidence || `score ${formatNumber(score ?? 0)}`,
  }
}

function ofItem(item: RubricItem, turned: boolean): Expectation {
  const { text, passed, reasoning } = item
  return { text: statement(text, turned), passed: passed !== turned, evidence: reasoning || itemFinding(item) }
}

function statement(text: string, turned: boolean): string {
  return turned ? negateSentence(text) : text
}
