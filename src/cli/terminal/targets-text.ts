import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { diagnosticData } from '../../diagnostics/render/json.ts'
import { renderText } from '../../diagnostics/render/text.ts'
import type { Palette } from '../../lib/palette.ts'
import { printableLine } from '../../lib/text/escape.ts'
import { formatDollars, formatDuration, plural } from '../../lib/text/format.ts'
import { truncate } from '../../lib/text/quote.ts'
import { displayWidth } from '../../lib/text/unicode.ts'
import type { Ping } from '../../operations/ping-target.ts'
import { type CheckedTarget, type TargetStatus, targetStatus } from '../../operations/ping-targets.ts'
import { warningText } from './progress.ts'

/** The widest column; longer names overflow it. */
const WIDEST = 30

/** The length at which a command is cut. */
const LONGEST_ABOUT = 120

/** Shows a path to people. */
type ShowPath = (file: string) => string

/** Formats a line for each target with its notes below, then the counts. */
export function targetsText(targets: readonly CheckedTarget[], file: string, path: ShowPath, palette: Palette): string {
  const rows = targets.map(each => [
    targetStatus(each),
    printableLine(each.name ?? '(no name)'),
    printableLine(each.provider ?? '-'),
  ])
  const widths = [0, 1, 2].map(column =>
    rows.reduce((widest, row) => Math.max(widest, Math.min(WIDEST, displayWidth(row[column] ?? ''))), 0),
  )
  const lines = targets.flatMap((each, index) => {
    const [status = '', ...names] = (rows[index] ?? []).map((cell, column) => padded(cell, widths[column] ?? 0))
    const paint = targetStatus(each) === 'ok' ? palette.good : palette.error
    const head = [paint(status), ...names, aboutText(each)].join('  ').trimEnd()
    return [head, ...notesOf(each, path, palette).map(note => `    ${note}`.trimEnd())]
  })
  return lines.length === 0 ? '' : [...lines, '', countText(targets, path(file)), ''].join('\n')
}

function padded(cell: string, width: number): string {
  return cell + ' '.repeat(Math.max(0, width - displayWidth(cell)))
}

function aboutText({ about = '', judge_target, extends: base }: CheckedTarget): string {
  const parts = [
    ...(about === '' ? [] : [truncate(printableLine(about), LONGEST_ABOUT)]),
    ...(base === undefined ? [] : [`extends ${printableLine(base)}`]),
    ...(judge_target === undefined ? [] : [`judged by ${printableLine(judge_target)}`]),
  ]
  return parts.join(', ')
}

function notesOf({ diagnostics, lacks, ping }: CheckedTarget, path: ShowPath, palette: Palette): string[] {
  return [
    ...diagnostics.flatMap(each => renderText(each, path(each.file), palette).trimEnd().split('\n')),
    ...(lacks === undefined ? [] : [printableLine(lacks)]),
    ...(ping ? pingLines(ping) : []),
    ...(ping?.warnings ?? []).map(warning => warningText(warning, palette)),
  ]
}

function pingLines({ answer, error, is_there }: Ping): string[] {
  if (answer) return [answerText(answer)]
  const [first = '', ...rest] = (error?.message ?? '').split('\n')
  const head = is_there ? 'reachable, but has no answer for the ping' : error?.code
  return [`${head}: ${printableLine(first)}`, ...rest.slice(0, 20).map(line => `  ${printableLine(line)}`)]
}

/** Formats `answered in 812 ms by gpt-5-mini, 14 tokens in, 2 out, $0.000012`, as far as it is known. */
function answerText({
  duration_ms = 0,
  model,
  token_usage: { input, output } = {},
  cost_usd,
}: NonNullable<Ping['answer']>) {
  const tokens = [
    ...(input === undefined ? [] : [`${plural(input, 'token')} in`]),
    ...(output === undefined ? [] : [`${plural(output, 'token')} out`]),
  ]
  const by = model === undefined ? '' : ` by ${truncate(printableLine(model), WIDEST * 2)}`
  return [
    `answered in ${formatDuration(duration_ms)}${by}`,
    ...tokens,
    ...(cost_usd === undefined ? [] : [formatDollars(cost_usd)]),
  ].join(', ')
}

const COUNTED: Readonly<Record<TargetStatus, string>> = {
  ok: 'ok',
  mistake: 'invalid',
  missing: 'with something missing',
  'no answer': 'without an answer',
}

/** Formats `4 targets in targets.yaml: 3 ok, 1 invalid`. */
function countText(targets: readonly CheckedTarget[], file: string): string {
  const statuses = targets.map(targetStatus)
  const counts = (Object.keys(COUNTED) as TargetStatus[]).flatMap(status => {
    const count = statuses.filter(each => each === status).length
    return count > 0 ? [`${count} ${COUNTED[status]}`] : []
  })
  return `${plural(targets.length, 'target')} in ${printableLine(file)}: ${counts.join(', ')}`
}

/** Targets for programs. */
export function targetsData(
  targets: readonly CheckedTarget[],
  diagnostics: readonly Diagnostic[],
  file: string,
  path: ShowPath,
) {
  const dataOf = (diagnostic: Diagnostic) => diagnosticData(diagnostic, path)
  const data = targets.map(target => {
    const { name, provider, about, judge_target, extends: base, line, lacks, diagnostics, ping } = target
    const facts = { name, provider, about, judge_target, extends: base, line, status: targetStatus(target), lacks }
    return { ...facts, diagnostics: diagnostics.map(dataOf), ping }
  })
  return { file: path(file), targets: data, diagnostics: diagnostics.map(dataOf) }
}
