/** The cosine of the angle between two vectors of the same length, from −1 to 1; undefined for a vector of zeros. */
export function cosineSimilarity(one: readonly number[], other: readonly number[]): number | undefined {
  const [a, b] = [scaled(one), scaled(other)]
  if (!a || !b) return undefined
  const dot = a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)
  return Math.min(1, Math.max(-1, dot / (lengthOf(a) * lengthOf(b))))
}

/** A vector in the same direction, whose squares neither overflow nor vanish. */
function scaled(vector: readonly number[]): readonly number[] | undefined {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  return largest === 0 ? undefined : vector.map(value => value / largest)
}

function lengthOf(vector: readonly number[]): number {
  return Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
}
