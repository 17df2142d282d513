import { shortNumber } from '../lib/short-number.ts'

interface Part {
  readonly score: number
  readonly weight: number
}

/** `(1 × 1 + 0 × 2) / 3`. */
export function weightedSum(parts: readonly Part[]): string {
  const products = parts.map(({ score, weight }) => `${shortNumber(score)} × ${shortNumber(weight)}`).join(' + ')
  const weights = parts.reduce((total, { weight }) => total + weight, 0)
  return `(${products}) / ${shortNumber(weights)}`
}
