import { plural } from '../../lib/text/format.ts'
import type { RunReader } from '../../model/run-reader.ts'
import { comparedTargets } from '../compared-targets.ts'
import { runNotes } from '../outcome/run-notes.ts'
import { outcomeOf } from '../outcome/run-outcome.ts'
import type { ReportOptions } from '../reporter.ts'
import { comparedCases } from './compared-cases.ts'

/** Notes on the export: the target of each arm, and what has no figure. */
export function exportNotes(run: RunReader, options: ReportOptions): string[] {
  const { cases, targets, left_out } = comparedCases(run, comparedTargets(run, options))
  const errors = cases.reduce((sum, { with: first, without }) => {
    return sum + first.outcome.errors + (without?.outcome.errors ?? 0)
  }, 0)
  return [
    Object.entries(targets)
      .map(([arm, target]) => `${arm} is ${target}`)
      .join(', '),
    ...(errors > 0 ? [`${plural(errors, 'run')} with an error: part of no score, and no delta of their cases`] : []),
    ...(left_out > 0 ? [`left out: ${plural(left_out, 'test')} that ran on ${targets.without} only`] : []),
    ...runNotes(outcomeOf(run)),
  ]
}
