import type { Palette } from '../../lib/palette.ts'
import { printable, printableLine } from '../../lib/text/escape.ts'
import { formatDollars, formatPercent, plural } from '../../lib/text/format.ts'
import { renderTable } from '../../lib/text/table.ts'
import { unifiedDiff } from '../../lib/text/unified-diff.ts'
import type { Agreement, AlignmentResult } from '../../model/alignment.ts'
import type { FinishedAlignment } from '../../operations/align/align-judge.ts'
import type { AppliedAlignment } from '../../operations/align/apply-alignment.ts'
import type { AlignmentPlan, PreparedAlignment } from '../../operations/align/prepare-alignment.ts'
import { sourceOf, wordedWith } from '../../operations/align/proposal-file.ts'
import { formatP, formatSigned } from '../../report/compare/text/format-values.ts'

/** What a session will ask, what it may cost, and what it can show. */
export function alignPlanText(prepared: PreparedAlignment): string {
  const { session, plan, changed, others, earlier_looks, options, is_begun } = prepared
  const { training, held_out, judgements, calls_each, proposer_calls } = plan
  const { max_cost_usd: most } = options
  const lines = [
    `${session.check}, judged by ${session.judges.join(', ')}: ${plural(session.answers.length, 'labelled answer')}, ${training} for training, ${held_out} held out (seed ${session.seed})`,
    ...(changed > 0
      ? [
          `${plural(changed, 'labelled answer')} left out: the checks changed since the run; \`assay grade\` applies them`,
        ]
      : []),
    ...(others > 0 ? [`${plural(others, 'labelled answer')} left out: this check does not judge them`] : []),
    `judgements: usually ${judgements.usual}, at most ${judgements.most}${calls_each > 1 ? `, with ${calls_each} calls each` : ''}; no target is asked`,
    `calls to ${session.proposer} for proposals: usually ${proposer_calls.usual}, at most ${proposer_calls.most}`,
    ...(most === undefined ? [] : [`cost: never above ${formatDollars(most)} (--max-cost)`]),
    powerText(plan),
    ...(earlier_looks > 0
      ? [
          `${plural(earlier_looks, 'earlier session')} of this check looked at held-out labels: after several looks, an offer is weaker evidence`,
        ]
      : []),
    ...(is_begun ? ['Resuming the session: what is recorded is not asked again'] : []),
  ]
  return `${lines.map(printableLine).join('\n')}\n\n`
}

/** What the held-out labels can show. Answers of one test are not independent, so that tests count. */
function powerText(plan: AlignmentPlan): string {
  const { held_out, held_out_tests: tests, least_changed: least, least_difference, likely_difference } = plan
  const isEach = tests === held_out
  const labels = `${plural(held_out, 'held-out label')}${isEach ? '' : ` of ${plural(tests, 'test')}`}`
  const changed = isEach ? `at least ${least}` : `answers of at least ${least} tests`
  return `with ${labels}, only an improvement of about ${points(least_difference)} can be shown, since ${changed} must change; one of ${points(likely_difference)} is shown in four of five sessions`
}

function points(share: number): string {
  return `${Math.ceil(share * 100 - 1e-9)} points`
}

/** How a session ended. */
export function alignText(finished: FinishedAlignment, path: (file: string) => string, palette: Palette): string {
  const { prepared, result, incomplete } = finished
  const facts = `${totalsText(finished)}records: ${printableLine(path(prepared.folder.path))}\n`
  if (incomplete)
    return `${palette.warning('not finished:')} ${printableLine(incomplete.message)}\n${facts}${nextStep(incomplete.reason, prepared)}\n`
  if (!result) return facts
  return `${tableText(result)}\n${verdictText(result, palette)}${diffText(finished, palette)}${facts}${offerText(finished, path)}`
}

function nextStep(
  reason: NonNullable<FinishedAlignment['incomplete']>['reason'],
  { options }: PreparedAlignment,
): string {
  if (reason === 'budget' && options.max_cost_usd === undefined)
    return 'Raise `budget_usd` in the suite, then run the same command again.'
  if (reason === 'budget') return 'Resume with the same command and a higher --max-cost.'
  if (reason === 'errors') return 'Check the judge with `assay targets --ping`, then run the same command again.'
  return 'Resume with the same command.'
}

function tableText({ training, held_out, candidate }: AlignmentResult): string {
  const share = (agreed: Agreement['all'] | undefined) =>
    agreed && agreed.answers > 0
      ? `${formatPercent(agreed.agreed / agreed.answers)} (${agreed.agreed}/${agreed.answers})`
      : '-'
  const row = (name: string, trained: Agreement | undefined, held: Agreement | undefined) => [
    name,
    share(trained?.all),
    share(held?.all),
    share(held?.passes),
    share(held?.fails),
  ]
  return renderTable(
    [
      ['agrees with people', 'training', 'held out', 'of their passes', 'of their fails'],
      row('current text', training.current, held_out?.current),
      ...(candidate ? [row(`proposal ${candidate.number}`, training.candidate, held_out?.candidate)] : []),
    ],
    1,
  )
}

function verdictText({ status, held_out, training }: AlignmentResult, palette: Palette): string {
  const head = {
    offered: `${palette.good('shown to be better')} on labels that the proposals were not made from`,
    'not-shown': `${palette.warning('not shown to be better')} on the held-out labels, though it agrees better on the training labels: nothing is offered`,
    'no-candidate': `${palette.warning('no better text')}: no proposal agrees better with people on the training labels`,
    'nothing-to-improve': 'nothing to improve: the judge agrees with people on all training labels',
  }[status]
  const current = held_out?.current.errors ?? training.current.errors
  const errors = current + (held_out?.candidate.errors ?? 0)
  const lines = [
    ...(held_out ? [differenceText(held_out), ofRunText(held_out)] : []),
    ...(errors > 0
      ? [`${plural(errors, 'judgement')} ended in an error: these answers are not compared, and agree in no row`]
      : []),
    ...(held_out?.errors_decide ? ['the result depends on these errors, so nothing is offered'] : []),
  ]
  return `${head}\n${lines.map(line => `  ${line}\n`).join('')}`
}

function differenceText({ difference, interval, p, test, better, worse, compared }: HeldOut): string {
  const range = interval ? ` [${formatSigned(interval.low)} to ${formatSigned(interval.high)}]` : ''
  const chance = p === undefined ? '' : `, ${formatP(p)} (${test})`
  return `difference ${formatSigned(difference)}${range}${chance}: of ${plural(compared, 'answer')}, ${better} agree only with the proposal and ${worse} only with the current text`
}

/** Labels are drawn by verdict: what they show need not hold for the run. */
function ofRunText({ of_run }: HeldOut): string {
  if (!of_run) return 'for all answers of the run: unknown, since the held-out labels lack one of its verdicts'
  const { difference, low, high } = of_run
  return `for all answers of the run, by the number of each verdict: ${formatSigned(difference)} [${formatSigned(low)} to ${formatSigned(high)}]`
}

type HeldOut = NonNullable<AlignmentResult['held_out']>

function diffText({ prepared, result }: FinishedAlignment, palette: Palette): string {
  if (!result?.candidate) return ''
  const { aligned } = prepared
  return `\n${coloured(sourceOf(aligned.written), sourceOf(wordedWith(result.candidate.wording, aligned)), palette)}\n`
}

function coloured(before: string, after: string, palette: Palette): string {
  const lines = printable(unifiedDiff(before, after)).split('\n')
  return lines
    .map(line => (line.startsWith('-') ? palette.error(line) : line.startsWith('+') ? palette.good(line) : line))
    .join('\n')
}

function totalsText({ totals }: FinishedAlignment): string {
  const { rounds, calls, known_usd, unknown, estimated_usd } = totals
  const proposed = rounds.reduce((sum, { candidates }) => sum + candidates.length, 0)
  const rejected = rounds.flatMap(round => round.rejected)
  const cost = [
    `cost ${formatDollars(known_usd)}`,
    ...(unknown > 0 ? [`${plural(unknown, 'call')} of unknown cost`] : []),
    ...(unknown > 0 && estimated_usd !== undefined
      ? [`${formatDollars(estimated_usd)} with them at the mean of the others`]
      : []),
  ]
  const proposals = `${plural(proposed, 'proposal')} in ${plural(rounds.length, 'round')}${rejected.length > 0 ? `, ${rejected.length} rejected` : ''}`
  const reasons = [...new Set(rejected.map(({ reason }) => reason))]
  return [
    `${plural(calls, 'judge call')}, ${proposals}; ${cost.join(', ')}`,
    ...reasons.map(reason => `  rejected: ${printableLine(reason)}`),
    '',
  ].join('\n')
}

/** Where the offered text is, and what to do with it. */
function offerText({ prepared, proposal_file, result }: FinishedAlignment, path: (file: string) => string): string {
  if (proposal_file === undefined) return ''
  const { aligned, session } = prepared
  const kind = result?.candidate?.wording.kind === 'prompt' ? '`prompt`' : `\`${aligned.written.key}\``
  const { file, line } = { file: aligned.check.at.file, line: aligned.check.at.line() }
  const how =
    session.file === undefined
      ? `Apply it by hand: replace ${kind} of the check in ${printableLine(path(file))}:${line} with the text of that file`
      : `Apply with: assay calibrate --align --apply, which replaces ${printableLine(session.file)}`
  return `proposal: ${printableLine(path(proposal_file))}\n${how}\n${STALE}`
}

const STALE =
  'Calibrations of the current text do not hold for the new one: run `assay grade` and `assay calibrate` after it is applied.\n'

/** What was written to a prompt file. */
export function appliedAlignmentText(
  applied: AppliedAlignment,
  path: (file: string) => string,
  palette: Palette,
): string {
  const file = printableLine(path(applied.file))
  if (applied.is_unchanged) return `${file} has this text already\n`
  return `wrote ${file}\n${coloured(applied.before, applied.after, palette)}${STALE}`
}

/** A session as JSON data. */
export function alignData(prepared: PreparedAlignment, finished?: FinishedAlignment) {
  const { session, plan, changed, others, earlier_looks } = prepared
  const { answers, ...settings } = session
  if (!finished) return { ...settings, plan, left_out: { changed, others }, earlier_looks }
  const { result, incomplete, totals, proposal_file } = finished
  const ended = { result, incomplete, totals, proposal_file, offered: result?.status === 'offered' }
  return { ...settings, plan, left_out: { changed, others }, earlier_looks, ...ended }
}
