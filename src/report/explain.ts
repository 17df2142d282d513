import { formatJson } from '../lib/json/stringify.ts'
import { printableLine } from '../lib/text/escape.ts'
import { formatDuration, formatNumber, plural } from '../lib/text/format.ts'
import { truncate } from '../lib/text/quote.ts'
import type { EvaluatorResult } from '../model/evaluator-result.ts'
import { markText, recordedMark } from '../model/mark.ts'
import { asText } from '../model/messages/content-text.ts'
import { type AttributedCall, callsIn, isOwn, subagentName } from '../model/messages/subagents.ts'
import { armName, type Result } from '../model/result.ts'
import { counts, PASS_MARK, shortScore } from '../model/verdict.ts'
import { changeNotes } from './changes-text.ts'
import { invertedScore, ownMisses } from './reasons.ts'
import { expectedText, inapplicableTo, inputText } from './result-texts.ts'
import { itemLines, scoreSum, scoresText, voteLines, withoutItems } from './score-breakdown.ts'

/** Explains an attempt: input and answer, then the checks as a tree, then score and verdict. */
export function explainAttempt(result: Result, displayPath: (file: string) => string, verbose = false): string {
  const { test_id, target, control, trial, verdict, evaluator_results: checks, error } = result
  const head = `${printableLine(test_id)} on ${armName(target, control)}, trial ${trial}: ${verdict}`
  const location = `${printableLine(displayPath(result.file))}:${result.line}`
  const lines = treeOf(checks, { target, verbose })
  const mark = recordedMark(result)
  return [
    `${head}  (${location})`,
    ...attemptLines(result, verbose),
    ...lines,
    ...(error ? signed(`error in the ${error.stage}:`, error.message) : scoreSum(result)),
    ...(mark ? [printableLine(markText(mark))] : []),
    ...(result.cached ? ['answer: from the cache'] : []),
    ...(result.rerun === undefined ? [] : [`repeated in rerun ${result.rerun}`]),
    ...(result.worker === undefined ? [] : [`worker: ${printableLine(result.worker)}`]),
    ...(result.workspace_path === undefined ? [] : [`workspace: ${printableLine(result.workspace_path)}`]),
    '',
  ].join('\n')
}

interface TreeOptions {
  /** Name of the target that answered. */
  readonly target: string
  readonly verbose: boolean
}

function treeOf(checks: readonly EvaluatorResult[], options: TreeOptions): string[] {
  return checks.flatMap((check, index) => checkLines(check, index === checks.length - 1, options))
}

function checkLines(check: EvaluatorResult, isLast: boolean, options: TreeOptions): string[] {
  const { evaluator_results: inside = [] } = check
  // Nested checks show their own findings.
  const notes = notesOf(inside.length > 0 ? { ...check, hits: [], misses: [] } : check)
  const own =
    options.verbose && check.details !== undefined ? [...notes, ...signed('details:', asText(check.details))] : notes
  const stem = isLast ? '   ' : '│  '
  return [
    `${isLast ? '└─' : '├─'} ${printableLine(check.name)}: ${scoreText(check, options.target)}`,
    ...(check.text === check.name ? [] : [`${stem}  ${printableLine(check.text)}`]),
    ...own.map(note => `${stem}  ${note}`),
    ...treeOf(inside, options).map(line => `${stem}${line}`),
  ]
}

function notesOf(check: EvaluatorResult): string[] {
  const { hits, reasoning = '', error } = check
  return [
    ...voteLines(check.votes),
    ...itemLines(check),
    ...withoutItems(hits, check).flatMap(hit => signed('+', hit)),
    ...[...ownMisses(check), ...invertedScore(check)].flatMap(miss => signed('-', miss)),
    ...(reasoning.trim() === '' ? [] : signed('=', reasoning.trim())),
    ...(error ? signed('!', error.message) : []),
  ]
}

/** Prefixes the first line with a sign and indents the others, so that no text can imitate our lines. */
function signed(sign: string, text: string): string[] {
  return text.split('\n').map((line, index) => `${index === 0 ? sign : ' '} ${printableLine(line)}`.trimEnd())
}

function scoreText(check: EvaluatorResult, target: string): string {
  const { score, weight, required, passed, not_run, votes } = check
  if (!counts(check)) return `n/a, ${printableLine(inapplicableTo(target))}`
  const text =
    score === null
      ? not_run
        ? 'not run'
        : 'no score'
      : `${shortScore(score, [required ?? PASS_MARK])} × ${formatNumber(weight)}${scoresText(votes)}`
  return required === null ? text : `${text}, required ${formatNumber(required)}${passed ? '' : ': missed'}`
}

/** Limits without -v. */
const MAX_LINES = 12
const MAX_LINE_LENGTH = 300
const MAX_CALLS = 20
const MAX_FILES = 20

/** Input, expected output, tool calls and answer; truncated unless `isWhole`. */
function attemptLines(result: Result, isWhole: boolean): string[] {
  const expected = expectedText(result)
  return [
    ...block('input', inputText(result), isWhole),
    ...(expected === undefined ? [] : block('expected', expected, isWhole)),
    ...callLines(result, isWhole),
    ...(result.answer === null ? [] : block('answer', result.answer, isWhole)),
    ...changeLines(result, isWhole),
  ]
}

/** Puts a label before the first line and indents the others, so that no text can imitate our lines. */
function block(name: string, text: string, isWhole: boolean): string[] {
  const all = text.split('\n')
  const visible = isWhole ? all : all.slice(0, MAX_LINES).map(line => truncate(line, MAX_LINE_LENGTH))
  const more = all.length - visible.length
  return [
    ...visible.map((line, index) => `${index === 0 ? `${name}: ` : '  '}${printableLine(line)}`.trimEnd()),
    ...(more > 0 ? [`  … ${plural(more, 'more line')} (-v shows all)`] : []),
  ]
}

/** The changed files, with the lines of their diffs. */
function changeLines({ changes }: Result, isWhole: boolean): string[] {
  if (!changes) return []
  const visible = isWhole ? changes : changes.slice(0, MAX_FILES)
  const more = changes.length - visible.length
  return [
    `changed files: ${changes.length === 0 ? 'none' : changes.length}`,
    ...visible.flatMap(change => [
      `  ${change.state} ${printableLine(change.path)}`,
      ...changeNotes(change).map(note => `    (${note})`),
      ...diffLines(change.diff ?? '', isWhole),
    ]),
    ...(more > 0 ? [`  … ${plural(more, 'more file')} (-v shows all)`] : []),
  ]
}

/** Indents the lines of a diff, so that no file can imitate our lines. */
function diffLines(diff: string, isWhole: boolean): string[] {
  const all = diff.split('\n').slice(0, -1)
  const visible = isWhole ? all : all.slice(0, MAX_LINES).map(line => truncate(line, MAX_LINE_LENGTH))
  const more = all.length - visible.length
  return [
    ...visible.map(line => `    ${printableLine(line)}`.trimEnd()),
    ...(more > 0 ? [`    … ${plural(more, 'more line')} (-v shows all)`] : []),
  ]
}

function callLines({ output_messages: messages = [] }: Result, isWhole: boolean): string[] {
  const calls = callsIn(messages)
  if (calls.length === 0) return []
  const visible = isWhole ? calls : calls.slice(0, MAX_CALLS)
  const more = calls.length - visible.length
  return [
    'tool calls:',
    ...visible.flatMap((call, index) => callLine(call, index + 1, isWhole)),
    ...(more > 0 ? [`  … ${plural(more, 'more call')} (-v shows all)`] : []),
  ]
}

/** `  2. search {"query": "rain"} (120 ms)`, with its output if `isWhole`. Calls of subagents are indented and marked. */
function callLine(call: AttributedCall, number: number, isWhole: boolean): string[] {
  const { tool, input, output, error, duration_ms } = call
  const args = input === undefined ? '' : ` ${formatJson(input, isWhole ? Number.POSITIVE_INFINITY : MAX_LINE_LENGTH)}`
  const took = duration_ms === undefined ? '' : ` (${formatDuration(duration_ms)})`
  const failed = error === undefined ? [] : block('     error', error, isWhole)
  const lines = [
    `  ${number}. ${isOwn(call) ? '' : `[${printableLine(subagentName(call))}] `}${printableLine(`${tool}${args}`)}${took}`,
    ...failed,
    ...(isWhole && output !== undefined ? block('     output', asText(output), true).map(indented) : []),
  ]
  return isOwn(call) ? lines : lines.map(line => `    ${line}`)
}

function indented(line: string, index: number): string {
  return index === 0 ? line : `     ${line}`
}
