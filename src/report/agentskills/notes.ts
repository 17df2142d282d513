import { plural } from '../../lib/text/format.ts'
import type { RunReader } from '../../model/run-reader.ts'
import { runNotes } from '../outcome/run-notes.ts'
import { outcomeOf } from '../outcome/run-outcome.ts'
import type { ReportOptions } from '../reporter.ts'
import { guideRuns } from './guide-runs.ts'

/** Notes on the export: the target of each side, and the attempts that were left out. */
export function guideNotes(run: RunReader, options: ReportOptions): string[] {
  const { written, ungraded, more } = guideRuns(run, options)
  const sides = new Map(written.map(({ side, judged }) => [side, judged.result.target]))
  return [
    ...(sides.size === 0 ? [] : [[...sides].map(([side, target]) => `${side} is ${target}`).join(', ')]),
    ...(ungraded.length > 0 ? [`left out: ${plural(ungraded.length, 'attempt')} without an answer or a grade`] : []),
    ...(more > 0
      ? [
          `left out: ${plural(more, 'further attempt')}, because the layout has one run for each test and side: trial 1 is written, benchmark.json is about it alone, and --format skill-creator has all trials`,
        ]
      : []),
    ...runNotes(outcomeOf(run)),
  ]
}
