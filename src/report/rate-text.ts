import type { Interval } from '../lib/statistics/interval.ts'
import type { Rate } from './certainty.ts'

/** `90 % [77–96]`: a rate with its interval, everywhere the same. */
export function rateText(rate: Rate | undefined): string {
  if (!rate) return '-'
  return `${percent(rate.count / rate.of)} [${whole(rate.interval.low)}–${whole(rate.interval.high)}]`
}

/** `0.72 [0.61–0.83]`; without the interval where one test says too little for one. */
export function scoreText(
  score: { readonly mean: number; readonly interval: Interval | undefined } | undefined,
): string {
  if (!score) return '-'
  const { mean, interval } = score
  return interval ? `${mean.toFixed(2)} [${interval.low.toFixed(2)}–${interval.high.toFixed(2)}]` : mean.toFixed(2)
}

/** `90 %`. */
export function percent(share: number): string {
  return `${whole(share)} %`
}

/** What is not quite nothing, or not quite all, does not look like it. */
function whole(share: number): string {
  const rounded = Math.round(share * 100)
  if (rounded === 0 && share > 0) return '<1'
  return rounded === 100 && share < 1 ? '>99' : String(rounded)
}
