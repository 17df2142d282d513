import { demandDifference, demandKeyForEach, demandNumbers } from './demands.ts'
import { type Interval, USUAL_LEVEL } from './interval.ts'
import { mean } from './mean.ts'
import { normalQuantile } from './normal.ts'
import { type Clusters, kishSize } from './standard-error.ts'

export interface PairedBinary {
  /** The mean with the pseudo-pairs: closer to 0 than that of the differences. */
  readonly centre: number
  readonly standardError: number
  readonly interval: Interval
}

/** Bonett–Price, for differences in −1..1: two pseudo-pairs, +1 and −1, are added, so that its width is never 0. */
export function bonettPrice(differences: readonly number[], clusters?: Clusters): PairedBinary {
  demandNumbers(differences)
  for (const difference of differences) demandDifference(difference)
  const keys = clusters ?? differences.map(() => undefined)
  demandKeyForEach(differences, keys)
  const size = kishSize(keys)
  const average = mean(differences)
  const centre = (size * average) / (size + 2)
  const standardError = Math.sqrt(varianceOf(differences, average, size) / (size + 2))
  const half = normalQuantile((1 + USUAL_LEVEL) / 2) * standardError
  return { centre, standardError, interval: { low: Math.max(-1, centre - half), high: Math.min(1, centre + half) } }
}

/** (Σd² + 2)/(n + 2) less the square of the centre, written as a sum: a difference of almost equal numbers loses digits. */
function varianceOf(differences: readonly number[], average: number, size: number): number {
  const spread = mean(differences.map(difference => (difference - average) ** 2))
  const square = mean(differences.map(difference => difference ** 2))
  return (size ** 2 * spread + 2 * size * (square + 1) + 4) / (size + 2) ** 2
}
