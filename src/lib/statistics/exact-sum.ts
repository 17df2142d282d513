/**
 * The sum of numbers, rounded once at its end: the same in whichever order they come.
 * What rounding takes from a sum of two is itself a number, and is kept as a part of its own (Shewchuk 1997).
 */
export function exactSum(values: readonly number[]): number {
  const parts: number[] = []
  for (const value of values) addTo(parts, value)
  return rounded(parts)
}

/** The parts come from the smallest to the largest, do not overlap, and stay few. */
function addTo(parts: number[], value: number): void {
  let rest = value
  let kept = 0
  for (const part of parts) {
    const sum = rest + part
    const lost = Math.abs(rest) < Math.abs(part) ? rest - (sum - part) : part - (sum - rest)
    if (lost !== 0) parts[kept++] = lost
    rest = sum
  }
  parts.length = kept
  parts.push(rest)
}

/** Adds from the largest on, until something is lost. The next part decides which way that rounds if it is just a half. */
function rounded(parts: readonly number[]): number {
  let sum = 0
  for (let index = parts.length - 1; index >= 0; index--) {
    const part = parts[index] ?? 0
    const next = sum + part
    const lost = part - (next - sum)
    sum = next
    if (lost === 0) continue
    const isHalf = sum + 2 * lost - sum === 2 * lost
    const goesOn = Math.sign(parts[index - 1] ?? 0) === Math.sign(lost)
    return isHalf && goesOn ? sum + 2 * lost : sum
  }
  return sum
}
