import { onOneLine } from '../lib/printable.ts'
import { shortNumber } from '../lib/short-number.ts'
import { asText } from '../model/content-text.ts'
import { PASS_MARK, shortScore } from '../model/marks.ts'
import type { EvaluatorResult, Result } from '../model/result.ts'
import { attemptLines } from './attempt-lines.ts'
import { itemLines, withoutItems } from './item-lines.ts'
import { invertedScore, ownMisses } from './reasons.ts'
import { scoreSum } from './score-sum.ts'

/** What was asked and answered, and the arithmetic from the checks of an attempt to its verdict, as a tree. */
export function explain(result: Result, shown: (file: string) => string, verbose = false): string {
  const { test_id, target, trial, verdict, evaluator_results: checks, error } = result
  const head = `${onOneLine(test_id)} on ${onOneLine(target)}, trial ${trial}: ${verdict}`
  const place = `${onOneLine(shown(result.file))}:${result.line}`
  const lines = checks.flatMap((check, index) => checkLines(check, index === checks.length - 1, verbose))
  return [
    `${head}  (${place})`,
    ...attemptLines(result, verbose),
    ...lines,
    ...(error ? signed(`error in the ${error.stage}:`, error.message) : scoreSum(result)),
    ...(result.cached ? ['answer: taken from the cache'] : []),
    ...(result.rerun === undefined ? [] : [`made again in rerun ${result.rerun}`]),
    ...(result.worker === undefined ? [] : [`made by: ${onOneLine(result.worker)}`]),
    ...(result.workspace_path === undefined ? [] : [`workspace: ${onOneLine(result.workspace_path)}`]),
    '',
  ].join('\n')
}

function checkLines(check: EvaluatorResult, isLast: boolean, verbose: boolean): string[] {
  const { evaluator_results: inside = [] } = check
  // What a check that contains others found is said by these.
  const notes = notesOf(inside.length > 0 ? { ...check, hits: [], misses: [] } : check)
  const own = verbose && check.details !== undefined ? [...notes, ...signed('details:', asText(check.details))] : notes
  const stem = isLast ? '   ' : '│  '
  return [
    `${isLast ? '└─' : '├─'} ${onOneLine(check.name)}: ${scoreText(check)}`,
    ...(check.text === check.name ? [] : [`${stem}  ${onOneLine(check.text)}`]),
    ...own.map(note => `${stem}  ${note}`),
    ...inside
      .flatMap((child, index) => checkLines(child, index === inside.length - 1, verbose))
      .map(line => `${stem}${line}`),
  ]
}

function notesOf(check: EvaluatorResult): string[] {
  const { hits, reasoning = '', error } = check
  return [
    ...itemLines(check),
    ...withoutItems(hits, check).flatMap(hit => signed('+', hit)),
    ...[...ownMisses(check), ...invertedScore(check)].flatMap(miss => signed('-', miss)),
    ...(reasoning.trim() === '' ? [] : signed('=', reasoning.trim())),
    ...(error ? signed('!', error.message) : []),
  ]
}

/** A text with its sign before the first line; further lines are indented, so that none of them looks like ours. */
function signed(sign: string, text: string): string[] {
  return text.split('\n').map((line, index) => `${index === 0 ? sign : ' '} ${onOneLine(line)}`.trimEnd())
}

function scoreText({ score, weight, required, passed, not_run }: EvaluatorResult): string {
  const text =
    score === null
      ? not_run
        ? 'not run'
        : 'no score'
      : `${shortScore(score, [required ?? PASS_MARK])} × ${shortNumber(weight)}`
  return required === null ? text : `${text}, required ${shortNumber(required)}${passed ? '' : ': missed'}`
}
