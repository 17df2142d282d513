/** A statement about an answer that holds or not. */
export interface Fact {
  readonly kept: boolean
  readonly text: string
}

/** Splits facts into those that speak for an answer and those against it. */
export function hitsAndMisses(facts: readonly Fact[]): { readonly hits: string[]; readonly misses: string[] } {
  const hits: string[] = []
  const misses: string[] = []
  for (const { kept, text } of facts) (kept ? hits : misses).push(text)
  return { hits, misses }
}
