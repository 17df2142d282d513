import { printable, visibleControls } from '../lib/text/escape.ts'
import { formatPlainNumber } from '../lib/text/format.ts'
import { singleLine } from '../lib/text/quote.ts'
import type { EvaluatorResult } from '../model/evaluator-result.ts'
import { markText, recordedMark } from '../model/mark.ts'
import type { Result } from '../model/result.ts'
import type { RunReader } from '../model/run-reader.ts'
import { counts } from '../model/verdict.ts'
import { annotatedResults } from './outcome/run-notes.ts'
import { provenanceText } from './provenance.ts'
import { reasonsOf } from './reasons.ts'
import type { Reporter } from './reporter.ts'
import { expectedText, inputText } from './result-texts.ts'

export const csv: Reporter = {
  type: 'csv',
  summary: 'A row for each attempt, for spreadsheets.',
  render: run => [{ text: rowsOf(run) }],
  terminalSafe: text => text.split('\r\n').map(printable).join('\r\n'),
}

type Cell = string | number | null | undefined
type Column = readonly [name: string, cell: (result: Result) => Cell]

const COLUMNS: readonly Column[] = [
  ['run_id', ({ run_id }) => run_id],
  ['suite', ({ suite }) => suite],
  ['test_id', ({ test_id }) => test_id],
  ['target', ({ target }) => target],
  ['model', ({ model }) => model],
  ['trial', ({ trial }) => trial],
  ['rerun', ({ rerun }) => rerun],
  ['verdict', ({ verdict }) => verdict],
  ['score', ({ score }) => score],
  ['duration_ms', ({ duration_ms, elapsed_ms }) => duration_ms ?? elapsed_ms],
  ['input_tokens', ({ token_usage }) => token_usage?.input],
  ['output_tokens', ({ token_usage }) => token_usage?.output],
  ['cost_usd', ({ cost_usd }) => cost_usd],
  ['judge_cost_usd', ({ judge_usage }) => judge_usage?.cost_usd],
  ['tags', ({ tags }) => JSON.stringify(tags)],
  ['file', ({ file }) => file],
  ['line', ({ line }) => line],
  ['reasons', reasonsText],
  ['input', inputText],
  ['expected_output', expectedText],
  ['answer', ({ answer }) => answer],
  ['cached', ({ cached }) => (cached ? 'yes' : '')],
  ['control', ({ control }) => (control ? 'yes' : '')],
  ['mark', markCell],
  ['partial_run', ({ partial }) => partial],
]

/** Columns of a run whose provenance is known. */
const PROVENANCE: readonly Column[] = [
  ['git_commit', ({ git_commit }) => git_commit],
  ['git_branch', ({ git_branch }) => git_branch],
  ['git_dirty', ({ git_dirty }) => (git_dirty === undefined ? '' : git_dirty ? 'yes' : 'no')],
  ['label', ({ label }) => label],
  ['provenance', ({ provenance }) => provenance],
]
function markCell(result: Result): string {
  const mark = recordedMark(result)
  return mark ? singleLine(markText(mark)) : ''
}

/** Joins the reasons of an attempt, each on one line. */
function reasonsText(result: Result): string {
  if (result.verdict === 'pass') return ''
  return reasonsOf(result)
    .map(reason => singleLine(reason.trim()))
    .join('; ')
}

function* rowsOf(run: RunReader): Generator<string> {
  const own = ownColumns(run)
  const columns = provenanceText(run.info) === undefined ? COLUMNS : [...COLUMNS, ...PROVENANCE]
  yield row([...columns.map(([name]) => name), ...own.flatMap(({ names }) => names)])
  for (const result of annotatedResults(run))
    yield row([...columns.map(([, cell]) => cell(result)), ...own.flatMap(({ cells }) => cells(result))])
}

function row(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`
}

/** Columns that depend on the records. */
interface OwnColumns {
  readonly names: readonly string[]
  cells(result: Result): Cell[]
}

/** Columns for the score of each check and for each metadata key, in order of first appearance. */
function ownColumns(run: RunReader): OwnColumns[] {
  const checks = new Set<string>()
  const keys = new Set<string>()
  for (const { evaluator_results, metadata } of run.results()) {
    for (const { name } of evaluator_results) checks.add(name)
    for (const key of Object.keys(metadata)) keys.add(key)
  }
  return [
    columnsOf('check', checks, ({ evaluator_results: all }) => all.map(check => [check.name, foundText(check)])),
    columnsOf('metadata', keys, ({ metadata }) => Object.entries(metadata)),
  ]
}

/** Maximum number of columns per kind; the rest goes into one column as JSON. */
const MAX_COLUMNS = 500

function columnsOf(
  kind: string,
  all: ReadonlySet<string>,
  entriesOf: (result: Result) => [name: string, value: unknown][],
): OwnColumns {
  const own = [...all].slice(0, MAX_COLUMNS)
  const hasMore = all.size > own.length
  return {
    names: [...own.map(name => `${kind}.${name}`), ...(hasMore ? [`other ${kind}`] : [])],
    cells: result => {
      const values = new Map(entriesOf(result))
      const cells = own.map(name => {
        const value = values.get(name)
        values.delete(name)
        return valueCell(value)
      })
      return hasMore ? [...cells, values.size === 0 ? '' : JSON.stringify(Object.fromEntries(values))] : cells
    },
  }
}

function foundText(check: EvaluatorResult): number | string {
  return check.score ?? (!counts(check) ? 'n/a' : check.not_run ? 'not run' : 'error')
}

function valueCell(value: unknown): Cell {
  if (value === undefined || value === null || typeof value === 'number' || typeof value === 'string') return value
  return JSON.stringify(value)
}

function cellText(value: Cell): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return formatPlainNumber(value)
  // Spreadsheets would execute it as a formula; some accept full-width signs too.
  const text = visibleControls(/^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
