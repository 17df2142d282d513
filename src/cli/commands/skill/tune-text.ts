import type { Palette } from '../../../lib/palette.ts'
import { printableLine } from '../../../lib/text/escape.ts'
import { formatDollars, formatPercent, formatShare, plural } from '../../../lib/text/format.ts'
import { renderTable } from '../../../lib/text/table.ts'
import type { Measured, TuningResult } from '../../../model/tuning.ts'
import type { AppliedTuning } from '../../../operations/skills/tune/apply-tuning.ts'
import type { PreparedTuning } from '../../../operations/skills/tune/prepare-tuning.ts'
import type { FinishedTuning } from '../../../operations/skills/tune/tune-skill.ts'
import { formatP, formatSigned } from '../../../report/compare/text/format-values.ts'
import { formatInterval } from '../../../report/estimates-text.ts'

/** What a session will ask, what it may cost, and what it can show. */
export function tuningPlanText({
  session,
  plan,
  repeated,
  attempt_cost_usd,
  options,
  is_begun,
}: PreparedTuning): string {
  const { training, held_out, starts, proposer_calls } = plan
  const { least_changed, least_difference, likely_difference, queries_for_less } = plan
  const lines = [
    `${session.skill} on ${session.target}: ${session.queries.length} queries, ${training} for training, ${held_out} held out (seed ${session.seed})`,
    ...(repeated > 0 ? [`${repeated} repeated ${repeated === 1 ? 'query' : 'queries'} left out`] : []),
    `agent starts: usually ${starts.usual}, at most ${starts.most}; each ends at the first tool call`,
    `calls to ${session.proposer} for proposals: usually ${proposer_calls.usual}, at most ${proposer_calls.most}`,
    costLine(starts, attempt_cost_usd, options.max_cost_usd),
    `a decision needs at least ${least_changed} held-out queries that change: a difference below ${formatPercent(least_difference)} cannot be shown, and ${likelyText(likely_difference)}`,
    ...(likely_difference > 0.3 ? [`${queries_for_less} queries would likely show a difference of 30 %`] : []),
    ...(is_begun ? ['Resuming the session: what is recorded is not asked again'] : []),
  ]
  return `${lines.map(printableLine).join('\n')}\n\n`
}

function likelyText(share: number): string {
  return `one of ${formatPercent(share)} is shown in four of five sessions`
}

function costLine(
  { usual, most }: PreparedTuning['plan']['starts'],
  cost: number | undefined,
  max: number | undefined,
): string {
  const bound = max === undefined ? '' : `, and never above ${formatDollars(max)} (--max-cost)`
  if (cost === undefined) return `cost: unknown, since no earlier run of this target has costs${bound}`
  return `cost: about ${formatDollars(usual * cost)}, at most ${formatDollars(most * cost)}, by the last run of this target, which was not stopped early${bound}`
}

/** How a session ended. */
export function tuningText(
  prepared: PreparedTuning,
  finished: FinishedTuning,
  path: (file: string) => string,
  palette: Palette,
): string {
  const { result, incomplete } = finished
  const records = `records: ${printableLine(path(prepared.folder.path))}\n`
  const facts = `${totalsText(finished)}${records}`
  if (incomplete)
    return `${palette.warning('not finished')} ${printableLine(incomplete.message)}\n${facts}${nextStep(incomplete.reason)}\n`
  if (!result) return facts
  return `${tableText(result)}\n${verdictText(result, palette)}${diffText(prepared, result, palette)}${facts}${applyText(prepared, result)}`
}

function nextStep(reason: NonNullable<FinishedTuning['incomplete']>['reason']): string {
  if (reason === 'budget') return 'Resume with the same command and a higher --max-cost.'
  if (reason === 'errors')
    return 'Check the target with `assay targets --ping`, then run the same command again; --fresh also repeats attempts in which the agent failed.'
  if (reason === 'changed') return 'Run the same command again with --fresh.'
  return 'Resume with the same command.'
}

function tableText({ training, held_out, candidate }: TuningResult): string {
  const row = (name: string, trained: Measured | undefined, held: Measured | undefined) => [
    name,
    trained ? rateText(trained.all) : '-',
    held ? rateText(held.all) : '-',
    held ? shareText(held.should_trigger.right) : '-',
    held ? shareText(held.should_not_trigger.right) : '-',
  ]
  return renderTable(
    [
      ['description', 'training', 'held out', 'used when it should', 'unused when it should not'],
      row('current', training.current, held_out?.current),
      ...(candidate ? [row(`candidate ${candidate.number}`, training.candidate, held_out?.candidate)] : []),
    ],
    1,
  )
}

function rateText({ right, interval }: Measured['all']): string {
  return `${formatPercent(right)}${formatInterval(interval, formatShare)}`
}

function shareText(right: number): string {
  return formatPercent(right)
}

function verdictText({ status, held_out, training }: TuningResult, palette: Palette): string {
  const errors = (held_out?.current.errors ?? 0) + (held_out?.candidate.errors ?? 0)
  const lines = [
    ...(held_out ? [differenceText(held_out)] : []),
    ...(errors > 0 ? [`${plural(errors, 'held-out attempt')} without an answer, counted as wrong`] : []),
    ...(held_out?.errors_decide ? ['the result depends on these errors, so no description is accepted'] : []),
  ]
  const head = {
    accepted: `${palette.good('shown to be better')} on queries that the proposals were not made from`,
    'not-shown': `${palette.warning('not shown to be better')} on the held-out queries${trainedText(training)}: nothing to apply`,
    'no-candidate': `${palette.warning('no better description')}: no proposal did better on the training queries`,
    'nothing-to-improve': 'nothing to improve: the description is right on all training queries',
  }[status]
  return `${head}\n${lines.map(line => `  ${line}\n`).join('')}`
}

function trainedText({ current, candidate }: TuningResult['training']): string {
  if (!candidate || candidate.all.right <= current.all.right) return ''
  return ', though it did better on the training queries'
}

function differenceText({ difference, interval, p, test, verdict, detectable }: NonNullable<TuningResult['held_out']>) {
  const range = interval ? ` [${formatSigned(interval.low)} to ${formatSigned(interval.high)}]` : ''
  const chance = p === undefined ? '' : `, ${formatP(p)} (${test})`
  const power =
    detectable === undefined || verdict === 'better'
      ? ''
      : `; these queries detect a difference of ${detectable.toFixed(2)} in four of five cases`
  return `difference ${formatSigned(difference)}${range}${chance}: ${verdict}${power}`
}

/** The present description and the candidate, one line each. */
function diffText({ session }: PreparedTuning, { candidate }: TuningResult, palette: Palette): string {
  if (!candidate) return ''
  return `\n${descriptionDiff(session.description, candidate.description, palette)}\n`
}

function descriptionDiff(before: string, after: string, palette: Palette): string {
  return `${palette.error(`- ${printableLine(before)}`)}\n${palette.good(`+ ${printableLine(after)}`)}\n`
}

function totalsText({ starts, rounds, spent }: FinishedTuning): string {
  const { known_usd, unknown, estimated_usd } = spent
  const proposed = rounds.reduce((sum, { candidates }) => sum + candidates.length, 0)
  const rejected = rounds.reduce((sum, { rejected }) => sum + rejected.length, 0)
  const cost = [
    `cost ${formatDollars(known_usd)}`,
    ...(unknown > 0 ? [`${plural(unknown, 'answer')} of unknown cost`] : []),
    ...(unknown > 0 && estimated_usd !== undefined
      ? [`${formatDollars(estimated_usd)} with them at the mean of the others`]
      : []),
  ]
  const proposals = `${plural(proposed, 'proposal')} in ${plural(rounds.length, 'round')}${rejected > 0 ? `, ${rejected} rejected` : ''}`
  return `${plural(starts, 'agent start')}, ${proposals}; ${cost.join(', ')}\n`
}

function applyText({ options }: PreparedTuning, { status }: TuningResult): string {
  if (status !== 'accepted') return ''
  return `Apply with: ${printableLine(`assay skill tune ${shellWord(options.folder)} --apply`)}\n`
}

function shellWord(text: string): string {
  return /^[\w./@+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

/** What was written to a SKILL.md. */
export function appliedText(applied: AppliedTuning, path: (file: string) => string, palette: Palette): string {
  const file = printableLine(path(applied.file))
  if (applied.is_unchanged) return `${file} has this description already\n`
  return `wrote ${file}\n${descriptionDiff(applied.before, applied.after, palette)}`
}

/** A session as JSON data. */
export function tuningData(prepared: PreparedTuning, finished?: FinishedTuning) {
  const { session, plan, repeated, attempt_cost_usd, options } = prepared
  const { queries, ...settings } = session
  return {
    ...settings,
    plan: { ...plan, attempt_cost_usd, max_cost_usd: options.max_cost_usd, repeated_queries: repeated },
    queries,
    ...(finished ? { ...finished, accepted: finished.result?.status === 'accepted' } : {}),
  }
}
