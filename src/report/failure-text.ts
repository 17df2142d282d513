import type { Palette } from '../lib/palette.ts'
import type { DiffLine } from '../lib/text/diff.ts'
import { printableLine } from '../lib/text/escape.ts'
import { plural } from '../lib/text/format.ts'
import { truncate } from '../lib/text/quote.ts'
import type { EvaluatorResult } from '../model/evaluator-result.ts'
import { armName, type Result } from '../model/result.ts'
import { formatScore, marksOf } from '../model/verdict.ts'
import { changesLine } from './changes-text.ts'
import type { FailedTrials } from './outcome/failed-trials.ts'
import { type Mismatch, readMismatch } from './read-mismatch.ts'
import { checkReasons, failedChecks, reasonsOf } from './reasons.ts'
import type { SummaryStyle } from './summary-style.ts'
import { paint } from './verdict-colour.ts'

/** Describes trials that did not pass for the same reasons: failed checks, reasons, diffs and locations. */
export function failedTrialsText(failed: FailedTrials, style: SummaryStyle): string {
  const { result } = failed
  // Without failed checks, the attempt has the reason.
  const checks = result.error?.stage === 'answer' ? [] : failedChecks(result)
  const lines = [
    headLine(failed, style),
    ...(checks.length > 0 ? [] : reasonsLines(reasonsOf(result), '  ', style.palette)),
    ...checks.flatMap(check => checkLines(check, result, style)),
    ...(result.answer === null || isInDiff(checks) ? [] : [`  ${answerName(failed)}: ${excerpt(result.answer)}`]),
    ...changesLine(result).map(line => `  ${line}`),
    ...(result.workspace_path === undefined ? [] : [`  workspace: ${printableLine(result.workspace_path)}`]),
  ]
  return `${lines.join('\n')}\n`
}

/** `fail greets on default 3 of 5 trials (1, 2, 4) score 0.50 EVAL.yaml:10`. */
function headLine(failed: FailedTrials, { palette, displayPath }: SummaryStyle): string {
  const { test_id, target, control, verdict, file, line } = failed.result
  const name = palette.strong(`${printableLine(test_id)} on ${armName(target, control)}`)
  const location = palette.faint(`${printableLine(displayPath(file))}:${line}`)
  return [paint(verdict, palette)(verdict), name, ...trialsWords(failed), ...scoreWords(failed), location].join(' ')
}

/** The most trials whose numbers are listed. */
const MAX_TRIALS = 10

function trialsWords({ trials, attempts }: FailedTrials): string[] {
  if (attempts === 1) return trials.filter(trial => trial > 1).map(trial => `trial ${trial}`)
  const numbers = trials.length > MAX_TRIALS ? [...trials.slice(0, MAX_TRIALS), '…'] : trials
  return [`${trials.length} of ${attempts} trials${trials.length === attempts ? '' : ` (${numbers.join(', ')})`}`]
}

function scoreWords({ scores, result }: FailedTrials): string[] {
  if (!scores) return []
  const [lowest, highest] = scores.map(score => formatScore(score, 2, marksOf(result.threshold)))
  return [`score ${lowest}${lowest === highest ? '' : `–${highest}`}`]
}

function answerName({ is_same_answer, result }: FailedTrials): string {
  return is_same_answer ? 'answer' : `answer of trial ${result.trial}`
}

/** Whether a diff shows the whole answer. */
function isInDiff(checks: readonly EvaluatorResult[]): boolean {
  return checks
    .flatMap(checkReasons)
    .some(reason => /^the answer differs(?! at )/.test(readMismatch(reason)?.title ?? ''))
}

function checkLines(check: EvaluatorResult, result: Result, { palette, displayPath }: SummaryStyle): string[] {
  const location = palette.faint(`${printableLine(displayPath(check.file ?? result.file))}:${check.line}`)
  const required = check.required === null ? '' : ' (required)'
  const head = `  ${printableLine(check.name)}${required} ${location}`
  return [head, ...reasonsLines(checkReasons(check), '    ', palette)]
}

/** Reasons, with diffs where they compare values; fields of one check are one diff. */
function reasonsLines(reasons: readonly string[], indent: string, palette: Palette): string[] {
  const read = reasons.map(reason => readMismatch(reason) ?? reason)
  const fields = read.filter(each => typeof each !== 'string').filter(({ title }) => title === undefined)
  const [first] = fields
  const all = fields.flatMap(({ lines }) => lines)
  return read.flatMap(each => {
    if (typeof each === 'string') return reasonLines(each, indent)
    if (each.title !== undefined) return mismatchLines(each, indent, palette)
    return each === first ? mismatchLines({ title: 'values differ', lines: all }, indent, palette) : []
  })
}

const LEGEND = '(- expected, + found)'

function mismatchLines({ title = 'values differ', lines }: Mismatch, indent: string, palette: Palette): string[] {
  const visible = lines.slice(0, MAX_LINES).map(line => `${indent}${diffLine(line, palette)}`)
  const more = lines.length - visible.length
  return [
    `${indent}${lineText(title)} ${palette.faint(LEGEND)}`,
    ...visible,
    ...(more > 0 ? [`${indent}… ${plural(more, 'more line')}`] : []),
  ]
}

function diffLine({ mark, text }: DiffLine, palette: Palette): string {
  const colour = { '-': palette.error, '+': palette.good, ' ': palette.faint }[mark]
  return colour(`${mark} ${lineText(text)}`.trimEnd())
}

/** Limits for the lines after the first one of a reason. */
const MAX_LINES = 20
const MAX_LINE_LENGTH = 300

/** Indents the lines after the first one. */
function reasonLines(reason: string, indent: string): string[] {
  const [first = '', ...rest] = reason.split('\n')
  const visible = rest.slice(0, MAX_LINES).map(line => `${indent}  ${lineText(line)}`.trimEnd())
  const more = rest.length - visible.length
  return [`${indent}${lineText(first)}`, ...visible, ...(more > 0 ? [`${indent}  … ${plural(more, 'more line')}`] : [])]
}

/** A line of a text that is not ours, cut at a length. */
export function lineText(line: string): string {
  return truncate(printableLine(line), MAX_LINE_LENGTH)
}

function excerpt(text: string): string {
  return truncate(printableLine(text), 160)
}
