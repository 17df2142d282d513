import type { Interval } from '../../../lib/statistics/intervals.ts'
import { mean } from '../../../lib/statistics/means.ts'
import { formatDollars, formatDuration, formatInteger, plural } from '../../../lib/text/format.ts'
import { formatMeanScore, formatRate } from '../../estimates-text.ts'
import type { Comparison } from '../comparison.ts'
import type { Evidence } from '../evidence.ts'
import type { UsageDifference } from '../usage-difference.ts'
import { formatP, formatSigned } from './format-values.ts'

/** What is compared, in words: a value of each side, and the difference with its 95 % interval. */
export interface Metric {
  readonly name: string
  readonly before: string
  readonly after: string
  /** Empty where only the values are known. */
  readonly difference: string
}

/** Pass rate, score, cost, tokens and time of both sides; those that neither side reports are left out. */
export function metricsOf(comparison: Comparison): Metric[] {
  if (comparison.pairs.length === 0) return []
  return [passRate(comparison), ...scores(comparison), ...usageMetrics(comparison)]
}

function passRate({ before, after, pass_evidence, pass_adjusted_p }: Comparison): Metric {
  return {
    name: 'pass rate',
    before: formatRate(before.pass_rate),
    after: formatRate(after.pass_rate),
    difference: evidenceText(pass_evidence, pass_adjusted_p, formatPoints, ' points'),
  }
}

/** The score, and beside it the compared value if errors or missed required checks make them differ. */
function scores(comparison: Comparison): Metric[] {
  const { before, after, evidence, adjusted_p } = comparison
  const difference = evidenceText(evidence, adjusted_p, formatSigned)
  const score = { name: 'score', before: formatMeanScore(before.score), after: formatMeanScore(after.score) }
  const [first, second] = comparedValues(comparison)
  if (areScores(comparison)) return [{ ...score, difference }]
  const value = {
    name: 'score, errors and required misses as 0',
    before: first.toFixed(2),
    after: second.toFixed(2),
    difference,
  }
  return [{ ...score, difference: '' }, value]
}

/** The means of what is compared: an error or a missed required check counts as 0. */
export function comparedValues({ pairs }: Comparison): readonly [before: number, after: number] {
  return [mean(pairs.map(pair => pair.before)), mean(pairs.map(pair => pair.after))]
}

/** Whether the compared values are the scores. */
export function areScores(comparison: Comparison): boolean {
  const values = comparedValues(comparison)
  const sides = [comparison.before, comparison.after]
  return sides.every(({ score }, side) => Math.abs((score?.mean ?? -1) - (values[side] ?? 0)) < 1e-6)
}

/** `+0.167 [−0.021 to +0.329], p = 0.0625`; p is adjusted for everything that is tested at once. */
function evidenceText(
  evidence: Evidence | undefined,
  p: number | undefined,
  format: (value: number) => string,
  unit = '',
): string {
  if (!evidence) return ''
  const difference = differenceText(evidence.mean, evidence.interval, format, unit)
  return p === undefined ? difference : `${difference}, ${formatP(p)}`
}

function differenceText(
  value: number,
  interval: Interval | undefined,
  format: (value: number) => string,
  unit = '',
): string {
  const range = interval ? ` [${format(interval.low)} to ${format(interval.high)}]` : ''
  return `${format(value)}${unit}${range}`
}

/** Percentage points without their unit: `+17`. */
function formatPoints(value: number): string {
  return signed(value * 100, points => (points < 1 ? points.toFixed(1) : String(Math.round(points))))
}

/** Cost, tokens and time of an answer on both sides, where known. */
export function usageMetrics({ cost, tokens, duration, pairs }: Comparison): Metric[] {
  const metric = (name: string, usage: UsageDifference | undefined, format: (value: number) => string) =>
    usage ? [usageMetric(name, usage, format, pairs.length)] : []
  return [
    ...metric('cost', cost, formatDollars),
    ...metric('tokens', tokens, formatTokens),
    ...metric('time', isMeasurable(duration) ? duration : undefined, formatDuration),
  ]
}

/** Shorter answers are fixed or replayed ones, and their time is mostly noise of the machine. */
const LEAST_MS = 100

function isMeasurable(duration: UsageDifference | undefined): boolean {
  return duration !== undefined && Math.max(duration.before, duration.after) >= LEAST_MS
}

function usageMetric(
  name: string,
  { tests, before, after, difference, interval, ratio }: UsageDifference,
  format: (value: number) => string,
  of: number,
): Metric {
  const parts = [
    differenceText(difference, interval, value => signed(value, format)),
    ...(ratio && Math.abs(difference) > 0 ? [ratioText(ratio)] : []),
    ...(tests < of ? [`known for ${tests} of ${plural(of, 'test')}`] : []),
  ]
  return { name, before: format(before), after: format(after), difference: parts.join(', ') }
}

/** `+12 % [+3 to +21 %]`. */
function ratioText({ ratio, interval }: NonNullable<UsageDifference['ratio']>): string {
  const percent = (value: number) => formatPoints(value - 1)
  return `${percent(ratio)} %${interval ? ` [${percent(interval.low)} to ${percent(interval.high)} %]` : ''}`
}

function formatTokens(tokens: number): string {
  return tokens > 0 && tokens < 10 ? String(Number(tokens.toFixed(1))) : formatInteger(Math.round(tokens))
}

/** Adds the sign, except to 0 and to `<1 ms`. */
function signed(value: number, format: (value: number) => string): string {
  const text = format(Math.abs(value))
  if (value === 0 || text.startsWith('<')) return text
  return `${value < 0 ? '−' : '+'}${text}`
}
