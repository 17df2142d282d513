import { onOneLine } from '../lib/printable.ts'
import { shortNumber } from '../lib/short-number.ts'
import { PASS_MARK, shortScore } from '../model/marks.ts'
import type { EvaluatorResult, Result } from '../model/result.ts'
import { itemLines, withoutItems } from './item-lines.ts'
import { scoreSum } from './score-sum.ts'

/** The arithmetic from the checks of an attempt to its verdict, as a tree. */
export function explain(result: Result, shown: (file: string) => string): string {
  const { test_id, target, trial, verdict, evaluator_results: checks, error } = result
  const head = `${onOneLine(test_id)} on ${onOneLine(target)}, trial ${trial}: ${verdict}`
  const place = `${onOneLine(shown(result.file))}:${result.line}`
  const lines = checks.flatMap((check, index) => checkLines(check, index === checks.length - 1))
  return [
    `${head}  (${place})`,
    ...lines,
    ...(error ? [`error in the ${error.stage}: ${onOneLine(error.message)}`] : scoreSum(result)),
    ...(result.cached ? ['answer: taken from the cache'] : []),
    ...(result.rerun === undefined ? [] : [`made again in rerun ${result.rerun}`]),
    ...(result.worker === undefined ? [] : [`made by: ${onOneLine(result.worker)}`]),
    ...(result.workspace_path === undefined ? [] : [`workspace: ${onOneLine(result.workspace_path)}`]),
    '',
  ].join('\n')
}

function checkLines(check: EvaluatorResult, isLast: boolean): string[] {
  const { evaluator_results: inside = [] } = check
  // What a check that contains others found is said by these.
  const own = notesOf(inside.length > 0 ? { ...check, hits: [], misses: [] } : check)
  const stem = isLast ? '   ' : '│  '
  return [
    `${isLast ? '└─' : '├─'} ${onOneLine(check.name)}: ${scoreText(check)}`,
    `${stem}  ${onOneLine(check.text)}`,
    ...own.map(note => `${stem}  ${note}`),
    ...inside.flatMap((child, index) => checkLines(child, index === inside.length - 1)).map(line => `${stem}${line}`),
  ]
}

function notesOf(check: EvaluatorResult): string[] {
  const { hits, misses, reasoning, error } = check
  return [
    ...itemLines(check),
    ...withoutItems(hits, check).map(hit => `+ ${onOneLine(hit)}`),
    ...withoutItems(misses, check).map(miss => `- ${onOneLine(miss)}`),
    ...(reasoning === undefined ? [] : [`= ${onOneLine(reasoning)}`]),
    ...(error ? [`! ${onOneLine(error.message)}`] : []),
  ]
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
