export const NOT_THE_CASE = 'Not the case: '

/** The contrary of a sentence, in words that fit every sentence. */
export function contrary(sentence: string): string {
  return `${NOT_THE_CASE}${sentence}`
}
