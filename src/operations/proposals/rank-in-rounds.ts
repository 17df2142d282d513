/** What the rounds of a session do. */
export interface RoundSteps<Candidate, Ranked> {
  /** Proposes candidates by what the earlier ones did. */
  propose(round: number, ranked: readonly Ranked[]): Promise<readonly Candidate[]>
  /** Measures the candidates of all rounds so far; those of earlier rounds are recorded. */
  rank(candidates: readonly Candidate[], round: number): Promise<readonly Ranked[]>
  /** Whether no candidate can do better. */
  isPerfect(ranked: Ranked): boolean
}

/** Proposes and measures in rounds, until a candidate is perfect or nothing new is proposed. */
export async function rankInRounds<Candidate, Ranked>(
  rounds: number,
  { propose, rank, isPerfect }: RoundSteps<Candidate, Ranked>,
): Promise<readonly Ranked[]> {
  let candidates: readonly Candidate[] = []
  let ranked: readonly Ranked[] = []
  for (let round = 1; round <= rounds; round++) {
    const proposed = await propose(round, ranked)
    if (proposed.length === 0) break
    candidates = [...candidates, ...proposed]
    ranked = await rank(candidates, round)
    if (ranked.some(isPerfect)) break
  }
  return ranked
}

/** The candidate that did best: of equal ones the shorter, then the earlier. Undefined if none did better than the present text. */
export function bestOf<Ranked extends { readonly number: number }>(
  candidates: readonly Ranked[],
  present: number,
  { rightOf, lengthOf }: { rightOf(ranked: Ranked): number; lengthOf(ranked: Ranked): number },
): Ranked | undefined {
  const better = candidates.filter(each => rightOf(each) > present + 1e-9)
  return better.toSorted((a, b) => rightOf(b) - rightOf(a) || lengthOf(a) - lengthOf(b) || a.number - b.number)[0]
}
