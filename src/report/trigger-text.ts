import type { Palette } from '../lib/palette.ts'
import { printableLine } from '../lib/text/escape.ts'
import { truncate } from '../lib/text/quote.ts'
import { formatInterval } from './estimates-text.ts'
import type { Outcome } from './outcome/run-outcome.ts'
import type { SkillTriggers, TriggerQuery } from './outcome/trigger-rates.ts'

/** Maximum number of queries per skill and target. */
const MAX_QUERIES = 20

/** Maximum length of a query text. */
const MAX_QUERY_LENGTH = 60

/** Formats the trigger rates of each skill and target with its queries; `quiet` shows only suspect ones. */
export function triggersText({ triggers = [] }: Outcome, palette: Palette, quiet = false): string {
  const listed = triggers.filter(({ harness_suspect }) => !quiet || harness_suspect)
  return listed.map(rates => `${ratesText(rates)}\n${queriesText(rates, palette)}`).join('')
}

/** `csv-analyzer on default: 12 of 14 correct, precision 0.86 [0.60–0.96], recall 1.00 [0.70–1.00], F1 0.92`. */
function ratesText(rates: SkillTriggers): string {
  const { skill, target, tp, fp, tn, fn, unjudged, unanswered, precision, recall, f1, queries } = rates
  const judged = tp + fp + tn + fn
  const unit = judged > queries.length ? ` answers to ${queriesWord(queries.length)}` : ''
  return [
    `${printableLine(skill)} on ${printableLine(target)}: ${tp + tn} of ${judged}${unit} correct`,
    `precision ${formatRatio(precision)}${formatInterval(rates.precision_interval, formatRatio)}`,
    `recall ${formatRatio(recall)}${formatInterval(rates.recall_interval, formatRatio)}`,
    `F1 ${formatRatio(f1)}`,
    ...(unjudged > 0 ? [`${unjudged} not judged`] : []),
    ...(unanswered > 0 ? [`${unanswered} without an answer`] : []),
  ].join(', ')
}

function queriesText(rates: SkillTriggers, palette: Palette): string {
  if (rates.harness_suspect) return `  ${palette.warning('harness suspect')}: ${suspicion(rates)}\n`
  const { queries } = rates
  const passed = queries.filter(({ pass }) => pass === true).length
  const thresholds = [...new Set(queries.map(({ threshold }) => threshold))].sort()
  const sorted = [...queries].sort((a, b) => urgency(a) - urgency(b))
  const more = sorted.slice(MAX_QUERIES)
  const failed = more.filter(({ pass }) => pass === false).length
  return [
    `  ${passed} of ${queriesWord(queries.length)} passed (trigger threshold ${thresholds.join(', ')})\n`,
    ...sorted.slice(0, MAX_QUERIES).map(query => queryLine(query, palette)),
    ...(more.length > 0 ? [`  and ${more.length} more${failed > 0 ? `, ${failed} of which failed` : ''}\n`] : []),
  ].join('')
}

/** Sorts failed queries first, then those without a verdict, then flaky ones. */
function urgency({ pass, rate, should_trigger }: TriggerQuery): number {
  if (pass !== true) return pass === false ? 0 : 1
  return rate === Number(should_trigger) ? 3 : 2
}

function suspicion({ fn }: SkillTriggers): string {
  const never = `the skill was not used in ${fn === 1 ? 'the one answer' : `any of the ${fn} answers`} that should use it`
  return `${never}, which says little about its description. Check that the skill is installed (\`skills\` of the target) and that transcripts contain tool calls.`
}

/** `pass 1 "Read this csv": trigger rate 1.00 (1 of 1), should trigger`. */
function queryLine(query: TriggerQuery, palette: Palette): string {
  const { test_id, text, should_trigger, triggered, judged, rate, pass } = query
  const name = text === undefined ? test_id : `${test_id} "${truncate(text.trim(), MAX_QUERY_LENGTH)}"`
  const expectation = should_trigger ? 'should trigger' : 'should not trigger'
  const verdict = pass === null ? palette.warning('not judged') : pass ? palette.good('pass') : palette.error('fail')
  return `  ${verdict} ${printableLine(name)}: trigger rate ${formatRatio(rate)} (${triggered} of ${judged}), ${expectation}\n`
}

function queriesWord(count: number): string {
  return `${count} ${count === 1 ? 'query' : 'queries'}`
}

function formatRatio(share: number | null): string {
  return share === null ? '-' : share.toFixed(2)
}
