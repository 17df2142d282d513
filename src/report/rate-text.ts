import type { Interval } from '../lib/statistics/interval.ts'
import { formatScore } from '../model/marks.ts'
import type { Rate, Score } from './certainty.ts'

/** `90 % [77–96]`: a rate with its interval, everywhere the same. */
export function rateText(rate: Pick<Rate, 'rate' | 'interval'> | undefined): string {
  if (!rate) return '-'
  return `${percent(rate.rate)}${rangeText(rate.interval, formatShare)}`
}

/** `0.72 [0.61–0.83]`; of how many tests, where that is not all of them. */
export function scoreText(score: Score | undefined, tests = score?.tests): string {
  if (!score) return '-'
  const { mean, interval } = score
  return `${formatScore(mean)}${rangeText(interval, value => value.toFixed(2))}${ofTests(score, tests)}`
}

/** ` (28 of 30 tests)` where not all tests have a score. */
export function ofTests({ tests: scored }: Score, tests = scored): string {
  return scored === tests ? '' : ` (${scored} of ${tests} tests)`
}

function rangeText(interval: Interval | undefined, format: (value: number) => string): string {
  return interval ? ` [${format(interval.low)}–${format(interval.high)}]` : ''
}

/** `90 %`. */
export function percent(share: number): string {
  return `${formatShare(share)} %`
}

/** What is not quite nothing, or not quite all, does not look like it. */
function formatShare(share: number): string {
  const rounded = Math.round(share * 100)
  if (rounded === 0 && share > 0) return '<1'
  return rounded === 100 && share < 1 ? '>99' : String(rounded)
}
