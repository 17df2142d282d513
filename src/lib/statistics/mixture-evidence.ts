import { assertBetween0And1, assertProbability } from './assertions.ts'
import type { Interval } from './intervals.ts'
import { ALPHA } from './sequential-boundary.ts'

/** The stakes of the bets that are mixed: few are large, because most evidence is for a small difference. */
const STAKES = Array.from({ length: 39 }, (_, index) => ((index + 1) / 40) ** 2)

/** How strongly values contradict a mean. Evidence of 1/alpha shows it at the error probability alpha, at any time. */
export interface Evidence {
  /** That the true mean is above it. */
  readonly above: number
  readonly below: number
}

/** The evidence of values in 0..1 against a mean, whatever the number of values. Their order does not matter. */
export function mixtureEvidence(values: readonly number[], mean: number): Evidence {
  assertValues(values)
  assertBetween0And1('A mean', mean)
  return {
    above: finiteExp(logEvidence(values, mean)),
    below: finiteExp(logEvidence(values.map(mirrored), 1 - mean)),
  }
}

/** All means that the values do not contradict; it holds at all times together. 0 to 1 without values. */
export function mixtureInterval(values: readonly number[], alpha = ALPHA): Interval {
  assertValues(values)
  assertBetween0And1('The error probability of a side', alpha)
  return { low: leastMean(values, alpha), high: 1 - leastMean(values.map(mirrored), alpha) }
}

function assertValues(values: readonly number[]): void {
  for (const value of values) assertProbability('A value', value)
}

function mirrored(value: number): number {
  return 1 - value
}

/** At most the largest number. */
function finiteExp(log: number): number {
  return Math.min(Number.MAX_VALUE, Math.exp(log))
}

/** The logarithm of the mean over the stakes λ of Π(1 + λ(x − m)/m), which would overflow. */
function logEvidence(values: readonly number[], mean: number): number {
  const logs = STAKES.map(stake => {
    let sum = 0
    for (const value of values) sum += Math.log1p((stake * (value - mean)) / mean)
    return sum
  })
  const highest = Math.max(...logs)
  return highest + Math.log(logs.reduce((sum, log) => sum + Math.exp(log - highest), 0) / logs.length)
}

/** The halvings of 0..1 that locate an end of the interval. */
const HALVINGS = 50

/** The mean up to which the evidence for a higher one suffices: it falls as the mean rises. */
function leastMean(values: readonly number[], alpha: number): number {
  let [low, high] = [0, 1]
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (low + high) / 2
    if (logEvidence(values, middle) >= -Math.log(alpha)) low = middle
    else high = middle
  }
  return low
}
