import type { Evaluator } from '../model/evaluator.ts'

/** The built-in evaluators by every name they have, in one spelling. */
export type EvaluatorLookup = ReadonlyMap<string, Evaluator>

export function lookupOf(evaluators: readonly Evaluator[]): EvaluatorLookup {
  const lookup = new Map<string, Evaluator>()
  for (const evaluator of evaluators) {
    for (const name of namesOf(evaluator)) lookup.set(name, evaluator)
  }
  return lookup
}

/** `_` and `-` are the same in the name of a type; we write `_`. */
export function canonicalType(type: string): string {
  return type.replaceAll('-', '_')
}

/** Every way to write an evaluator's type, ours first. */
export function spellingsOf(evaluator: Evaluator): string[] {
  return [...new Set(namesOf(evaluator).flatMap(name => [name, name.replaceAll('_', '-')]))]
}

function namesOf(evaluator: Evaluator): string[] {
  return [evaluator.type, ...(evaluator.aliases ?? [])]
}
