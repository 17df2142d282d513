const NOT = 'Not the case: '

/** A sentence, or its contrary in words that fit every sentence. */
export function negated(sentence: string, negate: boolean): string {
  return negate ? `${NOT}${sentence}` : sentence
}

/** A sentence that may be the contrary of another, and whether it is. */
export function readNegated(sentence: string): { readonly said: string; readonly negate: boolean } {
  const negate = sentence.startsWith(NOT)
  return { said: negate ? sentence.slice(NOT.length) : sentence, negate }
}

/** The field of a check that says so, where it is negated. */
export function negation(negate: boolean): { readonly negate?: true } {
  return negate ? { negate } : {}
}
