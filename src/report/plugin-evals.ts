import { terminalSafeJson } from '../lib/text/escape.ts'
import { AGGREGATE_FILE, type AggregateCase } from '../model/aggregate-result.ts'
import type { RunReader } from '../model/run-reader.ts'
import { comparedTargets, targetsProblem } from './compared-targets.ts'
import { aggregateCase } from './plugin-evals/aggregate-case.ts'
import { aggregateHeader } from './plugin-evals/aggregate-header.ts'
import { comparedCases } from './plugin-evals/compared-cases.ts'
import { exportNotes } from './plugin-evals/export-notes.ts'
import { marksProblem } from './plugin-evals/marks.ts'
import { suiteTotals } from './plugin-evals/suite-totals.ts'
import type { Reporter, ReportOptions } from './reporter.ts'

export const pluginEvals: Reporter = {
  type: 'plugin-evals',
  summary: 'The `aggregate-result.json` that `claude plugin eval` writes.',
  file: AGGREGATE_FILE,
  accepts_targets: true,
  problem: (run, options) => targetsProblem(run, options, 'plugin-evals') ?? marksProblem(run, options),
  notes: exportNotes,
  render: (run, options = {}) => [{ text: documentOf(run, options) }],
  terminalSafe: terminalSafeJson,
}

/** Case by case, so that a long run is never in memory as a whole. */
function* documentOf(run: RunReader, options: ReportOptions): Generator<string> {
  const { cases, ...compared } = comparedCases(run, comparedTargets(run, options))
  yield `${indented(aggregateHeader(run, { cases, ...compared }), 0).slice(0, -2)},\n  "cases": [`
  const written: Pick<AggregateCase, 'aggregates'>[] = []
  for (const each of cases) {
    const made = aggregateCase(each, run)
    yield `${written.length === 0 ? '' : ','}\n    ${indented(made, 4)}`
    written.push({ aggregates: made.aggregates })
  }
  yield `${written.length === 0 ? '' : '\n  '}],\n  "aggregates": ${indented(suiteTotals(written, cases), 2)}\n}\n`
}

function indented(value: object, by: number): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', `\n${' '.repeat(by)}`)
}
