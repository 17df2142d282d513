import { formatNumber } from '../../lib/text/format.ts'
import { negateSentence } from '../../model/check.ts'
import type { EvaluatorResult, RubricItem } from '../../model/evaluator-result.ts'
import { counts, PASS_MARK, reaches } from '../../model/verdict.ts'
import { itemFinding } from '../score-breakdown.ts'

/** A statement about an answer, its result and the evidence. */
export interface Expectation {
  readonly text: string
  readonly passed: boolean
  readonly evidence: string
}

/**
 * Returns the statements of the checks: rubric items and nested checks become one statement each, inverted inside a
 * negated check. Trigger checks, and checks that did not run or do not apply, are skipped.
 */
export function expectationsOf(checks: readonly EvaluatorResult[], isNegated = false): Expectation[] {
  return checks.flatMap(check => {
    const { trigger, not_run, negate = false, items = [], evaluator_results: inside = [] } = check
    if (trigger || not_run || !counts(check)) return []
    if (inside.length > 0) return expectationsOf(inside, isNegated !== negate)
    return items.length > 0 ? items.map(item => ofItem(item, isNegated !== negate)) : [ofCheck(check, isNegated)]
  })
}

function ofCheck(check: EvaluatorResult, isNegated: boolean): Expectation {
  const { name, score, reasoning = '', hits, misses } = check
  const passed = isNegated ? reaches(1 - (score ?? 0), PASS_MARK) : check.passed
  // Evidence against a statement supports its contrary.
  const findings = passed === isNegated ? [...misses, ...hits] : [...hits, ...misses]
  const evidence = [reasoning, ...findings].filter(text => text !== '').join('; ')
  return {
    text: statement(check.text || name, isNegated),
    passed,
    evidence: evidence || `score ${formatNumber(score ?? 0)}`,
  }
}

function ofItem(item: RubricItem, isNegated: boolean): Expectation {
  const { text, passed, reasoning } = item
  return { text: statement(text, isNegated), passed: passed !== isNegated, evidence: reasoning || itemFinding(item) }
}

function statement(text: string, isNegated: boolean): string {
  return isNegated ? negateSentence(text) : text
}
