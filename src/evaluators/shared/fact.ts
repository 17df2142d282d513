/** Something that is as it should be, or not. */
export interface Fact {
  readonly kept: boolean
  readonly text: string
}

/** Facts as what speaks for an answer, and what speaks against it. */
export function hitsAndMisses(facts: readonly Fact[]): { readonly hits: string[]; readonly misses: string[] } {
  const hits: string[] = []
  const misses: string[] = []
  for (const { kept, text } of facts) (kept ? hits : misses).push(text)
  return { hits, misses }
}
