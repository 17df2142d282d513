import type { EvaluatorResult } from '../../model/evaluator-result.ts'
import { PASS_MARK, reaches } from '../../model/verdict.ts'
import type { ImportContext } from '../format.ts'
import type { Written } from '../written.ts'

/** Letters of scores: correct, incorrect, partial and no answer. */
const LETTERS: Readonly<Record<string, number>> = { C: 1, I: 0, P: 0.5, N: 0 }

const WORDS: Readonly<Record<string, number>> = { yes: 1, true: 1, no: 0, false: 0 }

/** The scores of a sample as results of checks: each scorer, and each part of a score with several. */
export function scoreChecks(scores: Written | undefined, context: ImportContext): EvaluatorResult[] {
  const isOne = scores?.get('value') !== undefined
  const named = isOne ? [['score', scores as Written] as const] : (scores?.entries() ?? [])
  return named.flatMap(([name, score]) => {
    const value = score.get('value')
    const parts = value?.isMapping() ? value.entries() : []
    if (parts.length === 0) return [checkOf(name, value, score, context)]
    return parts.map(([part, inner]) => checkOf(`${name}: ${part}`, inner, score, context))
  })
}

function checkOf(name: string, value: Written | undefined, score: Written, { notes }: ImportContext): EvaluatorResult {
  const number = scoreOf(value?.value)
  const reason = score.get('explanation')?.text()
  const shared = { name, type: 'inspect', text: `scorer ${name}`, weight: 1, required: null, line: 1, duration_ms: 0 }
  if (number === undefined) {
    notes.leftOut(
      (value ?? score).at,
      'a score that is not between 0 and 1, and no letter of Inspect: it is not judged',
    )
    const error = {
      code: 'not-graded',
      message: `the score ${JSON.stringify(value?.value ?? null)} is not between 0 and 1`,
    }
    return { ...shared, score: null, passed: false, hits: [], misses: [], error }
  }
  const passed = reaches(number, PASS_MARK)
  const found = [`${name}: ${String(value?.value)}`]
  return {
    ...shared,
    score: number,
    passed,
    hits: passed ? found : [],
    misses: passed ? [] : found,
    ...(reason === undefined ? {} : { reasoning: reason }),
  }
}

/** A score between 0 and 1; undefined for a value that has no such meaning. */
function scoreOf(value: unknown): number | undefined {
  if (typeof value === 'boolean') return Number(value)
  const number = typeof value === 'string' && value.trim() !== '' ? textScore(value.trim()) : value
  return typeof number === 'number' && number >= 0 && number <= 1 ? number : undefined
}

function textScore(text: string): number {
  return LETTERS[text] ?? WORDS[text.toLowerCase()] ?? Number(text)
}
