import type { Evaluator } from '../model/evaluator.ts'

/** The built-in evaluators by all their names, in canonical spelling. */
export type EvaluatorLookup = ReadonlyMap<string, Evaluator>

export function lookupOf(evaluators: readonly Evaluator[]): EvaluatorLookup {
  const lookup = new Map<string, Evaluator>()
  for (const evaluator of evaluators) {
    for (const name of namesOf(evaluator)) lookup.set(name, evaluator)
  }
  return lookup
}

/** The canonical spelling of a type, with `_` for `-`. */
export function canonicalType(type: string): string {
  return type.replaceAll('-', '_')
}

/** All spellings of an evaluator's type, the canonical one first. */
export function spellingsOf(evaluator: Evaluator): string[] {
  return [...new Set(namesOf(evaluator).flatMap(name => [name, name.replaceAll('_', '-')]))]
}

function namesOf(evaluator: Evaluator): string[] {
  return [evaluator.type, ...(evaluator.aliases ?? [])]
}
