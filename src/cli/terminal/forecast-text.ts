import { printableLine } from '../../lib/text/escape.ts'
import { formatDollars, formatNumber, formatPercent, plural } from '../../lib/text/format.ts'
import type { DecisionForecast } from '../../operations/run/decision-forecast.ts'

/** What decisions would take, one line each. */
export function forecastText(forecasts: readonly DecisionForecast[]): string {
  return forecasts.map(forecast => `${forecastLine(forecast)}\n`).join('')
}

function forecastLine({ target, tests, pairs, rate, most_cost_usd }: DecisionForecast): string {
  const name = printableLine(target)
  const cost =
    most_cost_usd === undefined ? '' : `; at most ${formatDollars(most_cost_usd)} at the prices of the last run`
  if (pairs) {
    const { control, most, drop, power, mean_pairs } = pairs
    const shown = `shows a drop of ${formatNumber(drop)} in ${formatPercent(power)} of cases, after about ${plural(Math.round(mean_pairs), 'pair')}`
    return `${name} against ${printableLine(control)}: ${plural(tests, 'test')}, at most ${plural(most, 'pair')}; ${shown}${cost}`
  }
  if (!rate) return `${name}: ${plural(tests, 'test')}${cost}`
  const { true_rate, power, mean_tests } = rate
  const shown = `shows a true pass rate of ${formatPercent(true_rate)} to be below in ${formatPercent(power)} of cases, after about ${plural(Math.round(mean_tests), 'test')}`
  return [`${name}: at most ${plural(tests, 'test')}; ${shown}${cost}`, ...limitTexts(tests, rate)].join('\n  ')
}

/** What the tests of a suite can never show, whatever their outcomes. */
function limitTexts(tests: number, { threshold, can_be_above, can_be_below }: NonNullable<DecisionForecast['rate']>) {
  const rate = formatPercent(threshold)
  return [
    ...(can_be_above ? [] : [`${plural(tests, 'test')} can never show a pass rate above ${rate}`]),
    ...(can_be_below ? [] : [`${plural(tests, 'test')} can never show a pass rate below ${rate}`]),
  ]
}

/** The warnings before a run that cannot show what it is asked for. */
export function limitWarnings(forecasts: readonly DecisionForecast[]): string[] {
  return forecasts.flatMap(({ tests, rate }) => (rate ? limitTexts(tests, rate) : []))
}
