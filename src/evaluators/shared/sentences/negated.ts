import { contrary, NOT_THE_CASE } from '../../../model/contrary.ts'

/** A sentence, or its contrary in words that fit every sentence. */
export function negated(sentence: string, negate: boolean): string {
  return negate ? contrary(sentence) : sentence
}

/** A sentence that may be the contrary of another, and whether it is. */
export function readNegated(sentence: string): { readonly said: string; readonly negate: boolean } {
  const negate = sentence.startsWith(NOT_THE_CASE)
  return { said: negate ? sentence.slice(NOT_THE_CASE.length) : sentence, negate }
}

/** The field of a check that says so, where it is negated. */
export function negation(negate: boolean): { readonly negate?: true } {
  return negate ? { negate } : {}
}
