import type { Check } from '../model/check.ts'
import type { Evaluator } from '../model/evaluator.ts'
import type { TestFacts } from '../model/test-facts.ts'

type Fields = Record<string, unknown>

/** A sentence as a check: the one that it came from where our own words are in it, else a rubric. */
export function checkOfSentence(sentence: string, test: TestFacts, evaluators: Iterable<Evaluator>): Fields {
  for (const evaluator of evaluators) {
    const fields = evaluator.fromSentence?.(sentence, test)
    if (fields && says(evaluator, fields, sentence)) return { type: evaluator.type, ...fields }
  }
  return { type: 'rubrics', criteria: sentence }
}

/** Whether the check with these fields is put into the same words: nothing is taken for what it only resembles. */
function says(evaluator: Evaluator, { negate = false, ...fields }: Fields, sentence: string): boolean {
  if (typeof evaluator.config === 'function') return false
  const config = evaluator.config.safeParse(fields)
  if (!config.success) return false
  const check = { evaluator, type: evaluator.type, config: config.data, negate, files: new Map() }
  return evaluator.sentence(check as unknown as Check).join('; ') === sentence
}
