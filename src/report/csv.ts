import { printable } from '../lib/printable.ts'
import type { Result } from '../model/result.ts'
import type { RunReader } from '../model/run-reader.ts'
import { reasonsOf } from './reasons.ts'
import { reportedResults } from './reported-results.ts'
import type { Reporter } from './reporter.ts'

export const csv: Reporter = {
  type: 'csv',
  summary: 'A row for each attempt, for spreadsheets.',
  ending: '.csv',
  render: run => [{ text: rowsOf(run) }],
  harmless: text => text.split('\r\n').map(printable).join('\r\n'),
}

type Cell = string | number | null | undefined

const COLUMNS: readonly (readonly [name: string, cell: (result: Result) => Cell])[] = [
  ['run_id', ({ run_id }) => run_id],
  ['suite', ({ suite }) => suite],
  ['test_id', ({ test_id }) => test_id],
  ['target', ({ target }) => target],
  ['model', ({ model }) => model],
  ['trial', ({ trial }) => trial],
  ['rerun', ({ rerun }) => rerun],
  ['verdict', ({ verdict }) => verdict],
  ['score', ({ score }) => score],
  ['duration_ms', ({ duration_ms }) => duration_ms],
  ['input_tokens', ({ token_usage }) => token_usage?.input],
  ['output_tokens', ({ token_usage }) => token_usage?.output],
  ['cost_usd', ({ cost_usd }) => cost_usd],
  ['tags', ({ tags }) => tags.join(' ')],
  ['file', ({ file }) => file],
  ['line', ({ line }) => line],
  ['reasons', result => (result.verdict === 'pass' ? '' : reasonsOf(result).join('; '))],
  ['answer', ({ answer }) => answer],
  ['cached', ({ cached }) => (cached ? 'yes' : '')],
  ['partial_run', ({ partial }) => partial],
]

function* rowsOf(run: RunReader): Generator<string> {
  yield `${COLUMNS.map(([name]) => name).join(',')}\r\n`
  for (const result of reportedResults(run)) yield `${COLUMNS.map(([, cell]) => cellText(cell(result))).join(',')}\r\n`
}

function cellText(value: Cell): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  // A spreadsheet would take it for a formula, and run it; some do so with the wide signs too.
  const text = /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
