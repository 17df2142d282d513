import { onOneLine } from '../lib/printable.ts'
import { BORDERLINE_MARK, PASS_MARK } from '../model/marks.ts'
import type { EvaluatorResult, Result } from '../model/result.ts'

/** The arithmetic from the checks of an attempt to its verdict, as a tree. */
export function explain(result: Result, shown: (file: string) => string): string {
  const { test_id, target, trial, verdict, evaluator_results: checks, error } = result
  const head = `${onOneLine(test_id)} on ${onOneLine(target)}, trial ${trial}: ${verdict}`
  const place = `${onOneLine(shown(result.file))}:${result.line}`
  const lines = checks.flatMap((check, index) => checkLines(check, index === checks.length - 1))
  return [
    `${head}  (${place})`,
    ...lines,
    ...(error ? [`error in the ${error.stage}: ${onOneLine(error.message)}`] : sum(result)),
    '',
  ].join('\n')
}

function checkLines(check: EvaluatorResult, isLast: boolean): string[] {
  const score = check.error ? 'no score' : `${number(check.score ?? 0)} × ${number(check.weight)}`
  const required =
    check.required === null ? '' : `, required ${number(check.required)}${check.passed ? '' : ': missed'}`
  const branch = isLast ? '└─' : '├─'
  const stem = isLast ? '  ' : '│ '
  const notes = [
    ...check.hits.map(hit => `+ ${onOneLine(hit)}`),
    ...check.misses.map(miss => `- ${onOneLine(miss)}`),
    ...(check.error ? [`! ${onOneLine(check.error.message)}`] : []),
  ]
  return [
    `${branch} ${onOneLine(check.name)}: ${score}${required}`,
    `${stem}   ${onOneLine(check.text)}`,
    ...notes.map(note => `${stem}   ${note}`),
  ]
}

/** `score = (1 × 1 + 0 × 2) / 3 = 0.333`, and what that means. */
function sum({ evaluator_results: checks, score, verdict }: Result): string[] {
  const products = checks.map(check => `${number(check.score ?? 0)} × ${number(check.weight)}`).join(' + ')
  const weights = checks.reduce((total, { weight }) => total + weight, 0)
  const missed = checks
    .filter(({ required, passed }) => required !== null && !passed)
    .map(({ name }) => onOneLine(name))
  const why =
    missed.length > 0
      ? `a required check was missed: ${missed.join(', ')}`
      : `pass from ${PASS_MARK}, borderline from ${BORDERLINE_MARK}`
  return [`score = (${products}) / ${number(weights)} = ${number(score ?? 0)}`, `verdict: ${verdict} (${why})`]
}

function number(value: number): string {
  return String(Number(value.toFixed(4)))
}
