import { forecastPairs, forecastRate } from '../../lib/statistics/decision-forecast.ts'
import { mean } from '../../lib/statistics/means.ts'
import { showable } from '../../lib/statistics/rate-boundaries.ts'
import type { Deciding } from '../../model/decision.ts'
import type { Host } from '../../model/host.ts'
import type { Plan } from '../../model/plan.ts'
import type { ResultFacts } from '../../model/run-reader.ts'
import { armsOf } from '../../run/deciding/create-decider.ts'
import { openRun } from '../open-run.ts'
import type { RunRequest } from './run-request.ts'

/** What a decision about a target would take. */
export interface DecisionForecast {
  readonly target: string
  readonly tests: number
  /** Where there is a control: how likely pairs show that the target is worse by `drop`, and after how many on average. */
  readonly pairs?: {
    readonly control: string
    readonly most: number
    readonly drop: number
    readonly power: number
    readonly mean_pairs: number
  }
  /** Where there is a pass rate: what the tests can show at all, and how likely they do for a true rate below it. */
  readonly rate?: {
    readonly threshold: number
    readonly can_be_above: boolean
    readonly can_be_below: boolean
    /** The fewest tests that can show a pass rate above the threshold. */
    readonly first_above: number | undefined
    readonly true_rate: number
    readonly power: number
    readonly mean_tests: number
  }
  /** The most that it can cost, at the prices of an earlier run; undefined if they are unknown. */
  readonly most_cost_usd: number | undefined
}

/** The loss that forecasts are made for. */
const DROP = 0.15

/** Forecasts what a run until it is decided would take, by the costs and pass rates of the last run. */
export async function forecastDecisions(
  plan: Pick<Plan, 'attempts'>,
  request: Pick<RunRequest, 'deciding' | 'min_pass_rate' | 'runs_dir' | 'judge_repeats'>,
  host: Host,
): Promise<DecisionForecast[]> {
  if (!request.deciding) return []
  const run = await openRun('latest', request.runs_dir, host).catch(() => undefined)
  try {
    const { judge_repeats: before = 1 } = (run?.info?.options ?? {}) as RunRequest
    const facts = Array.from(run?.facts() ?? [], repeatedAs((request.judge_repeats ?? 1) / before))
    return forecastsOf(plan, { ...request, deciding: request.deciding }, facts)
  } finally {
    run?.close()
  }
}

/** Judges cost as often more as they are asked. */
function repeatedAs(times: number): (facts: ResultFacts) => ResultFacts {
  return facts => ({ ...facts, judge_cost_usd: facts.judge_cost_usd && facts.judge_cost_usd * times })
}

function forecastsOf(
  { attempts }: Pick<Plan, 'attempts'>,
  { deciding, min_pass_rate }: { readonly deciding: Deciding; readonly min_pass_rate?: number | undefined },
  earlier: readonly ResultFacts[],
): DecisionForecast[] {
  const first = attempts.filter(({ trial }) => trial === 1)
  const arms = armsOf(first)
  if (arms.length > 0)
    return arms.map(({ target, control, tests }) => {
      const most = deciding.max_trials * tests.length
      const costs = [costOf(earlier, target), costOf(earlier, control)]
      const pairs = pairsForecast(tests.length, most, control, deciding, earlier)
      return { target, tests: tests.length, pairs, most_cost_usd: sum(costs.map(cost => cost && cost * most)) }
    })
  const targets = [...new Set(first.map(({ target }) => target.name))]
  return targets.map(target => {
    const tests = first.filter(attempt => attempt.target.name === target).length
    const cost = costOf(earlier, target)
    const rate = min_pass_rate === undefined ? {} : { rate: rateForecast(tests, min_pass_rate, deciding) }
    return { target, tests, ...rate, most_cost_usd: cost === undefined ? undefined : cost * tests }
  })
}

function pairsForecast(
  tests: number,
  most: number,
  control: string,
  { seed, alpha, rho }: Deciding,
  earlier: readonly ResultFacts[],
): NonNullable<DecisionForecast['pairs']> {
  const known = earlier.filter(({ target }) => target === control)
  const rate = known.length === 0 ? 0.9 : mean(known.map(({ verdict }) => Number(verdict === 'pass')))
  const rates = new Array<number>(tests).fill(rate)
  return { control, most, drop: DROP, ...forecastPairs({ tests, most, drop: DROP, rates, seed, alpha, rho }) }
}

function rateForecast(
  tests: number,
  threshold: number,
  { alpha, rho }: Deciding,
): NonNullable<DecisionForecast['rate']> {
  const { above, below, first_above } = showable(threshold, tests, alpha, rho)
  const true_rate = Math.max(0, threshold - DROP)
  const shown = forecastRate({ threshold, most: tests, rate: true_rate, alpha, rho })
  return {
    threshold,
    can_be_above: above,
    can_be_below: below,
    first_above,
    true_rate,
    power: shown.below,
    mean_tests: shown.mean_tests,
  }
}

/** The mean cost of an attempt on a target, with its judges; undefined if none is known. */
function costOf(earlier: readonly ResultFacts[], name: string): number | undefined {
  const costs = earlier.flatMap(({ target, cost_usd, judge_cost_usd, is_cached }) =>
    target !== name || is_cached || cost_usd === undefined ? [] : [cost_usd + (judge_cost_usd ?? 0)],
  )
  return costs.length === 0 ? undefined : mean(costs)
}

/** Undefined if a part is unknown. */
function sum(parts: readonly (number | undefined)[]): number | undefined {
  return parts.reduce((total, part) => (total === undefined || part === undefined ? undefined : total + part), 0)
}
