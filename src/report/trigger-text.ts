import type { Palette } from '../lib/palette.ts'
import type { Interval } from '../lib/statistics/intervals.ts'
import { printableLine } from '../lib/text/escape.ts'
import { truncate } from '../lib/text/quote.ts'
import { formatInterval } from './estimates-text.ts'
import type { Outcome } from './outcome/run-outcome.ts'
import type { SkillTriggers, TriggerQuery } from './outcome/skill-triggers.ts'

/** Maximum number of queries per skill and target. */
const MAX_QUERIES = 20

/** Maximum length of a query text. */
const MAX_QUERY_LENGTH = 60

/** Formats the trigger rates of each skill and target with its queries; `quiet` shows only suspect ones. */
export function triggersText({ triggers = [] }: Outcome, palette: Palette, quiet = false): string {
  const listed = triggers.filter(({ harness_suspect }) => !quiet || harness_suspect)
  return listed.map(rates => `${ratesText(rates)}\n${queriesText(rates, palette)}`).join('')
}

/** `csv-analyzer on default: 12 of 14 correct, precision 0.86 [0.60–0.96], recall 1.00 [0.70–1.00], F1 0.92 [0.75–0.98]`. */
function ratesText(rates: SkillTriggers): string {
  return `${printableLine(skillTitle(rates))}: ${figuresText(rates)}`
}

/** `csv-analyzer on default`. */
export function skillTitle({ skill, target, is_control }: SkillTriggers): string {
  return `${skill} on ${target}${is_control ? ' (control)' : ''}`
}

/** The figures of a skill in one line. */
export function figuresText(rates: SkillTriggers): string {
  const { tp, fp, tn, fn, unjudged, unanswered, queries } = rates
  const judged = tp + fp + tn + fn
  const unit = judged > queries.length ? ` answers to ${queriesWord(queries.length)}` : ''
  return [
    `${tp + tn} of ${judged}${unit} correct`,
    `precision ${formatEstimate(rates.precision, rates.precision_interval)}`,
    `recall ${formatEstimate(rates.recall, rates.recall_interval)}`,
    `F1 ${formatEstimate(rates.f1, rates.f1_interval)}`,
    ...(unjudged > 0 ? [`${unjudged} not judged`] : []),
    ...(unanswered > 0 ? [`${unanswered} without an answer`] : []),
  ].join(', ')
}

/** `9 of 12 queries passed (trigger threshold 0.5)`. */
export function passedText({ queries }: SkillTriggers): string {
  const passed = queries.filter(({ pass }) => pass === true).length
  const thresholds = [...new Set(queries.map(({ threshold }) => threshold))].sort()
  return `${passed} of ${queriesWord(queries.length)} passed (trigger threshold ${thresholds.join(', ')})`
}

/** The queries that are shown, in the order of the plan; of many, the most urgent ones. */
export function shownQueries({ queries }: SkillTriggers): {
  readonly shown: readonly TriggerQuery[]
  /** The others in words, if there are any. */
  readonly more: string | undefined
} {
  const urgent = new Set([...queries].sort((a, b) => urgency(a) - urgency(b)).slice(0, MAX_QUERIES))
  const left = queries.filter(query => !urgent.has(query))
  const failed = left.filter(({ pass }) => pass === false).length
  return {
    shown: queries.filter(query => urgent.has(query)),
    more: left.length === 0 ? undefined : `and ${left.length} more${failed > 0 ? `, ${failed} of which failed` : ''}`,
  }
}

function queriesText(rates: SkillTriggers, palette: Palette): string {
  if (rates.harness_suspect) return `  ${palette.warning('harness suspect')}: ${suspicion(rates)}\n`
  const { shown, more } = shownQueries(rates)
  return [
    `  ${passedText(rates)}\n`,
    ...shown.map(query => queryLine(query, palette)),
    ...(more === undefined ? [] : [`  ${more}\n`]),
    ...rates.limits.map(limit => `  note: ${limit}\n`),
  ].join('')
}

/** Sorts failed queries first, then those without a verdict, then flaky ones. */
function urgency({ pass, rate, should_trigger }: TriggerQuery): number {
  if (pass !== true) return pass === false ? 0 : 1
  return rate === Number(should_trigger) ? 3 : 2
}

/** Why the harness is suspect. */
export function suspicion({ fn }: SkillTriggers): string {
  const never = `the skill was not used in ${fn === 1 ? 'the one answer' : `any of the ${fn} answers`} that should use it`
  return `${never}, which says little about its description. Check that the skill is installed (\`skills\` of the target) and that transcripts contain tool calls.`
}

/** `pass 1 "Read this csv": trigger rate 0.67 [0.21–0.94] (2 of 3), should trigger`. */
function queryLine(query: TriggerQuery, palette: Palette): string {
  const { pass } = query
  const colour = pass === null ? palette.warning : pass ? palette.good : palette.error
  const words = [expectationText(query), ...missingText(query)].join(', ')
  return `  ${colour(verdictText(query))} ${printableLine(queryName(query))}: trigger rate ${rateText(query)}, ${words}\n`
}

/** The test id, with the query itself if the id is only a number. */
export function queryName({ test_id, text }: TriggerQuery): string {
  return text === undefined ? test_id : `${test_id} "${truncate(text.trim(), MAX_QUERY_LENGTH)}"`
}

export function verdictText({ pass }: TriggerQuery): string {
  return pass === null ? 'not judged' : pass ? 'pass' : 'fail'
}

export function expectationText({ should_trigger }: TriggerQuery): string {
  return should_trigger ? 'should trigger' : 'should not trigger'
}

/** `0.67 [0.21–0.94] (2 of 3)`. */
export function rateText({ rate, rate_interval, triggered, judged }: TriggerQuery): string {
  return `${formatEstimate(rate, rate_interval)} (${triggered} of ${judged})`
}

/** The attempts that count in no rate: `1 not judged`, `2 without an answer`. */
export function missingText({ pass, unjudged, unanswered }: TriggerQuery): string[] {
  return [
    ...(unjudged > 0 && pass !== null ? [`${unjudged} not judged`] : []),
    ...(unanswered > 0 ? [`${unanswered} without an answer`] : []),
  ]
}

function queriesWord(count: number): string {
  return `${count} ${count === 1 ? 'query' : 'queries'}`
}

function formatEstimate(share: number | null, interval: Interval | undefined): string {
  return share === null ? '-' : `${formatRatio(share)}${formatInterval(interval, formatRatio)}`
}

function formatRatio(share: number): string {
  return share.toFixed(2)
}
