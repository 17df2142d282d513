import type { ListedRunData } from '../../../report/html/view-data.ts'

/** The pass rates of a target over runs. */
export interface Trend {
  readonly target: string
  /** The names of the suites of the runs. */
  readonly suites: string
  /** Oldest first. */
  readonly rates: readonly number[]
}

/** Number of runs in a trend. */
const LAST = 30

/**
 * The trends with at least two runs, by the newest run. Only whole, finished runs of the same suites are on one line: the
 * rates of other tests would look like a change.
 */
export function trendsOf(runs: readonly ListedRunData[]): Trend[] {
  const trends = new Map<string, { target: string; suites: string; rates: number[] }>()
  for (const { facts, targets, is_live, partial, problem } of runs) {
    if (is_live || partial !== undefined || problem !== undefined) continue
    const suites = [...(facts?.suites ?? [])].sort().join(', ')
    for (const { name: target, pass_rate } of targets) {
      if (!pass_rate) continue
      const key = JSON.stringify([suites, target])
      const trend = trends.get(key) ?? { target, suites, rates: [] }
      if (trend.rates.length < LAST) trend.rates.unshift(pass_rate.rate)
      trends.set(key, trend)
    }
  }
  return [...trends.values()].filter(({ rates }) => rates.length > 1)
}
