/** A sentence, or its contrary in words that fit every sentence. */
export function negated(sentence: string, negate: boolean): string {
  return negate ? `Not the case: ${sentence}` : sentence
}
