import type { Result } from '../model/result.ts'
import type { RunReader } from '../model/run-reader.ts'
import { partOf } from './part-of.ts'
import { damageNotes } from './run-notes.ts'

/** The results as reports of single attempts have them: each says how many there are, and of which part of a partial or damaged run. */
export function* reportedResults(run: RunReader): Generator<Result> {
  const report_results = [...run.facts()].length
  const parts = [partOf(run, report_results) ?? [], damageNotes(run.damaged ?? 0)].flat()
  const partial = parts.length === 0 ? undefined : parts.join('; ')
  const not_made = run.planned > report_results ? run.planned - report_results : undefined
  for (const result of run.results())
    yield { ...result, report_results, ...(partial === undefined ? {} : { partial, not_made }) }
}
