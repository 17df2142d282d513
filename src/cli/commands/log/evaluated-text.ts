import type { Palette } from '../../../lib/palette.ts'
import { printableLine } from '../../../lib/text/escape.ts'
import { formatDuration, plural } from '../../../lib/text/format.ts'
import { truncate } from '../../../lib/text/quote.ts'
import { renderTable } from '../../../lib/text/table.ts'
import { evaluationOf } from '../../../log/logged-run.ts'
import type { Result } from '../../../model/result.ts'
import type { EvaluatedLog } from '../../../operations/logs/evaluate-logs.ts'
import { paint } from '../../../report/verdict-colour.ts'

/** Formats the line of a finished log. */
export function progressLine({ log, results }: EvaluatedLog, count: number, total: number, palette: Palette): string {
  const verdict = worstOf(results)
  const ms = results.reduce((sum, { duration_ms = 0 }) => sum + duration_ms, 0)
  const place = palette.faint(`[${String(count).padStart(String(total).length)}/${total}]`)
  return `${place} ${paint(verdict, palette)(verdict)} ${printableLine(log.name)} ${formatDuration(ms)}\n`
}

function worstOf(results: readonly Result[]): Result['verdict'] {
  const judged = results.filter(isJudged).map(({ verdict }) => verdict)
  return judged.find(verdict => verdict === 'error') ?? judged.find(verdict => verdict !== 'pass') ?? 'pass'
}

function isJudged({ evaluator_results, error }: Result): boolean {
  return evaluator_results.length > 0 || error !== undefined
}

/** Formats a row for each judged turn, then the count. */
export function evaluatedText(evaluated: readonly EvaluatedLog[], palette: Palette): string {
  const rows = evaluated.flatMap(({ log, results, run }) =>
    results.flatMap((result, index) => {
      if (!isJudged(result)) return []
      const name = log.turns.length > 1 ? `${log.name} turn ${index + 1}` : log.name
      const [verdict = '', why = ''] = splitEvaluation(result)
      const number = run === undefined ? 'not written' : `run ${run}`
      return [[printableLine(name), number, verdict, truncate(printableLine(why), 200)]]
    }),
  )
  const passed = rows.filter(([, , verdict]) => verdict === 'pass').length
  const table = renderTable(rows, 4).replace(/ {2}(pass|borderline|fail|error)(?= |$)/gm, found => {
    const verdict = found.trim() as Result['verdict']
    return `  ${paint(verdict, palette)(verdict)}`
  })
  // Turns that were not reached count too.
  const expected = evaluated.flatMap(({ log }) => log.turns.filter(({ expected }) => expected !== ''))
  return `${table}\n${passed} of ${plural(expected.length, 'expected answer')} passed\n`
}

function splitEvaluation(result: Result): [string, string] {
  const text = evaluationOf(result)
  const colon = text.indexOf(': ')
  return colon < 0 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 2)]
}

/** Evaluated logs for programs. */
export function evaluatedData(evaluated: readonly EvaluatedLog[]) {
  return evaluated.map(({ log, results, run }) => ({
    name: log.name,
    run: run ?? null,
    turns: results.map((result, index) => ({
      turn: index + 1,
      input: log.turns[index]?.input,
      output: result.answer,
      expected: log.turns[index]?.expected,
      evaluation: evaluationOf(result),
    })),
  }))
}
