/** Σ score·weight / Σ weight, without what arithmetic adds in the last digits. */
export function weightedAverage(parts: readonly { readonly score: number | null; readonly weight: number }[]): number {
  // Relative to the heaviest, so that no sum is too large for a number.
  const heaviest = parts.reduce((most, { weight }) => Math.max(most, weight), 0)
  const weights = parts.reduce((sum, { weight }) => sum + weight / heaviest, 0)
  const weighted = parts.reduce((sum, { score, weight }) => sum + (score ?? 0) * (weight / heaviest), 0)
  return Math.round((weighted / weights) * 1e9) / 1e9
}
